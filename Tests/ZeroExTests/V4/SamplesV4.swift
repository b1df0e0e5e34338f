import Ethereum
import EthereumWallet
import StrictJSON

@testable import ZeroEx

/// v4 orders that a test changes at will.
enum SamplesV4 {
    static let domain = ExchangeDomainV4(chainID: 1337, exchange: SampleOrder.exchange)

    static var limit: LimitOrderV4 {
        LimitOrderV4(
            makerToken: SampleOrder.address(0x71),
            takerToken: SampleOrder.address(0x72),
            makerAmount: 1_000,
            takerAmount: 3_000,
            takerTokenFeeAmount: 30,
            maker: SampleOrder.address(0xA1),
            taker: SampleOrder.address(0xA2),
            sender: SampleOrder.address(0xA3),
            feeRecipient: SampleOrder.address(0xA4),
            pool: UInt256(5).word,
            expiry: 1_750_003_600,
            salt: 7
        )
    }

    static var rfq: RfqOrderV4 {
        RfqOrderV4(
            makerToken: SampleOrder.address(0x71),
            takerToken: SampleOrder.address(0x72),
            makerAmount: 1_000,
            takerAmount: 3_000,
            maker: SampleOrder.address(0xA1),
            taker: SampleOrder.address(0xA2),
            txOrigin: SampleOrder.address(0xA5),
            pool: UInt256(5).word,
            expiry: 1_750_003_600,
            salt: 7
        )
    }

    static let signature = SignatureV4(type: 2, v: 27, r: UInt256(1).word, s: UInt256(2).word)

    /// Every call that there is of orders of a kind.
    static func calls<Order: NativeOrderV4>(_ order: Order) -> [OrderCallV4<Order>] {
        let pair = PairCancelV4(
            makerToken: order.makerToken,
            takerToken: order.takerToken,
            minValidSalt: 99
        )
        let other = SignatureV4(type: 3, v: 28, r: .zero, s: UInt256.max.word)
        return [
            .fill(order, signature, amount: 5),
            .fillOrKill(order, signature, amount: .max),
            .batchFill(
                [order, order],
                [signature, other],
                amounts: [1, 2],
                revertIfIncomplete: true
            ),
            .batchFill([], [], amounts: [], revertIfIncomplete: false),
            .cancel(order),
            .batchCancel([order, order, order]),
            .cancelPair(pair),
            .batchCancelPair(
                makerTokens: [order.makerToken],
                takerTokens: [order.takerToken],
                minValidSalts: [.max]
            ),
            .cancelPairWithSigner(maker: order.maker, pair),
            .info(order),
            .relevantState(order, other),
            .batchRelevantStates([order], [signature]),
            .hash(order),
        ]
    }

    /// Every call that there is.
    static var allCalls: [ExchangeCallV4] {
        let address = SampleOrder.address(0x77)
        return calls(limit).map(ExchangeCallV4.limit) + calls(rfq).map(ExchangeCallV4.rfq) + [
            .getProtocolFeeMultiplier,
            .registerAllowedRfqOrigins([address, .zero], allowed: true),
            .registerAllowedOrderSigner(address, allowed: false),
            .isValidOrderSigner(maker: address, signer: .zero),
        ]
    }
}

/// The value that a vector's JSON describes for a type of the contract ABI.
func abiValue(_ json: JSONValue, as type: ABIType) throws -> ABIValue {
    switch (type, json) {
    case (.array(let element), .array(let values)):
        return .array(try values.map { try abiValue($0, as: element) })
    case (.tuple(let members), .array(let values)):
        return .tuple(try zip(values, members).map { try abiValue($0, as: $1) })
    case (.bool, .bool(let flag)): return .bool(flag)
    case (_, .string(let text)): return try ABIText.parse(text, as: type)
    default: throw VectorError(what: "no value of \(type.name)")
    }
}
