import StrictJSON
import ZeroEx

/// What a feed's message is about, in any version of the API.
struct FeedMessage: Sendable {
    let type: String
    let payload: JSONValue
    /// The subscription that it belongs to, as text.
    let requestID: String?
    /// Its number, and that of the message before it in this subscription; nil on foreign relays.
    let sequence: UInt64?
    let previous: UInt64?
    /// A snapshot has every order; nil if the relay does not say.
    let isComplete: Bool?

    /// The maximum number of JSON values of a message.
    static let maximumValues = 400_000

    /// - Throws: `FeedFault`: no JSON object, or an error body, which has no `type`.
    init(_ text: String) throws(FeedFault) {
        let json: JSONValue
        do {
            json = try JSONParser.parse(text: text, maximumValues: Self.maximumValues)
        } catch {
            throw FeedFault("a message is not JSON")
        }
        guard json.objectValue != nil else { throw FeedFault("a message is not a JSON object") }
        guard let type = json["type"]?.stringValue else {
            let reason = json["reason"]?.stringValue.map { ": \($0.prefix(200))" } ?? ""
            throw FeedFault("it refused the subscription\(reason)", isRefusal: true)
        }
        self.type = type
        payload = json["payload"] ?? .null
        requestID = json["requestId"].flatMap { $0.stringValue ?? $0.numberText }
        sequence = json["sequence"]?.numberText.flatMap { UInt64($0) }
        previous = json["previous"]?.numberText.flatMap { UInt64($0) }
        isComplete = json["complete"]?.boolValue
    }
}

/// Why a feed cannot be followed any longer; words that follow "the feed ended:".
struct FeedFault: Error, Hashable, Sendable {
    let reason: String
    /// The relay does not take the subscription as it is.
    let isRefusal: Bool

    init(_ reason: String, isRefusal: Bool = false) {
        self.reason = reason
        self.isRefusal = isRefusal
    }
}

/// The numbers of one subscription's messages.
struct FeedSequence: Sendable {
    private var last: UInt64?

    enum Step: Equatable {
        /// The message has no number.
        case unnumbered
        case inOrder
        /// Messages are missing, repeated, or out of order.
        case gap
    }

    /// Takes the next message's number.
    mutating func take(_ message: FeedMessage) -> Step {
        guard let sequence = message.sequence else {
            // A numbered feed does not stop counting.
            return last == nil ? .unnumbered : .gap
        }
        defer { last = sequence }
        if message.type == "snapshot" { return .inOrder }
        if let last, message.previous != last || sequence <= last { return .gap }
        return .inOrder
    }
}
