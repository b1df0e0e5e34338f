import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Every command that signs, killed wherever it may be, and servers that die under it.
@Suite("Killed anywhere")
struct KillTests {
    @Test(
        "killed at any request: done once or not at all, and resume tells which",
        arguments: KillSettings.commands([.firstBuy, .firstSwap, .placeLimit, .approve, .cancel])
    )
    func atEveryRequest(command: KillCommand) async throws {
        try await KillRun(command).everyRequest(KillMoment.kills)
    }

    @Test("a replaced order that is killed at any request: never both orders, never two new ones")
    func replaced() async throws {
        try await KillRun(.replace).everyRequest(
            KillSettings.process.isComplete ? KillMoment.kills : [.before, .unanswered]
        )
    }

    @Test(
        "killed at random moments: done once or not at all, and resume tells which",
        arguments: KillCommand.allCases
    )
    func atRandom(command: KillCommand) async throws {
        try await KillRun(command).randomly()
    }

    @Test(
        "killed at any step towards the disk: done once or not at all, and resume tells which",
        arguments: KillSettings.commands([.firstBuy, .placeLimit])
    )
    func atEveryStep(command: KillCommand) async throws {
        try await KillRun(command).everyStep([.kill, .tear])
    }

    @Test(
        "a disk that is full or fails at any step: what cannot be kept is not sent",
        arguments: KillSettings.commands([.firstBuy, .placeLimit])
    )
    func fullDisk(command: KillCommand) async throws {
        try await KillRun(command).everyStep([.full, .unsynced])
    }

    @Test(
        "a node or relay that dies at any request: what left is named, and resume tells the rest",
        arguments: KillSettings.commands([.firstBuy, .placeLimit])
    )
    func deadServers(command: KillCommand) async throws {
        try await KillRun(command).everyDeath()
    }

    @Test(
        "an answer that nothing could keep is told again, and stops a repeated command",
        arguments: [KillCommand.marketBuy, .placeLimit]
    )
    func unheard(command: KillCommand) async throws {
        try await DexBinary().withSandbox { sandbox in
            let traders = try await sandbox.traders(0..<1, isApproved: command.isApproved)
            let bench = try KillBench(
                sandbox: sandbox,
                trader: try #require(traders.first),
                command: command
            )
            let lost = try await bench.runUnheard()
            #expect(lost.status == 15 && lost.stdout.isEmpty)
            #expect(lost.stderr.contains("could not be written to standard output (No space left"))
            #expect(bench.isDone(try bench.truth()))
            let again = try await bench.run()
            #expect(
                again.code == (command.buys ? "unacknowledged-fill" : "unacknowledged-order"),
                "\(again)"
            )
            let reported = try await bench.run(["resume"])
            let items = try #require(reported.json?["data"]?["items"]?.arrayValue)
            #expect(reported.exit == 0 && !items.isEmpty, "\(reported)")
            let nothing = try await bench.run(["resume"])
            #expect(nothing.json?["data"]?["items"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("one of two purchases at once is killed: each is made once or not at all")
    func oneOfTwo() async throws {
        try await KillRun(.marketBuy).oneOfTwo()
    }
}
