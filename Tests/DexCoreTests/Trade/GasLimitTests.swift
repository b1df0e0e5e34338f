import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A gas limit of the user's own")
struct GasLimitTests {
    private static let mainnet = rules(chain: 1)

    private static func rules(chain: UInt64) -> FeeRules {
        var rules = FeeRules()
        rules.chain = chain
        return rules
    }

    private func limit(
        _ wanted: UInt64?,
        estimate: UInt64 = 100_000,
        data: [UInt8] = [0, 1],
        percent: UInt64 = 130,
        floor: UInt64 = 90_000,
        rules: FeeRules = Self.mainnet,
        time: UInt64 = 1
    ) throws -> GasLimit {
        var overrides = FeeOverrides()
        overrides.gasLimit = wanted
        return try GasLimit(
            estimate: estimate,
            percent: percent,
            floor: floor,
            of: CallRequest(to: .zero, data: data),
            within: GasBounds(TestMarket.block(1, timestamp: time), rules, overrides)
        )
    }

    @Test("without one the estimate has its margin, with one it is what it says")
    func units() throws {
        let usual = try limit(nil)
        #expect(usual.units == 130_000 && usual.warning == nil)
        #expect(try limit(nil, estimate: 30_000).units == 117_000)
        for wanted in [100_000, 100_001, 30_000_000] as [UInt64] {
            let limit = try limit(wanted)
            #expect(limit.units == wanted && limit.warning == nil)
        }
    }

    @Test("below the estimate, or below what was measured, it is warned of")
    func warned() throws {
        let warning = try limit(99_999).warning
        #expect(warning?.hasPrefix("GAS LIMIT 99999 is below the 100000") == true)
        #expect(try limit(89_999, estimate: 50_000).warning?.contains("90000") == true)
        #expect(try limit(21_020).warning != nil)
    }

    @Test("what no node takes is refused, and so is more than a block holds")
    func refused() throws {
        let low = #expect(throws: DexError.self) { try limit(21_019) }
        #expect(low?.code == "gas-limit-too-low" && low?.exit == .refused)
        #expect(low?.message.contains("21020 gas") == true)
        #expect(throws: DexError.self) { try limit(0) }
        for wanted in [30_000_001, UInt64.max] {
            let high = #expect(throws: DexError.self) { try limit(wanted) }
            #expect(high?.code == "block-gas-limit" && high?.exit == .refused)
        }
        let needed = #expect(throws: DexError.self) { try limit(50_000, estimate: 30_000_001) }
        #expect(needed?.code == "block-gas-limit")
    }

    @Test("an estimate below what every such transaction costs is the node's fault, exit 4")
    func impossibleEstimate() throws {
        // A chain may have rules that are not listed yet: Amsterdam's base is 12,000.
        for estimate in [0, 1, 11_999, 12_019] as [UInt64] {
            let error = #expect(throws: DexError.self) { try limit(nil, estimate: estimate) }
            #expect(error?.exit == .unreachable, "\(estimate)")
            // A limit of the user's own makes the node no better.
            #expect(throws: DexError.self) { try limit(50_000, estimate: estimate) }
        }
        #expect(try limit(nil, estimate: 12_020).needed == 90_000)
    }

    @Test("the least limit is that of the block's rules, and an unknown chain has the least of all")
    func revisions() throws {
        let (sepolia, data) = (Self.rules(chain: 11_155_111), [UInt8](repeating: 1, count: 1_000))
        func minimum(_ rules: FeeRules, _ time: UInt64) throws -> UInt64 {
            try limit(nil, estimate: 28_000, data: data, floor: 0, rules: rules, time: time).needed
        }
        // 16 gas for a byte; from Prague on at least 40, under Amsterdam's rules 64.
        #expect(try minimum(Self.mainnet, 1_746_612_310) == 37_000)
        #expect(try minimum(Self.mainnet, 1_746_612_311) == 61_000)
        #expect(try minimum(sepolia, 1_791_294_815) == 61_000)
        #expect(try minimum(sepolia, 1_791_294_816) == 76_000)
        #expect(try minimum(Self.rules(chain: 8_453), 1_800_000_000) == 28_000)
        #expect(try minimum(.unknown, 1_800_000_000) == 28_000)
        let low = #expect(throws: DexError.self) {
            try limit(60_999, estimate: 40_000, data: data, time: 1_800_000_000)
        }
        #expect(low?.code == "gas-limit-too-low" && low?.message.contains("61000") == true)
        // The node's estimate above a floor always wins.
        for rules in [Self.mainnet, sepolia, .unknown] {
            let own = try limit(nil, estimate: 300_000, rules: rules, time: 1_800_000_000)
            #expect(own.needed == 300_000 && own.units == 390_000)
        }
    }

    @Test("from Osaka on a transaction has at most 16,777,216 gas, on a chain that is listed")
    func maximumGas() throws {
        for (rules, time, maximum) in [
            (Self.mainnet, 1_764_798_550, 30_000_000), (Self.mainnet, 1_764_798_551, 16_777_216),
            (Self.rules(chain: 8_453), 1_764_798_551, 30_000_000),
        ] as [(FeeRules, UInt64, UInt64)] {
            let limit = try limit(nil, estimate: 16_000_000, rules: rules, time: time)
            #expect(limit.units == min(maximum, 20_800_000))
            let block = TestMarket.block(1, timestamp: time)
            #expect(rules.safeGas(in: block) == 16_777_216)
        }
    }

    @Test("a chain's own cap of a transaction holds, below what its blocks hold")
    func chainCap() throws {
        var rules = Self.mainnet
        rules.gasCap = 2_000_000
        #expect(try limit(nil, estimate: 1_900_000, rules: rules).units == 2_000_000)
        for (wanted, estimate) in [(nil, 2_000_001), (2_000_001, 100_000)]
            as [(UInt64?, UInt64)]
        {
            let error = #expect(throws: DexError.self) {
                try limit(wanted, estimate: estimate, rules: rules)
            }
            #expect(error?.code == "block-gas-limit" && error?.exit == .refused)
            #expect(error?.message.contains("2000000") == true)
        }
    }

    @Test("where the limit is paid, the margin is at most a tenth, and a payment has none")
    func paidLimit() throws {
        var rules = Self.mainnet
        rules.charged = .limit
        #expect(try limit(nil, floor: 0, rules: rules).units == 110_000)
        #expect(try limit(nil, percent: 105, floor: 0, rules: rules).units == 105_000)
        let payment = try limit(nil, estimate: 21_000, data: [], floor: 0, rules: rules)
        #expect(payment.units == 21_000)
        // A contract that takes the payment needs more than a payment.
        #expect(try limit(nil, estimate: 30_000, data: [], floor: 0, rules: rules).units == 33_000)
    }

    @Test("it is what is signed, of each transaction, and its cost counts against the caps")
    func signed() async throws {
        let market = try LiveMarket()
        let outcome = try await market.transfer(.wrap("1")) { $0.fees.gasLimit = 77_777 }
        let raw = try #require(market.node.sent.first)
        #expect(try SignedTransaction.transaction(inRaw: raw).gasLimit == 77_777)
        #expect(outcome.ending == .done)
        let low = try market.transfers { $0.fees.gasLimit = 22_000 }
        let plan = try await low.plan(.wrap("1"), account: market.trader.address).content
        #expect(plan.gas.limit == 22_000)
        #expect(plan.warnings.contains { $0.hasPrefix("GAS LIMIT 22000") })
        let capped = try market.transfers {
            $0.fees.gasLimit = 30_000_000
            $0.feeCap = Wei(1_000_000_000_000)
        }
        let error = await #expect(throws: DexError.self) {
            try await capped.plan(.wrap("1"), account: market.trader.address)
        }
        #expect(error?.code == "fee-cap")
    }

    @Test(
        """
        a call that runs out of the gas it was given is not signed; where it cannot be run on this \
        machine it is reported as reverted
        """
    )
    func outOfGas() async throws {
        let market = try LiveMarket()
        let error = await refusal {
            try await market.transfer(.wrap("1")) { $0.fees.gasLimit = 22_000 }
        }
        #expect(error?.code == "run-fails" && market.node.sent.isEmpty)
        market.node.hideAccessLists()
        let outcome = try await market.transfer(.wrap("1")) { $0.fees.gasLimit = 22_000 }
        #expect(outcome.ending == .reverted)
        #expect(outcome.transactions.last?.stage == .reverted)
    }
}
