import Ethereum
import Testing

@testable import DexSandbox
@testable import ZeroEx

@Suite("Call data of v4, read by the contract's own decoder")
struct ProxyCalldataTests {
    /// Every member has a value of its own, so that none can stand for another.
    private static func limit(_ seed: UInt64) -> LimitOrderV4 {
        LimitOrderV4(
            makerToken: address(seed + 1),
            takerToken: address(seed + 2),
            makerAmount: UInt128(seed + 3) << 64,
            takerAmount: UInt128(seed + 4) << 64,
            takerTokenFeeAmount: UInt128(seed + 5) << 64,
            maker: address(seed + 6),
            taker: address(seed + 7),
            sender: address(seed + 8),
            feeRecipient: address(seed + 9),
            pool: UInt256(seed + 10).word,
            expiry: seed + 11,
            salt: UInt256(seed + 12) << 128
        )
    }

    private static func rfq(_ seed: UInt64) -> RfqOrderV4 {
        RfqOrderV4(
            makerToken: address(seed + 1),
            takerToken: address(seed + 2),
            makerAmount: UInt128(seed + 3) << 64,
            takerAmount: UInt128(seed + 4) << 64,
            maker: address(seed + 5),
            taker: address(seed + 6),
            txOrigin: address(seed + 7),
            pool: UInt256(seed + 8).word,
            expiry: seed + 9,
            salt: UInt256(seed + 10) << 128
        )
    }

    private static func signature(_ seed: UInt8) -> SignatureV4 {
        SignatureV4(
            type: seed,
            v: seed + 1,
            r: UInt256(UInt64(seed) + 2).word,
            s: UInt256(UInt64(seed) + 3).word
        )
    }

    private static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    private static func calls<Order>(_ order: (UInt64) -> Order) -> [OrderCallV4<Order>] {
        let (one, two) = (order(100), order(200))
        let pair = PairCancelV4(makerToken: address(31), takerToken: address(32), minValidSalt: 33)
        return [
            .fill(one, signature(2), amount: 7), .fillOrKill(one, signature(2), amount: .max),
            .batchFill(
                [one, two],
                [signature(2), signature(12)],
                amounts: [7, 8],
                revertIfIncomplete: true
            ),
            .batchFill([], [], amounts: [], revertIfIncomplete: false), .cancel(one),
            .batchCancel([one, two]), .cancelPair(pair),
            .batchCancelPair(
                makerTokens: [address(41), address(42)],
                takerTokens: [address(43), address(44)],
                minValidSalts: [45, .max]
            ),
            .cancelPairWithSigner(maker: address(51), pair), .info(one),
            .relevantState(one, signature(2)),
            .batchRelevantStates([one, two], [signature(2), signature(12)]), .hash(one),
        ]
    }

    private static let all: [ExchangeCallV4] =
        calls(limit).map { .limit($0) } + calls(rfq).map { .rfq($0) } + [
            .getProtocolFeeMultiplier,
            .registerAllowedRfqOrigins([address(1), address(2)], allowed: true),
            .registerAllowedOrderSigner(address(3), allowed: false),
            .isValidOrderSigner(maker: address(4), signer: address(5)),
        ]

    @Test("it reads what ZeroEx writes, for every function")
    func everyFunction() throws {
        #expect(Set(Self.all.map(\.function)) == Set(ExchangeFunctionV4.allCases))
        for call in Self.all {
            let read = try ExchangeCallV4(call.function, calldata: call.data)
            #expect(read == call, "\(call.function.name)")
        }
    }

    @Test("call data that is cut off reverts without data, and more behind it changes nothing")
    func length() throws {
        for call in Self.all where call.data.count > 4 {
            let data = call.data
            #expect(throws: CallFailure.revert([])) {
                try ExchangeCallV4(call.function, calldata: data.dropLast())
            }
            let longer = try ExchangeCallV4(call.function, calldata: data + [1, 2, 3])
            #expect(longer == call, "\(call.function.name)")
        }
    }

    @Test("a value that its type cannot have reverts without data")
    func values() throws {
        let fill = ExchangeCallV4.limit(.fill(Self.limit(100), Self.signature(2), amount: 7))
        // By word: an address, amounts of 128 bits, an expiry of 64, a type of 8.
        for word in [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16] {
            var data = fill.data
            data[4 + 32 * word] = 1
            #expect(throws: CallFailure.revert([]), "\(word)") {
                try ExchangeCallV4(fill.function, calldata: data)
            }
        }
        // The pool, the salt and the signature's two words may be anything.
        for word in [9, 11, 14, 15] {
            var data = fill.data
            data[4 + 32 * word] = 1
            #expect(try ExchangeCallV4(fill.function, calldata: data) != fill)
        }
    }
}
