import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A fee of the exchange's own goes by the price of gas, and is bounded with it")
struct ProtocolFeeTests {
    /// At most 2.1 gwei for a unit of gas.
    private static let fees = FeeSnapshot(
        coin: .ether,
        baseFee: Wei(1_000_000_000),
        tips: [.market: Wei(100_000_000)],
        gasPrice: nil
    )
    private static let maximum = Wei(2_100_000_000)

    private func plan(
        ether: UInt256 = TestMarket.units("1"),
        cap: UInt256 = TestMarket.units("0.5"),
        value: Wei = .zero
    ) throws -> GasPlan {
        var settings = TradeSettings()
        settings.feeCap = Wei(cap)
        return try GasPricing.plan(
            [40_000, 60_000].map {
                GasLimit(units: $0, needed: $0, request: CallRequest(to: .zero, data: []))
            },
            protocolFeeGas: 70_000,
            fees: Self.fees,
            ether: Wei(ether),
            value: value,
            settings: settings
        )
    }

    @Test("a plan tells it beside the gas, and both must be owned")
    func reported() throws {
        let plan = try plan()
        #expect(plan.maxFeePerGas == Self.maximum)
        #expect(plan.maxCost == Self.maximum.multiplied(by: 100_000))
        #expect(plan.protocolFee == Self.maximum.multiplied(by: 70_000))
        #expect(!plan.isCapped)
        let needed = Self.maximum.rawValue * 170_000
        #expect(try self.plan(ether: needed).protocolFee == plan.protocolFee)
        let error = #expect(throws: DexError.self) { try self.plan(ether: needed - 1) }
        #expect(error?.code == "insufficient-ether")
        #expect(error?.message.contains("go along") == true)
        let withValue = #expect(throws: DexError.self) {
            try self.plan(ether: needed, value: Wei(1))
        }
        #expect(withValue?.code == "insufficient-ether")
    }

    @Test("the cap holds for the gas and the fee together")
    func capped() throws {
        let cap = UInt256(1_500_000_000) * 170_000
        let plan = try plan(cap: cap)
        #expect(plan.isCapped)
        #expect(plan.maxFeePerGas == Wei(1_500_000_000))
        #expect(plan.maxCost.rawValue + plan.protocolFee.rawValue == cap)
        let error = #expect(throws: DexError.self) {
            try self.plan(cap: UInt256(1_000_000_000) * 170_000 - 1)
        }
        #expect(error?.code == "fee-cap")
    }

    @Test("what was confirmed bounds both at the price of the last look")
    func budget() throws {
        let plan = try plan()
        var budget = GasBudget(Limits(gas: plan).gas, overrides: FeeOverrides())
        #expect(budget.left.rawValue == plan.maxCost.rawValue + plan.protocolFee.rawValue)
        #expect(
            try budget.fee(Self.fees, limit: 100_000, protocolFeeGas: 70_000).maximum
                == Self.maximum
        )
        // Without the fee the same gas could be dearer: with it the price is cut.
        let expensive = FeeSnapshot(
            coin: .ether,
            baseFee: Wei(2_000_000_000),
            tips: [.market: Wei(100_000_000)],
            gasPrice: nil
        )
        #expect(
            try budget.fee(expensive, limit: 100_000, protocolFeeGas: 70_000).maximum
                == Self.maximum
        )
        budget.spend(Wei(plan.protocolFee.rawValue))
        let error = #expect(throws: DexError.self) {
            try budget.fee(expensive, limit: 100_000, protocolFeeGas: 70_000)
        }
        #expect(error?.code == "fees-rose")
    }

    @Test("without such a fee a plan is what it was")
    func none() throws {
        let plan = try GasPricing.plan(
            [GasLimit(units: 100_000, needed: 100_000, request: CallRequest(to: .zero, data: []))],
            fees: Self.fees,
            ether: Wei(TestMarket.units("1")),
            settings: TradeSettings()
        )
        #expect(plan.protocolFee == .zero)
        #expect(GasBudget(Limits(gas: plan).gas, overrides: FeeOverrides()).left == plan.maxCost)
    }
}
