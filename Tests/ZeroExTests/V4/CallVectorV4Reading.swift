import Ethereum
import StrictJSON

@testable import ZeroEx

extension CallDataV4Tests {
    /// The call that a vector's arguments describe.
    static func call(_ signature: String, _ arguments: [JSONValue]) throws -> ExchangeCallV4 {
        let name = String(signature.prefix { $0 != "(" })
        guard let function = ExchangeFunctionV4.allCases.first(where: { $0.name == name }) else {
            throw VectorError(what: "unknown function \(name)")
        }
        switch function.orderCall {
        case (let verb, .limit)?: return .limit(try orderCall(verb, arguments))
        case (let verb, .rfq)?: return .rfq(try orderCall(verb, arguments))
        case nil:
            guard function == .getProtocolFeeMultiplier else {
                throw VectorError(what: "no vector is about \(name)")
            }
            return .getProtocolFeeMultiplier
        }
    }

    private static func orderCall<Order: NativeOrderV4>(
        _ verb: OrderVerbV4,
        _ arguments: [JSONValue]
    ) throws -> OrderCallV4<Order> {
        switch verb {
        case .fill:
            return .fill(
                try order(arguments[0]),
                try signature(arguments[1]),
                amount: try amount(arguments[2])
            )
        case .fillOrKill:
            return .fillOrKill(
                try order(arguments[0]),
                try signature(arguments[1]),
                amount: try amount(arguments[2])
            )
        case .batchFill:
            return .batchFill(
                try list(arguments[0]).map { try order($0) },
                try list(arguments[1]).map { try signature($0) },
                amounts: try list(arguments[2]).map { try amount($0) },
                revertIfIncomplete: arguments[3] == true
            )
        case .cancel: return .cancel(try order(arguments[0]))
        case .batchCancel: return .batchCancel(try list(arguments[0]).map { try order($0) })
        case .cancelPair:
            return .cancelPair(
                PairCancelV4(
                    makerToken: Address(truncating: try word(arguments[0])),
                    takerToken: Address(truncating: try word(arguments[1])),
                    minValidSalt: UInt256(try word(arguments[2]))
                )
            )
        case .info: return .info(try order(arguments[0]))
        case .relevantState:
            return .relevantState(try order(arguments[0]), try signature(arguments[1]))
        case .batchRelevantStates:
            return .batchRelevantStates(
                try list(arguments[0]).map { try order($0) },
                try list(arguments[1]).map { try signature($0) }
            )
        case .hash: return .hash(try order(arguments[0]))
        case .batchCancelPair, .cancelPairWithSigner:
            throw VectorError(what: "no vector is about \(verb)")
        }
    }

    private static func list(_ json: JSONValue) throws -> [JSONValue] {
        guard let values = json.arrayValue else { throw VectorError(what: "no list") }
        return values
    }

    private static func order<Order: NativeOrderV4>(_ json: JSONValue) throws -> Order {
        guard let order = Order(words: try list(json).map(word)) else {
            throw VectorError(what: "no order")
        }
        return order
    }

    private static func signature(_ json: JSONValue) throws -> SignatureV4 {
        let words = try list(json).map(word)
        guard words.count == 4 else { throw VectorError(what: "no signature") }
        return SignatureV4(
            type: UInt8(truncatingIfNeeded: UInt256(words[0])),
            v: UInt8(truncatingIfNeeded: UInt256(words[1])),
            r: words[2],
            s: words[3]
        )
    }

    private static func amount(_ json: JSONValue) throws -> UInt128 {
        guard let amount = UInt256(try word(json)).uint128 else {
            throw VectorError(what: "no amount")
        }
        return amount
    }

    /// A decimal number, an address or 32 bytes.
    private static func word(_ json: JSONValue) throws -> Bytes32 {
        let text = json.stringValue ?? ""
        if let number = UInt256(decimal: text) { return number.word }
        return text.utf8.count == 42 ? try Address(lenient: text).word : try Bytes32(hex: text)
    }
}
