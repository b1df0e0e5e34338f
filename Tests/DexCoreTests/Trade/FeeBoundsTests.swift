import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a node says of fees is believed within bounds, unless a price was asked for")
struct FeeBoundsTests {
    private static let gwei: UInt256 = 1_000_000_000

    /// A chain whose fees are so many gwei, as a node has it.
    private func fees(
        base: UInt256?,
        tip: UInt256 = 0,
        gasPrice: UInt256? = nil
    ) -> FeeSnapshot {
        FeeSnapshot(
            coin: .ether,
            baseFee: base.map { Wei($0 * Self.gwei) },
            tips: [.low: tip, .market: tip, .high: tip].mapValues { Wei($0 * Self.gwei) },
            gasPrice: gasPrice.map { Wei($0 * Self.gwei) }
        )
    }

    private func plan(
        _ fees: FeeSnapshot,
        gas: UInt64 = 23_100,
        moved: Wei? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> GasPlan {
        var settings = TradeSettings()
        change(&settings)
        return try GasPricing.plan(
            [GasLimit(units: gas, needed: gas, request: CallRequest(to: .zero, data: []))],
            fees: fees,
            ether: Wei(TestMarket.units("100")),
            moved: moved,
            settings: settings
        )
    }

    private func tip(_ plan: GasPlan) -> UInt256? {
        plan.maxPriorityFeePerGas.map { $0.rawValue / Self.gwei }
    }

    // MARK: Tips

    @Test("tips of 20,000 gwei over a base fee near zero are paid with 3 gwei, and it is told")
    func lyingHistory() throws {
        let plan = try plan(fees(base: 0, tip: 20_000))
        #expect(tip(plan) == 3)
        #expect(plan.maxFeePerGas == Wei(3 * Self.gwei))
        #expect(plan.warnings.contains { $0.contains("20000 gwei") && $0.contains("--max-fee") })
    }

    @Test(
        "an unasked tip is at most 3 gwei or the base fee, and never above 50 gwei",
        arguments: [
            (base: 0, reported: 2, paid: 2), (1, 4, 3), (20, 15, 15), (20, 25, 20), (30, 30, 30),
            (400, 90, 50), (20_000, 20_000, 50),
        ] as [(base: UInt256, reported: UInt256, paid: UInt256)]
    )
    func bounds(base: UInt256, reported: UInt256, paid: UInt256) throws {
        let settings = { (settings: inout TradeSettings) in settings.feeCap = Wei(.max >> 8) }
        let plan = try plan(fees(base: base, tip: reported), gas: 1, settings)
        #expect(tip(plan) == paid)
        #expect(plan.warnings.isEmpty == (reported == paid))
    }

    @Test("a priority that was asked for may pay 50 gwei, and --max-fee all that it names")
    func asked() throws {
        let lie = fees(base: 0, tip: 20_000)
        for priority in FeePriority.allCases {
            #expect(try tip(plan(lie) { $0.fees.priority = priority }) == 50)
        }
        let named = try plan(lie) { $0.fees.maxFee = Wei(90 * Self.gwei) }
        #expect(tip(named) == 90 && named.warnings.isEmpty)
        // What the configuration says is usual was not asked for now.
        #expect(try tip(plan(lie) { $0.fees.usual = .high }) == 3)
    }

    // MARK: The cap

    @Test("the usual cap goes by the command: 500 gwei for each unit of gas, 0.5 ether at most")
    func cap() throws {
        // 500 x 23,100 gwei: base fees of 300 are cut from 600 to it, of 501 refused.
        let cut = try plan(fees(base: 300))
        #expect(cut.isCapped && cut.maxFeePerGas == Wei(500 * Self.gwei))
        let refused = #expect(throws: DexError.self) { try plan(fees(base: 501)) }
        #expect(refused?.code == "fee-cap" && refused?.message.contains("0.01155 ETH") == true)
        #expect(refused?.hint?.contains("--max-gas-cost") == true)
        // A large trade has no more than before.
        let large = try plan(fees(base: 300), gas: 1_250_000)
        #expect(large.isCapped && large.maxCost == Wei(TestMarket.units("0.5")))
    }

    @Test("a gas price that a node lies about is over the cap of a small command")
    func lyingGasPrice() throws {
        let refused = #expect(throws: DexError.self) {
            try plan(fees(base: nil, gasPrice: 20_000))
        }
        #expect(refused?.code == "fee-cap" && refused?.exit == .refused)
        #expect(try plan(fees(base: nil, gasPrice: 500)).maxFeePerGas == Wei(500 * Self.gwei))
    }

    @Test("a cap or a price that was told holds in place of the usual cap")
    func toldCap() throws {
        let own = try plan(fees(base: 900)) { $0.feeCap = Wei(TestMarket.units("0.1")) }
        #expect(!own.isCapped && own.maxFeePerGas == Wei(1_800 * Self.gwei))
        let price = try plan(fees(base: nil, gasPrice: 1)) {
            $0.fees.gasPrice = Wei(900 * Self.gwei)
        }
        #expect(price.maxFeePerGas == Wei(900 * Self.gwei))
        let maximum = try plan(fees(base: 1)) { $0.fees.maxFee = Wei(900 * Self.gwei) }
        #expect(maximum.maxFeePerGas == Wei(900 * Self.gwei))
        // Never more than half an ether, unless that was told too.
        let refused = #expect(throws: DexError.self) {
            try plan(fees(base: 1)) { $0.fees.maxFee = Wei(90_000 * Self.gwei) }
        }
        #expect(refused?.code == "fee-cap")
    }

    // MARK: What is moved

    @Test("gas above what is moved is refused without a flag, and told with it")
    func aboveMoved() throws {
        let moved = Wei(TestMarket.units("0.0001"))
        let busy = fees(base: 100)
        let refused = #expect(throws: DexError.self) { try plan(busy, moved: moved) }
        #expect(refused?.code == "gas-above-value" && refused?.exit == .refused)
        #expect(refused?.message.contains("0.00231 ETH") == true)
        #expect(refused?.message.contains("0.0001 ETH") == true)
        #expect(refused?.hint?.contains("--allow-high-gas") == true)
        let allowed = try plan(busy, moved: moved) { $0.allowsHighGas = true }
        #expect(allowed.warnings.contains { $0.contains("NETWORK FEE") })
        // Nobody can tell what other tokens are worth.
        #expect(try plan(busy, moved: nil).warnings.isEmpty)
    }

    @Test("gas of a tenth of what is moved is told, little gas from all of it on")
    func shareOfMoved() throws {
        let moved = Wei(TestMarket.units("0.02"))
        #expect(
            try plan(fees(base: 100), moved: moved).warnings
                .contains { $0.contains("11.55 % of the 0.02 ETH") }
        )
        #expect(try plan(fees(base: 80), moved: moved).warnings.isEmpty)
        // 0.0018 ether of gas are below the floor of 0.002.
        let small = Wei(TestMarket.units("0.01"))
        #expect(try plan(fees(base: 80), moved: small).warnings.isEmpty)
        let tiny = Wei(TestMarket.units("0.0001"))
        #expect(
            try plan(fees(base: 80), moved: tiny).warnings
                .contains { $0.contains("% of the 0.0001 ETH that are moved") }
        )
    }

    // MARK: Absurd numbers

    @Test("numbers near 2^256 end as an error, never as a trap")
    func absurd() {
        let all = Wei(.max)
        for base in [Wei?.none, Wei(1), all] {
            let lie = FeeSnapshot(coin: .ether, baseFee: base, tips: [.market: all], gasPrice: all)
            for gas in [0, 1, UInt64.max] {
                for moved in [nil, Wei.zero, all] {
                    _ = try? plan(lie, gas: gas, moved: moved) { $0.feeCap = all }
                    _ = try? plan(lie, gas: gas, moved: moved)
                }
            }
        }
        let all256 = UInt256.max
        for raw in [all256, all256 / 110 * 100, all256 / 11 * 10, all256 - 1] {
            let fee = Transaction.Fee.legacy(gasPrice: Wei(raw))
            let line = ReplacementFees.Line(first: fee, last: fee, count: 0)
            for limit in [0, UInt64.max] {
                _ = try? ReplacementFees(
                    line,
                    market: fee,
                    limit: limit,
                    budget: all,
                    coin: .ether,
                    allowsMore: true
                )
            }
        }
    }
}
