import Testing
import ZeroEx

/// The sandbox runs contracts on an EVM of our own, so it is held against another one.
///
/// `make test` takes a part of the seeds 1 to 500 and prints which;
/// `DEX_DIFFERENTIAL_ALL=1` takes all. `DEX_DIFFERENTIAL_SEED` is the first seed and
/// `DEX_DIFFERENTIAL_COUNT` how many follow on it: with the seed of a failure and a count of 1 that
/// sequence is run alone.
@Suite("Sandbox = EVM")
struct DifferentialTests {
    @Test("random sequences of transactions do the same on the sandbox and on an EVM")
    func sequences() async throws {
        let world = try World()
        let total = try await Differential.run(in: [world, world], plan: Planner.sequence)
        total.report()
        if Differential.isWhole { expectEverything(in: total) }
    }

    /// What a run of some hundred sequences has to have reached, so that it says something.
    private func expectEverything(in total: Findings) {
        for what in [
            "LogFill", "LogCancel", "LogError 0", "LogError 1", "LogError 2", "LogError 3",
            "token's log", "succeeded", "reverted", "burnt", "too little gas, burnt", "refused",
            "eth_call", "eth_estimateGas", "eth_getLogs with logs",
        ] {
            #expect(total.tally[what, default: 0] >= 20, "\(what)")
        }
        for kind in [
            "fillOrder", "fillOrder throwing", "fillOrKillOrder", "fillOrdersUpTo",
            "fillOrdersUpTo throwing", "batchFillOrders", "batchFillOrders throwing",
            "batchFillOrKillOrders", "cancelOrder", "batchCancelOrders", "transfer DAI",
            "transferFrom DAI", "approve DAI", "transfer ZRX", "transfer WETH", "transfer USDC",
            "transfer SIL", "transfer USDT", "transfer HEAVY", "transfer UPG", "approve USDT",
            "deposit", "withdraw", "ether", "hostile exchange",
        ] {
            #expect(total.tally["\(kind) succeeded", default: 0] >= 3, "\(kind)")
        }
    }

    @Test("random sequences about native orders of v4 do the same on the sandbox and on an EVM")
    func nativeSequences() async throws {
        // One chain has the protocol fee as it is, the other as it was.
        let worlds = try [World(), World(protocolFeeMultiplier: 70_000)]
        let total = try await Differential.run(in: worlds, plan: Planner.nativeSequence)
        total.report()
        if Differential.isWhole { expectEverythingNative(in: total) }
    }

    private func expectEverythingNative(in total: Findings) {
        for what in [
            "limitOrderFilled", "rfqOrderFilled", "orderCancelled", "pairCancelledLimitOrders",
            "pairCancelledRfqOrders", "rfqOrderOriginsAllowed", "orderSignerRegistered",
            "token's log", "succeeded", "reverted", "refused", "eth_call", "eth_estimateGas",
            "eth_getLogs with logs", "revert orderNotFillable", "revert orderNotFillableByTaker",
            "revert orderNotFillableBySender", "revert orderNotFillableByOrigin",
            "revert orderNotSignedByMaker", "revert signatureValidation",
            "revert fillOrKillFailed", "revert batchFillIncomplete",
            "revert onlyOrderMakerAllowed", "revert cancelSaltTooLow", "revert invalidSigner",
            "revert notImplemented", "revert words",
        ] {
            // Reverts are told apart only by what a block's first call is asked for.
            let minimum = what.hasPrefix("revert ") ? 10 : 20
            #expect(total.tally[what, default: 0] >= minimum, "\(what)")
        }
        for function in ExchangeFunctionV4.allCases {
            let name = function.name
            #expect(total.tally["\(name) succeeded", default: 0] >= 3, "\(name)")
        }
    }

    @Test("random sequences about the swap venue do the same on the sandbox and on an EVM")
    func swapSequences() async throws {
        let world = try World(hasSwap: true)
        let total = try await Differential.run(in: [world, world], plan: Planner.swapSequence)
        total.report()
        if Differential.isWhole { expectEverythingOfSwap(in: total) }
    }

    private func expectEverythingOfSwap(in total: Findings) {
        for what in [
            "swap by allowance", "swap by permit", "swap of ether", "permitTransferFrom",
            "sale to a pool",
        ] {
            for outcome in ["succeeded", "reverted"] {
                #expect(total.tally["\(what) \(outcome)", default: 0] >= 10, "\(what) \(outcome)")
            }
        }
    }
}
