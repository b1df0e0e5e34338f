import DexCore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

/// Market orders against books in which makers try to take more than they quote, or to keep others
/// from trading.
///
/// The seed is `SampleSeed`'s, and is printed; with `DEX_HOSTILE_ALL=1` there are
/// 2,000 orders on the EVM.
@Suite("Hostile makers neither take more than was confirmed nor stop a trade")
struct HostileMarketTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = SampleSeed.of("HOSTILE")
    private static let isAll = environment["DEX_HOSTILE_ALL"] == "1"

    /// Carries out so many scenarios, each on the chain as it begins.
    private func run(
        _ count: Int,
        _ kind: HostileStage.Kind,
        _ venue: EVMVenue
    ) async throws {
        let isV4 = venue.contracts.feeToken == nil
        var stage =
            kind == .evm ? try await HostileStage.evm(venue) : try HostileStage.sandbox(venue)
        defer { stage.node?.stop() }
        var snapshot = try stage.node?.call("evm_snapshot")
        var filled = 0
        var faults = 0
        for number in 0..<count {
            let seed = Self.seed &* 1_000_003 &+ UInt64(number)
            let scenario = HostileScenario(seed: seed, isV4: isV4)
            let run = try await HostileRun.run(scenario, on: stage)
            if run.isFilled { filled += 1 }
            if let fault = run.fault {
                faults += 1
                Issue.record("\(kind.rawValue), seed \(seed): \(fault) [\(Self.tricks(scenario))]")
            }
            if let node = stage.node, let id = snapshot {
                try node.call("evm_revert", id)
                snapshot = try node.call("evm_snapshot")
            } else {
                stage = try HostileStage.sandbox(venue)
            }
        }
        print(
            "hostile makers, \(kind.rawValue), \(isV4 ? "v4" : "v1"), seed \(Self.seed): "
                + "\(count) orders, \(filled) filled, \(faults) faults"
        )
        // A trade is what the property is about.
        #expect(filled * 10 >= count * 9)
    }

    private static func tricks(_ scenario: HostileScenario) -> String {
        let tricks = scenario.orders.compactMap(\.trick?.rawValue).joined(separator: " ")
        return "\(scenario.side) \(scenario.base.symbol)/\(scenario.quote.symbol)"
            + "\(scenario.drains ? ", drained" : ""): \(tricks)"
    }

    @Test("on an EVM", arguments: [false, true])
    func onEVM(isV4: Bool) async throws {
        try await run(Self.isAll ? 1_000 : 10, .evm, isV4 ? .v4() : .v1)
    }

    @Test("on the sandbox's chain, many more", arguments: [false, true])
    func onSandbox(isV4: Bool) async throws {
        try await run(Self.isAll ? 1_000 : 60, .sandbox, isV4 ? .v4() : .v1)
    }
}
