import Ethereum
import StrictJSON
import ZeroEx

/// The confirmed proceeds of a trade: the expected and the minimum amount.
///
/// 100 ZRX expected with 1 % of slippage have a minimum of 99.0099 ZRX.
struct FillBounds: Hashable, Sendable {
    /// The transaction that brings them: a fill or a swap.
    let purpose: TransactionPurpose
    /// The received token.
    let token: Address
    /// In base units.
    let expected: UInt256
    /// In base units.
    let minimum: UInt256

    init(_ plan: TradePlan) {
        purpose = plan.venue == .book ? .fill : .swap
        token = plan.receiveToken.address
        expected = plan.expectedReceive
        minimum = plan.minimumReceive
    }

    /// The journal's form of a trade's parts, JSON text: the bounds, or `parts` of them; nil without
    /// any.
    static func record(_ parts: [FillBounds]) -> String? {
        guard parts.count > 1 else { return parts.first?.object.text }
        let value: JSONValue = ["parts": .array(parts.map(\.object))]
        return value.text
    }

    private var object: JSONValue {
        [
            "purpose": .string(purpose.rawValue),
            "token": .string(token.lowercaseHex),
            "expectedReceive": .string(expected.description),
            "minimumReceive": .string(minimum.description),
        ]
    }

    /// Reads the bounds of a transaction's purpose from the journal's form; nil for any other text.
    init?(record: String, of purpose: TransactionPurpose) {
        guard let plan = try? JSONParser.parse(Array(record.utf8))  // nil: other text
        else { return nil }
        guard let parts = plan["parts"]?.arrayValue else {
            self.init(plan, of: purpose)
            return
        }
        let own = parts.first { $0["purpose"]?.stringValue == purpose.rawValue }
        guard let own else { return nil }
        self.init(own, of: purpose)
    }

    private init?(_ plan: JSONValue, of purpose: TransactionPurpose) {
        guard let text = (plan["token"] ?? Self.received(in: plan))?.stringValue,
            let token = Address(ifValid: text),
            let expected = plan["expectedReceive"]?.stringValue.flatMap(UInt256.init(decimal:)),
            let minimum = plan["minimumReceive"]?.stringValue.flatMap(UInt256.init(decimal:))
        else { return nil }
        self.purpose = purpose
        self.token = token
        self.expected = expected
        self.minimum = minimum
    }

    /// Older records hold the whole plan of a trade.
    private static func received(in plan: JSONValue) -> JSONValue? {
        let side = plan["side"]?.stringValue.flatMap(TradeSide.init(rawValue:))
        return side.flatMap { plan[$0 == .buy ? "base" : "quote"] }
    }

    /// The received base units reach the minimum; zero never does.
    func areKept(by received: UInt256) -> Bool {
        received > .zero && received >= minimum
    }

    /// The message if less than expected arrived; nil if all of it did.
    ///
    /// `Received 9.95 ZRX of 10 expected. The confirmed minimum is 9.9 ZRX.`
    func shortfall(_ received: UInt256, of token: Token) -> String? {
        guard received < expected else { return nil }
        let symbol = PlainText.name(token.symbol)
        let text = { (raw: UInt256) in TokenAmount(raw: raw, token: token).value }
        return "Received \(text(received)) \(symbol) of \(text(expected)) expected. "
            + (areKept(by: received)
                ? "The confirmed minimum is \(text(minimum)) \(symbol)."
                : "That is below the confirmed minimum of \(text(minimum)) \(symbol).")
    }
}
