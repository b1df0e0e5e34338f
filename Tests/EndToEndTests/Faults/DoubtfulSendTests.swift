import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Every command that sends, before a node that answers a transaction with an error, whatever it
/// did with it.
@Suite("Doubtful answers to transactions")
struct DoubtfulSendTests {
    /// How many commands are under way at once; most of their time is waiting.
    private static let concurrency = 8
    /// Of each command in `make test`; DEX_DOUBT_ALL=1 takes all.
    private static let sample = 2

    @Test(
        "one effect for each confirmed intent, and everything agrees about it afterwards",
        arguments: DoubtfulCommand.allCases
    )
    func oneEffect(command: DoubtfulCommand) async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = SampleSeed.of("DOUBT")
        var answers = DoubtfulAnswer.all
        if environment["DEX_DOUBT_ALL"] != "1" {
            var generator = SeededGenerator(seed: seed)
            answers = (0..<Self.sample).map { _ in generator.pick(answers) }
            print("doubtful answers of \(command.rawValue): DEX_DOUBT_SEED=\(seed)")
        }
        try await DexBinary().withSandbox { sandbox in
            let traders = try await sandbox.traders(0..<answers.count)
            let book = try await DexBinary().run(
                "orderbook",
                "ZRX/WETH",
                "--json",
                "--network",
                "sandbox",
                "--rpc",
                sandbox.rpc,
                "--relay",
                sandbox.relay
            )
            let asks = try book.json()["data"]?["asks"]?.arrayValue
            let ask = try #require(asks?.first?["orderHash"]?.stringValue, "\(book.stderr)")
            await withTaskGroup(of: Void.self) { group in
                for (index, answer) in answers.enumerated() {
                    if index >= Self.concurrency { await group.next() }
                    group.addTask {
                        do {
                            let bench = try DoubtfulSendBench(
                                sandbox: sandbox,
                                trader: traders[index],
                                ask: ask,
                                command: command
                            )
                            try await bench.check(answer)
                        } catch {
                            Issue.record(error, "\(command.rawValue): \(answer), seed \(seed)")
                        }
                    }
                }
            }
        }
    }
}
