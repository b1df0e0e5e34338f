import DexRelay
import Ethereum
import Testing
import ZeroEx

@Suite struct FeeScheduleTests {
    private static let direction = PairDirection(
        makerToken: RelayFixture.zrx,
        takerToken: RelayFixture.weth
    )

    private func fees(_ rule: FeeSchedule.Rule, of takerAmount: UInt256) -> OrderFees {
        FeeSchedule(recipient: RelayFixture.feeRecipient, rules: [Self.direction: rule])
            .fees(Self.direction, takerAmount: takerAmount)
    }

    @Test("a share goes by what the taker pays, rounded down, and comes to what is fixed")
    func share() {
        let rule = FeeSchedule.Rule(makerFee: 0, takerFee: 0, takerShare: 250)
        for (amount, fee) in [(0, 0), (3_999, 0), (4_000, 1), (1_000_000, 250)]
            as [(UInt64, UInt64)]
        {
            #expect(fees(rule, of: UInt256(amount)).takerFee == UInt256(fee))
        }
        let both = FeeSchedule.Rule(makerFee: 1, takerFee: 7, takerShare: 250)
        let wanted = fees(both, of: 1_000_000)
        #expect(wanted.takerFee == 257 && wanted.makerFee == 1)
        #expect(wanted.recipient == RelayFixture.feeRecipient)
    }

    @Test("a share of any number is a number")
    func extremes() {
        let rule = FeeSchedule.Rule(makerFee: 0, takerFee: .max, takerShare: .max)
        #expect(fees(rule, of: .max).takerFee == .max)
        let whole = FeeSchedule.Rule(makerFee: 0, takerFee: 0, takerShare: 1_000_000)
        #expect(fees(whole, of: .max).takerFee == .max)
    }

    @Test(
        "both directions of a pair have its rule; others, and those without a recipient, are free"
    )
    func pairs() {
        let rule = FeeSchedule.Rule(makerFee: 0, takerFee: 0, takerShare: 1_000)
        let back = PairDirection(makerToken: RelayFixture.weth, takerToken: RelayFixture.zrx)
        let other = PairDirection(makerToken: RelayFixture.dai, takerToken: RelayFixture.weth)
        let schedule = FeeSchedule(
            recipient: RelayFixture.feeRecipient,
            rules: [Self.direction: rule]
        )
        #expect(schedule.fees(back, takerAmount: 5_000).takerFee == 5)
        #expect(schedule.fees(other, takerAmount: 5_000) == .none)
        let nobody = FeeSchedule(recipient: .zero, rules: [Self.direction: rule])
        #expect(nobody.fees(Self.direction, takerAmount: 5_000) == .none)
    }
}
