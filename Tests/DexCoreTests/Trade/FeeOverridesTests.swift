import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Prices of gas: by priority, as told, and never above the cap")
struct FeeOverridesTests {
    private func fees(_ base: UInt64?, gasPrice: UInt64? = 9) -> FeeSnapshot {
        FeeSnapshot(
            coin: .ether,
            baseFee: base.map { Wei(UInt256($0)) },
            tips: base == nil ? [:] : [.low: Wei(1), .market: Wei(20), .high: Wei(300)],
            gasPrice: gasPrice.map { Wei(UInt256($0)) }
        )
    }

    private func overrides(_ change: (inout FeeOverrides) -> Void) -> FeeOverrides {
        var overrides = FeeOverrides()
        change(&overrides)
        return overrides
    }

    private func dynamic(_ maximum: UInt64, _ tip: UInt64) -> Transaction.Fee {
        .dynamic(maxFeePerGas: Wei(UInt256(maximum)), maxPriorityFeePerGas: Wei(UInt256(tip)))
    }

    private func error(_ body: () throws -> Void) -> DexError? {
        do {
            try body()
            Issue.record("nothing was thrown")
        } catch {
            return error as? DexError
        }
        return nil
    }

    // MARK: Gwei

    @Test(
        "gwei are read digit for digit",
        arguments: [
            ("0", 0), ("1", 1_000_000_000), ("1.5", 1_500_000_000), (".5", 500_000_000),
            ("0.000000001", 1),
            ("30.123456789", 30_123_456_789), ("007.10", 7_100_000_000),
        ] as [(String, UInt64)]
    )
    func gwei(text: String, wei: UInt64) throws {
        #expect(try FeeOverrides.gwei(text) == Wei(UInt256(wei)))
    }

    @Test(
        "what is no price of gas is refused with what is expected",
        arguments: [
            "", " 1", "1 ", "-1", "+1", "1,5", "1e9", ".", "5.", "0x1", "1.0000000001", "1gwei",
            "١", "1.2.3", String(repeating: "9", count: 90), "\u{1B}[31m5",
        ]
    )
    func notGwei(text: String) {
        let error = error { _ = try FeeOverrides.gwei(text) }
        #expect(error?.code == "bad-gas-price" && error?.exit == .usage)
        #expect(error?.hint?.contains("gwei") == true)
        #expect(error?.message.contains("\u{1B}") == false)
    }

    // MARK: Priorities

    @Test("the tip is the median over the blocks of the priority's own percentile")
    func percentiles() {
        #expect(FeePriority.read.question == .feeHistory(blocks: 10, percentiles: [5, 20, 75]))
        let history = FeeHistory(
            oldestBlock: 1,
            baseFeePerGas: [],
            rewards: [[3, 4, 90], [1, 6, 70], [2, 5, 80], [], [7]].map { row in
                row.map { Wei(UInt256($0 as UInt64)) }
            }
        )
        #expect(FeePriority.tips(history) == [.low: Wei(2), .market: Wei(5), .high: Wei(80)])
        let none = FeeHistory(oldestBlock: 1, baseFeePerGas: [], rewards: [])
        #expect(FeePriority.tips(none) == [:])
    }

    @Test("a flag beats the setting, and the setting what is usual")
    func wanted() throws {
        #expect(try GasPricing.fee(fees(100)) == dynamic(220, 20))
        let usual = overrides { $0.usual = .low }
        #expect(try GasPricing.fee(fees(100), usual) == dynamic(201, 1))
        let asked = overrides {
            $0.usual = .low
            $0.priority = .high
        }
        #expect(try GasPricing.fee(fees(100), asked) == dynamic(500, 300))
    }

    @Test("--max-fee is what is paid at most, with no tip above it")
    func maxFee() throws {
        #expect(
            try GasPricing.fee(fees(100), overrides { $0.maxFee = Wei(1_000) })
                == dynamic(1_000, 20)
        )
        let tight = overrides {
            $0.maxFee = Wei(110)
            $0.priority = .high
        }
        #expect(try GasPricing.fee(fees(100), tight) == dynamic(110, 110))
        #expect(
            try GasPricing.fee(fees(100), overrides { $0.maxFee = Wei(100) }) == dynamic(100, 20)
        )
        let error = error { _ = try GasPricing.fee(fees(100), overrides { $0.maxFee = Wei(99) }) }
        #expect(error?.code == "max-fee-too-low" && error?.exit == .refused)
        #expect(error?.message.contains("0.000000099 gwei") == true)
        #expect(error?.message.contains("0.0000001 gwei") == true)
    }

    @Test("--priority-fee is the tip, whatever others pay, or nothing is sent")
    func priorityFee() throws {
        let own = overrides { $0.tip = Wei(5_000) }
        #expect(try GasPricing.fee(fees(100), own) == dynamic(5_200, 5_000))
        #expect(try GasPricing.fee(fees(100), overrides { $0.tip = .zero }) == dynamic(200, 0))
        let both = overrides {
            $0.tip = Wei(50)
            $0.maxFee = Wei(120)
        }
        #expect(try GasPricing.fee(fees(100), both) == dynamic(120, 50))
        let above = error {
            _ = try GasPricing.fee(
                fees(100),
                overrides {
                    $0.tip = Wei(121)
                    $0.maxFee = Wei(120)
                }
            )
        }
        #expect(above?.code == "bad-gas-price" && above?.exit == .usage)
        let none = error { _ = try GasPricing.fee(fees(nil), own) }
        #expect(none?.code == "no-base-fee" && none?.message.contains("--priority-fee") == true)
        // The part above base fee and tip may be cut, the tip is not.
        let cut = try GasPricing.fee(
            fees(100),
            limit: 10,
            budget: Wei(51_000),
            overrides: own,
            mayCut: false
        )
        #expect(cut.fee == dynamic(5_100, 5_000) && cut.isCapped)
        let expensive = error {
            _ = try GasPricing.fee(
                fees(100),
                limit: 10,
                budget: Wei(50_999),
                overrides: own,
                mayCut: true
            )
        }
        #expect(expensive?.code == "fee-cap")
        #expect(expensive?.hint == "Lower --priority-fee, or allow more with --max-gas-cost.")
    }

    @Test("--gas-price is paid on a chain without a base fee, else what the node says")
    func gasPrice() throws {
        #expect(try GasPricing.fee(fees(nil)) == .legacy(gasPrice: Wei(9)))
        let reported = overrides { $0.gasPrice = Wei(7) }
        #expect(try GasPricing.fee(fees(nil), reported) == .legacy(gasPrice: Wei(7)))
        #expect(try GasPricing.fee(fees(nil, gasPrice: nil), reported) == .legacy(gasPrice: Wei(7)))
        let error = error { _ = try GasPricing.fee(fees(nil, gasPrice: nil)) }
        #expect(error?.exit == .unreachable)
        // The setting is for all networks, so that it means nothing here and stops nothing.
        #expect(
            try GasPricing.fee(fees(nil), overrides { $0.usual = .high })
                == .legacy(gasPrice: Wei(9))
        )
    }

    @Test("what means nothing on the chain is refused and names what does")
    func wrongChain() {
        let price = error { _ = try GasPricing.fee(fees(1), overrides { $0.gasPrice = Wei(7) }) }
        #expect(price?.code == "has-base-fee" && price?.exit == .usage)
        #expect(price?.hint?.contains("--max-fee") == true)
        let maximum = error { _ = try GasPricing.fee(fees(nil), overrides { $0.maxFee = Wei(7) }) }
        #expect(maximum?.code == "no-base-fee" && maximum?.exit == .usage)
        #expect(maximum?.message.contains("--max-fee") == true)
        let soon = error { _ = try GasPricing.fee(fees(nil), overrides { $0.priority = .market }) }
        #expect(soon?.code == "no-base-fee" && soon?.message.contains("--priority") == true)
        #expect(soon?.hint?.contains("--gas-price") == true)
    }

    // MARK: The cap

    private func capped(
        _ fees: FeeSnapshot,
        _ budget: UInt64,
        mayCut: Bool = false,
        _ change: (inout FeeOverrides) -> Void = { _ in }
    ) throws -> (fee: Transaction.Fee, isCapped: Bool) {
        try GasPricing.fee(
            fees,
            limit: 10,
            budget: Wei(UInt256(budget)),
            overrides: overrides(change),
            mayCut: mayCut
        )
    }

    @Test("the usual fee is cut down to the base fee, and refused below it")
    func cutToCap() throws {
        #expect(try capped(fees(100), 2_200) == (dynamic(220, 20), false))
        #expect(try capped(fees(100), 2_199) == (dynamic(219, 20), true))
        #expect(try capped(fees(100), 1_000) == (dynamic(100, 20), true))
        let error = error { _ = try capped(fees(100), 999) }
        #expect(error?.code == "fee-cap" && error?.exit == .refused && error?.retryable == true)
    }

    @Test("a priority that was asked for is paid with its tip, or nothing is sent")
    func priorityIsKept() throws {
        #expect(try capped(fees(100), 4_000) { $0.priority = .high } == (dynamic(400, 300), true))
        let error = error { _ = try capped(fees(100), 3_999) { $0.priority = .high } }
        #expect(error?.code == "fee-cap" && error?.exit == .refused)
        #expect(error?.hint?.contains("lower --priority") == true)
        #expect(try capped(fees(100), 3_999) { $0.usual = .high } == (dynamic(399, 300), true))
    }

    @Test("a price that was told is never cut: above the cap it is refused")
    func exactIsKept() throws {
        #expect(try capped(fees(100), 5_000) { $0.maxFee = Wei(500) } == (dynamic(500, 20), false))
        let maximum = error { _ = try capped(fees(100), 4_999) { $0.maxFee = Wei(500) } }
        #expect(maximum?.code == "fee-cap" && maximum?.hint?.contains("Lower --max-fee") == true)
        #expect(
            try capped(fees(nil), 500) { $0.gasPrice = Wei(50) }.fee == .legacy(gasPrice: Wei(50))
        )
        let price = error { _ = try capped(fees(nil), 499) { $0.gasPrice = Wei(50) } }
        #expect(price?.code == "fee-cap" && price?.hint?.contains("Lower --gas-price") == true)
        #expect(price?.message.contains("0.0000000000000005 ETH") == true)
        // Right before signing a limit that grew a little takes it out of what was confirmed.
        #expect(
            try capped(fees(100), 4_999, mayCut: true) { $0.maxFee = Wei(500) }
                == (dynamic(499, 20), true)
        )
    }
}
