import Ethereum
import StrictJSON
import ZeroEx

/// Reads the answers of relays, tolerant of the variants of real ones.
enum RelayDecoder {
    struct List: Sendable {
        let elements: [JSONValue]
        /// The number of elements on all pages; nil if the relay does not report it.
        let total: Int?
    }

    /// The maximum length of a text from an error body, in Unicode scalars.
    private static let longestText = 500
    private static let maximumFields = 50

    /// The maximum number of JSON values; a v4 page of ten times the requested size has 125,000.
    private static let maximumValues = 200_000

    /// The JSON of a body.
    ///
    /// - Throws: `RelayError.nonsense`.
    static func json(_ body: [UInt8]) throws(RelayError) -> JSONValue {
        do {
            return try JSONParser.parse(body, maximumValues: maximumValues)
        } catch {
            throw .nonsense(RPCReply.describe(body, error))
        }
    }

    /// A list: a bare array, or the object around it in later versions.
    ///
    /// - Throws: `RelayError.nonsense`.
    static func list(_ json: JSONValue?, _ what: String) throws(RelayError) -> List {
        if let elements = json?.arrayValue { return List(elements: elements, total: nil) }
        guard let elements = json?["records"]?.arrayValue else {
            throw .nonsense("\(what) is neither a list nor an object with records")
        }
        return List(elements: elements, total: count(json?["total"]))
    }

    /// The order that was requested by its hash.
    ///
    /// - Throws: `RelayError.nonsense`, also for another order.
    static func order(
        _ json: JSONValue,
        hash: OrderHash,
        decode: (JSONValue) throws(OrderError) -> any SignedOrder
    ) throws(RelayError) -> any SignedOrder {
        let order: any SignedOrder
        do throws(OrderError) {
            order = try decode(json)
        } catch {
            throw .nonsense("the order cannot be read: \(error.description)".withoutFullStop)
        }
        guard order.hash == hash else {
            throw .nonsense("it is another order than the one that was asked for")
        }
        return order
    }

    /// An address of a list.
    ///
    /// - Throws: `RelayError.nonsense`.
    static func address(_ json: JSONValue) throws(RelayError) -> Address {
        guard let address = json.stringValue.flatMap(Address.init(ifHex:)) else {
            throw .nonsense("one of the addresses that it sent is none")
        }
        return address
    }

    /// A pair of tokens.
    ///
    /// - Throws: `RelayError.nonsense`.
    static func pair(_ json: JSONValue) throws(RelayError) -> RelayTokenPair {
        RelayTokenPair(
            tokenA: try side(json["tokenA"], "tokenA"),
            tokenB: try side(json["tokenB"], "tokenB")
        )
    }

    private static func side(
        _ json: JSONValue?,
        _ name: String
    ) throws(RelayError) -> RelayTokenPair.Side {
        guard let text = json?["address"]?.stringValue else {
            throw .nonsense("a token pair's \(name) has no address")
        }
        guard let token = Address(ifHex: text) else {
            throw .nonsense("the address of a token pair's \(name) is not an address")
        }
        return RelayTokenPair.Side(
            token: token,
            minimum: try bound(json?["minAmount"], "\(name).minAmount"),
            maximum: try bound(json?["maxAmount"], "\(name).maxAmount"),
            precision: json?["precision"].flatMap { $0.numberText ?? $0.stringValue }
                .flatMap { Int($0) }
        )
    }

    private static func bound(_ json: JSONValue?, _ what: String) throws(RelayError) -> UInt256? {
        guard let json, !json.isNull else { return nil }
        return try amount(json, "a token pair's \(what)")
    }

    /// The relay's fees for an order.
    ///
    /// - Throws: `RelayError.nonsense`.
    static func fees(_ json: JSONValue) throws(RelayError) -> OrderFees {
        guard json.objectValue != nil else { throw .nonsense("the fees are not an object") }
        let recipient: Address
        switch json["feeRecipient"] {
        case nil, .null?, .string("")?, .string("0x")?: recipient = .zero
        case let value?:
            guard let address = value.stringValue.flatMap(Address.init(ifHex:)) else {
                throw .nonsense("the fees' feeRecipient is not an address")
            }
            recipient = address
        }
        return OrderFees(
            recipient: recipient,
            makerFee: try fee(json["makerFee"], "makerFee"),
            takerFee: try fee(json["takerFee"], "takerFee")
        )
    }

    private static func fee(_ json: JSONValue?, _ name: String) throws(RelayError) -> UInt256 {
        guard let json, !json.isNull else { throw .nonsense("the fees have no \(name)") }
        return try amount(json, "the fees' \(name)")
    }

    /// An amount: a text or a number in any notation that is exactly an integer.
    private static func amount(_ json: JSONValue, _ what: String) throws(RelayError) -> UInt256 {
        guard let amount = (json.stringValue ?? json.numberText).flatMap(UInt256.init(whole:))
        else { throw .nonsense("\(what) is not a whole number of at most 256 bits") }
        return amount
    }

    /// A number of elements, as a number or a text; nil for anything else.
    static func count(_ json: JSONValue?) -> Int? {
        (json?.numberText ?? json?.stringValue).flatMap { WholeNumber.digits($0, maximum: 18) }
            .flatMap { Int($0) }
    }

    // MARK: Refusals

    /// The refusal in an error body; nil if it has nothing that the API knows.
    static func refusal(_ response: HTTPResponse) -> RelayError? {
        guard let json = try? json(response.body), json.objectValue != nil else {  // not JSON
            return nil
        }
        let fields = (json["validationErrors"]?.arrayValue ?? []).prefix(maximumFields).map {
            error in
            RelayError.FieldReason(
                field: text(error["field"]) ?? RelayError.FieldReason.noField,
                code: number(error["code"]),
                reason: text(error["reason"]) ?? text(error["description"])
                    ?? RelayError.FieldReason.noReason
            )
        }
        let reason = text(json["reason"]) ?? text(json["message"]) ?? text(json["error"])
        guard reason != nil || !fields.isEmpty else { return nil }
        return .refused(
            status: response.status,
            code: number(json["code"]),
            reason: reason ?? "validation failed",
            fields: fields
        )
    }

    private static func text(_ json: JSONValue?) -> String? {
        guard let text = json?.stringValue, !text.isEmpty else { return nil }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText)))
    }

    private static func number(_ json: JSONValue?) -> Int? {
        (json?.numberText ?? json?.stringValue).flatMap { Int($0) }
    }
}

extension String {
    /// A sentence as part of another one.
    var withoutFullStop: String {
        hasSuffix(".") ? String(dropLast()) : self
    }
}
