import Ethereum
import Testing

@testable import ZeroEx

@Suite("v4 arithmetic")
struct FillMathV4Tests {
    @Test("partial amounts are floor and ceiling of the exact quotient, for all small numbers")
    func small() {
        for part in 0...9 as ClosedRange<UInt128> {
            for whole in 1...9 as ClosedRange<UInt128> {
                for target in 0...9 as ClosedRange<UInt128> {
                    let product = part * target
                    #expect(
                        FillMathV4.partialAmount(part: part, of: whole, target: target)
                            == product / whole
                    )
                    #expect(
                        FillMathV4.partialAmountRoundedUp(part: part, of: whole, target: target)
                            == (product + whole - 1) / whole
                    )
                }
            }
        }
    }

    @Test("products of 256 bits do not overflow, results above 128 bits are none")
    func bounds() {
        let maximum = UInt128.max
        #expect(FillMathV4.partialAmount(part: maximum, of: maximum, target: maximum) == maximum)
        #expect(
            FillMathV4.partialAmountRoundedUp(part: maximum, of: maximum, target: maximum)
                == maximum
        )
        #expect(
            FillMathV4.partialAmount(part: maximum - 1, of: maximum, target: maximum) == maximum - 1
        )
        #expect(FillMathV4.partialAmount(part: maximum, of: maximum - 1, target: maximum) == nil)
        #expect(FillMathV4.partialAmount(part: maximum, of: 1, target: 2) == nil)
        #expect(FillMathV4.partialAmountRoundedUp(part: maximum, of: 1, target: 2) == nil)
        #expect(FillMathV4.partialAmount(part: 1, of: 0, target: 1) == nil)
        #expect(FillMathV4.partialAmountRoundedUp(part: 0, of: 0, target: 0) == nil)
        // 2^128 - 1 = 3 x 5 x …: rounding up by one is still 128 bits.
        #expect(FillMathV4.partialAmountRoundedUp(part: maximum, of: 2, target: 2) == maximum)
        #expect(
            FillMathV4.partialAmountRoundedUp(part: maximum, of: 2, target: 1) == maximum / 2 + 1
        )
    }

    @Test("a fill takes no more than is left, and nothing of an order that is overfilled")
    func takerAmounts() {
        func filled(_ asked: UInt128, _ amount: UInt128, _ filled: UInt128) -> UInt128 {
            FillMathV4.takerAmount(asked: asked, orderTakerAmount: amount, filled: filled)
        }
        #expect(filled(5, 10, 0) == 5)
        #expect(filled(50, 10, 4) == 6)
        #expect(filled(50, 10, 10) == 0)
        #expect(filled(50, 10, 11) == 0)
        #expect(filled(0, 10, 0) == 0)
        #expect(filled(.max, .max, 0) == .max)
    }

    @Test("the least fill for a payout pays it, and one less does not")
    func minimumFill() {
        for maker in 1...12 as ClosedRange<UInt128> {
            for taker in 1...12 as ClosedRange<UInt128> {
                for wanted in 1...13 as ClosedRange<UInt128> {
                    let fill = FillMathV4.takerAmount(
                        orderMakerAmount: maker,
                        orderTakerAmount: taker,
                        for: wanted
                    )
                    let brute = (0...taker).first { $0 * maker / taker >= wanted }
                    #expect(fill == brute, "\(wanted) of \(maker) for \(taker)")
                }
            }
        }
        #expect(
            FillMathV4.takerAmount(orderMakerAmount: 0, orderTakerAmount: 5, for: 0) == nil
        )
        #expect(
            FillMathV4.takerAmount(orderMakerAmount: 5, orderTakerAmount: 5, for: 0) == 0
        )
    }

    @Test("the fillable amount is the contract's: down to maker token, bounded, and up again")
    func fillable() {
        func fillable(
            _ maker: UInt128,
            _ taker: UInt128,
            _ filled: UInt128,
            _ funds: UInt256
        ) -> UInt128 {
            FillMathV4.fillableTakerAmount(
                orderMakerAmount: maker,
                orderTakerAmount: taker,
                filled: filled,
                makerFunds: funds
            )
        }
        #expect(fillable(1_000, 3_000, 100, .max) == 2_898)
        #expect(fillable(1_000, 3_000, 0, .max) == 3_000)
        #expect(fillable(1_000, 3_000, 0, 1) == 3)
        #expect(fillable(1_000, 3_000, 0, 0) == 0)
        #expect(fillable(1_000, 3_000, 3_000, .max) == 0)
        #expect(fillable(1_000, 3_000, 3_001, .max) == 0)
        #expect(fillable(0, 3_000, 0, .max) == 0)
        #expect(fillable(1_000, 0, 0, .max) == 0)
        #expect(fillable(.max, .max, 0, .max) == .max)
        #expect(fillable(.max, 1, 0, UInt256(UInt128.max) - 1) == 1)
        #expect(fillable(1, .max, 0, 1) == .max)
        // 1000 for 2000, of which the vectors filled 10 and 12.
        #expect(fillable(1_000, 2_000, 10, .max) == 1_990)
        #expect(fillable(1_000, 2_000, 12, .max) == 1_988)
    }
}
