import Ethereum
import Testing

@testable import ZeroEx

@Suite("v1 fill arithmetic")
struct FillMathV1Tests {
    private let zeroEx = ZeroExV1()

    @Test("partial amounts are rounded down")
    func partialAmounts() {
        let partial = FillMathV1.partialAmount
        #expect(partial(1_000_003, 3_000_000, 7_000_001) == 2_333_340)
        #expect(partial(1, 3, 2) == 0)
        #expect(partial(3, 3, 2) == 2)
        #expect(partial(0, 3, 2) == 0)
    }

    @Test("a product beyond 256 bits, or no denominator, is a failure and not a number")
    func overflow() {
        let half = UInt256(1) << 128
        #expect(FillMathV1.partialAmount(numerator: half, denominator: 1, target: half) == nil)
        #expect(
            FillMathV1.partialAmount(numerator: half, denominator: half, target: half - 1)
                == half - 1
        )
        #expect(FillMathV1.partialAmount(numerator: 1, denominator: 0, target: 1) == nil)
        #expect(FillMathV1.partialAmount(numerator: .max, denominator: .max, target: 2) == nil)
    }

    @Test(
        "the rounding rule at its edges, as the contracts answered",
        arguments: [
            // numerator, denominator, target, is an error
            (3, 2000, 1000, true), (1000, 1998, 1000, false), (1, 1, 1, false), (0, 7, 5, false),
            (1, 3, 2, true), (1, 0, 5, false), (2000, 2000, 1000, false), (999, 2000, 2, true),
        ] as [(UInt256, UInt256, UInt256, Bool)]
    )
    func rounding(numerator: UInt256, denominator: UInt256, target: UInt256, isError: Bool) {
        #expect(
            FillMathV1.isRoundingError(
                numerator: numerator,
                denominator: denominator,
                target: target
            ) == isError
        )
    }

    @Test("the rounding rule fails where the contract's own multiplications overflow")
    func roundingOverflow() {
        let big = UInt256(1) << 255
        // The remainder is zero: nothing is multiplied.
        #expect(FillMathV1.isRoundingError(numerator: big, denominator: 2, target: 4) == false)
        // numerator x target exceeds 256 bits.
        #expect(FillMathV1.isRoundingError(numerator: big, denominator: 3, target: 4) == nil)
        // remainder x 1000000 exceeds 256 bits.
        #expect(FillMathV1.isRoundingError(numerator: big, denominator: .max, target: 1) == nil)
    }

    /// Plain loops over small orders, written from the rule's words alone.
    private func accepts(_ fill: UInt64, _ makerAmount: UInt64, _ takerAmount: UInt64) -> Bool {
        let product = fill * makerAmount
        let remainder = product % takerAmount
        return remainder == 0 || remainder * 1_000_000 / product <= 1000
    }

    static let smallOrders: [(UInt64, UInt64)] = [
        (1, 1), (1, 7), (7, 1), (2, 3), (3, 2), (10, 7), (7, 10), (1000, 999), (999, 1000),
        (1500, 7), (7, 1500), (1234, 777), (777, 1234), (2500, 2501), (3, 1000), (1000, 3),
    ]

    @Test(
        "the taker amount for a wanted payout is the least that is accepted",
        arguments: smallOrders
    )
    func takerAmounts(makerAmount: UInt64, takerAmount: UInt64) {
        for wanted in 1...(makerAmount + 1) {
            let expected = (1...takerAmount).first { fill in
                fill * makerAmount / takerAmount >= wanted
                    && accepts(fill, makerAmount, takerAmount)
            }
            let found = FillMathV1.takerAmount(
                orderMakerAmount: UInt256(makerAmount),
                orderTakerAmount: UInt256(takerAmount),
                for: UInt256(wanted)
            )
            #expect(found == expected.map { UInt256($0) }, "\(wanted) of \(makerAmount)")
        }
    }

    @Test("the largest fill under a limit is the largest that is accepted", arguments: smallOrders)
    func largestFills(makerAmount: UInt64, takerAmount: UInt64) {
        for limit in 0...(takerAmount + 1) {
            let expected = (0...min(limit, takerAmount)).last { fill in
                fill > 0 && fill * makerAmount / takerAmount > 0
                    && accepts(fill, makerAmount, takerAmount)
            }
            let found = FillMathV1.largestFill(
                orderMakerAmount: UInt256(makerAmount),
                orderTakerAmount: UInt256(takerAmount),
                upTo: UInt256(limit)
            )
            #expect(found == expected.map { UInt256($0) }, "\(limit) of \(takerAmount)")
        }
    }

    @Test("with real amounts a payout is reached within one unit of taker token")
    func realAmounts() throws {
        // 18981000000000000 WETH for 19 ZRX, a real order.
        let order = try SampleOrder(18_981_000_000_000_000, 19_000_000_000_000_000_000).unsigned
        let wanted: UInt256 = 1_234_567_890_123_456
        let fill = try #require(zeroEx.takerAmount(of: order, for: wanted))
        #expect(try #require(zeroEx.makerAmount(of: order, filling: fill)) >= wanted)
        #expect(try #require(zeroEx.makerAmount(of: order, filling: fill - 1)) < wanted)
        #expect(zeroEx.largestFill(of: order, upTo: fill) == fill)
        #expect(zeroEx.largestFill(of: order, upTo: .max) == order.takerAmount)
    }

    @Test("no fill pays out more than the order has")
    func tooMuch() throws {
        let order = try SampleOrder().unsigned
        #expect(zeroEx.takerAmount(of: order, for: 101) == nil)
        #expect(zeroEx.takerAmount(of: order, for: 100) == 200)
        #expect(zeroEx.takerAmount(of: order, for: .max) == nil)
    }

    @Test("amounts near 2^256 end in nil and never in a trap or a long loop")
    func extremes() throws {
        let amounts: [UInt256] = [
            1, 2, 1000, 1 << 64, 1 << 127, 1 << 128, (1 << 128) + 1, 1 << 236, 1 << 255, .max - 1,
            .max,
        ]
        for makerAmount in amounts {
            for takerAmount in amounts {
                let order = try SampleOrder(makerAmount, takerAmount).unsigned
                for amount in amounts {
                    if let fill = zeroEx.takerAmount(of: order, for: amount) {
                        let paid = try #require(zeroEx.makerAmount(of: order, filling: fill))
                        #expect(paid >= amount)
                        #expect(fill <= takerAmount)
                        #expect(!zeroEx.hasRoundingError(order, filling: fill))
                    }
                    if let fill = zeroEx.largestFill(of: order, upTo: amount) {
                        #expect(fill <= amount && fill <= takerAmount)
                        #expect(zeroEx.makerAmount(of: order, filling: fill) != nil)
                        #expect(!zeroEx.hasRoundingError(order, filling: fill))
                    }
                }
            }
        }
    }

    @Test("fees are rounded down, void without a recipient, and unpayable where they overflow")
    func fees() throws {
        var sample = SampleOrder()
        sample.draft.fees = OrderFees(
            recipient: SampleOrder.address(0xFE),
            makerFee: 7,
            takerFee: .max
        )
        let order = try sample.unsigned
        #expect(zeroEx.makerFee(of: order, filling: 30) == 1)
        #expect(zeroEx.takerFee(of: order, filling: 1) == UInt256.max / 200)
        #expect(zeroEx.takerFee(of: order, filling: 2) == .max)
        #expect(zeroEx.makerAmount(of: order, filling: 2) == nil, "the contract fails")
        #expect(zeroEx.makerAmount(of: order, filling: 1) == 0)
        sample.draft.fees.recipient = .zero
        #expect(zeroEx.takerFee(of: try sample.unsigned, filling: 100) == 0)
        #expect(zeroEx.makerAmount(of: try sample.unsigned, filling: 2) == 1)
    }
}
