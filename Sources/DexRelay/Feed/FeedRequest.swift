import Ethereum
import HTTPTypes
import StrictJSON
import ZeroEx

/// A client's subscription, as it asks for it.
struct FeedRequest: Hashable, Sendable {
    /// The part of a stream that a snapshot shows.
    enum View: Hashable, Sendable {
        /// Bids take the base token, asks give it.
        case book(base: Address, quote: Address)
        case side(PairDirection)
    }

    /// The request's id in JSON, sent back as it came.
    let id: String
    let topic: FeedTopic
    /// nil if the request is for several streams: then there is no snapshot.
    let exact: Exact?

    /// The one stream of a request.
    struct Exact: Hashable, Sendable {
        let stream: FeedStreamKey
        let view: View
        let wantsSnapshot: Bool
        /// Orders of a side in a snapshot.
        let limit: Int
        /// The sequence after which the client wants to go on.
        let since: UInt64?
    }

    /// The maximum number of a snapshot's orders of a side, and the standard one.
    static let maximumOrders = 1_000
    /// The maximum length of an id, in bytes.
    private static let longestID = 128

    /// Reads a subscription of the API with this interface.
    ///
    /// - Throws: `FaultV0` or `FaultV4`.
    static func read(_ json: JSONValue, _ interface: RelayInterface) throws -> FeedRequest {
        switch interface {
        case .v0: try readV0(json)
        case .v4: try readV4(json)
        }
    }

    // MARK: API v0

    private static func readV0(_ json: JSONValue) throws(FaultV0) -> FeedRequest {
        var reader = Reader<FaultV0>(json)
        reader.expect("type", "subscribe")
        reader.expect("channel", "orderbook")
        let id = json["requestId"]?.numberText
        if let id {
            if id.utf8.count > longestID {
                reader.faults.append(.outOfRange("requestId", "Too long"))
            }
        } else if reader.isPresent(json["requestId"], "requestId") {
            reader.faults.append(.incorrect("requestId", "Must be a number"))
        }
        let payload = json["payload"] ?? .null
        if reader.isPresent(json["payload"], "payload"), payload.objectValue == nil {
            reader.faults.append(.incorrect("payload", "Must be an object"))
        }
        let tokens = ["baseTokenAddress", "quoteTokenAddress"].map { name -> Address? in
            guard reader.isPresent(payload[name], name) else { return nil }
            if let address = payload[name]?.stringValue.flatMap(OrderSchemaV0.address) {
                return address
            }
            reader.faults.append(
                FaultField(
                    name: name,
                    code: .invalidAddress,
                    reason: "Must be a string of 0x and 40 hexadecimal digits, in lower case"
                )
            )
            return nil
        }
        let extras = reader.extras(payload)
        guard reader.faults.isEmpty, let id, let base = tokens[0], let quote = tokens[1] else {
            throw .validation(reader.faults)
        }
        let direction = PairDirection(makerToken: base, takerToken: quote)
        let market = MarketKey(version: .v1, pair: direction)
        return FeedRequest(
            id: id,
            topic: .pair(market),
            exact: Exact(
                stream: FeedStreamKey(market, direction),
                view: .book(base: base, quote: quote),
                wantsSnapshot: extras.wantsSnapshot,
                limit: extras.limit,
                since: extras.since
            )
        )
    }

    // MARK: API v4

    private static func readV4(_ json: JSONValue) throws(FaultV4) -> FeedRequest {
        var reader = Reader<FaultV4>(json)
        reader.expect("type", "subscribe")
        reader.expect("channel", "orders")
        let id = json["requestId"]?.stringValue
        if let id {
            if !(1...longestID).contains(id.utf8.count) {
                reader.faults.append(
                    .outOfRange("requestId", "Must have 1 to \(longestID) bytes")
                )
            }
        } else if reader.isPresent(json["requestId"], "requestId") {
            reader.faults.append(.incorrect("requestId", "Must be a string"))
        }
        let payload = json["payload"] ?? .null
        if !payload.isNull, payload.objectValue == nil {
            reader.faults.append(.incorrect("payload", "Must be an object"))
        }
        // As in the published schema, an empty token is none.
        let tokens = ["makerToken", "takerToken"].map { name -> Address? in
            guard let value = payload[name], !value.isNull, value.stringValue != "" else {
                return nil
            }
            if let address = value.stringValue.flatMap(OrderSchemaV4.address) { return address }
            reader.faults.append(
                .incorrect(name, "Must be a string of 0x and 40 hexadecimal digits, lower case")
            )
            return nil
        }
        let extras = reader.extras(payload)
        if reader.faults.isEmpty, extras.wantsSnapshot || extras.since != nil {
            for (name, token) in zip(["makerToken", "takerToken"], tokens) where token == nil {
                reader.faults.append(FaultV4.required(name))
            }
        }
        guard reader.faults.isEmpty, let id else { throw .validation(reader.faults) }
        var exact: Exact?
        if let makerToken = tokens[0], let takerToken = tokens[1] {
            let direction = PairDirection(makerToken: makerToken, takerToken: takerToken)
            exact = Exact(
                stream: FeedStreamKey(MarketKey(version: .v4, pair: direction), direction),
                view: .side(direction),
                wantsSnapshot: extras.wantsSnapshot,
                limit: extras.limit,
                since: extras.since
            )
        }
        return FeedRequest(
            id: JSONValue.string(id).text,
            topic: .orders(makerToken: tokens[0], takerToken: tokens[1]),
            exact: exact
        )
    }
}

/// Reads a subscription's members and collects what is wrong with them.
private struct Reader<Fault: RelayFault> {
    let json: JSONValue
    var faults: [FaultField] = []

    init(_ json: JSONValue) {
        self.json = json
    }

    mutating func isPresent(_ value: JSONValue?, _ name: String) -> Bool {
        guard value == nil else { return true }
        faults.append(Fault.required(name))
        return false
    }

    mutating func expect(_ name: String, _ text: String) {
        guard isPresent(json[name], name), json[name]?.stringValue != text else { return }
        faults.append(.outOfRange(name, "Must be \"\(text)\""))
    }

    /// The members of a payload that both APIs have.
    mutating func extras(
        _ payload: JSONValue
    ) -> (wantsSnapshot: Bool, limit: Int, since: UInt64?) {
        var wantsSnapshot = false
        if let value = payload["snapshot"], !value.isNull {
            if let flag = value.boolValue {
                wantsSnapshot = flag
            } else {
                faults.append(.incorrect("snapshot", "Must be true or false"))
            }
        }
        let limit = number("limit", in: payload, 1...UInt64(FeedRequest.maximumOrders))
        let since = number("since", in: payload, 0...UInt64.max)
        return (wantsSnapshot, limit.map { Int($0) } ?? FeedRequest.maximumOrders, since)
    }

    private mutating func number(
        _ name: String,
        in payload: JSONValue,
        _ range: ClosedRange<UInt64>
    ) -> UInt64? {
        guard let value = payload[name], !value.isNull else { return nil }
        guard let text = value.numberText, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            faults.append(.incorrect(name, "Must be a whole number"))
            return nil
        }
        guard let number = UInt64(text), range.contains(number) else {
            faults.append(
                .outOfRange(name, "Must be between \(range.lowerBound) and \(range.upperBound)")
            )
            return nil
        }
        return number
    }
}
