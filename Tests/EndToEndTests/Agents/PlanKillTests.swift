import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Clients kill the process group of a server whenever they like, and so do people with terminals.
@Suite("Plans killed anywhere")
struct PlanKillTests {
    @Test(
        "a server killed at any request: its plan is carried out once or not at all, and tells which",
        arguments: [KillCommand.firstBuy, .placeLimit]
    )
    func server(command: KillCommand) async throws {
        try await PlanKillRun(command: command, runner: .server).everyRequest()
    }

    @Test(
        "dex approve killed at any request: the plan is carried out once or not at all",
        arguments: KillSettings.commands([.firstBuy]).filter {
            $0 == .firstBuy || $0 == .placeLimit
        }
    )
    func person(command: KillCommand) async throws {
        try await PlanKillRun(command: command, runner: .person).everyRequest()
    }

    @Test("eight servers that are killed at random never spend more than the day's limit")
    func eight() async throws {
        let settings = KillSettings.process
        for round in 0..<UInt64(settings.random) {
            try await PlanCrowd(seed: settings.seed &* 1_000 &+ round).run()
        }
    }
}
