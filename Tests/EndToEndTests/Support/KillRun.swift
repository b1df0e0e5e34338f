import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

/// Many runs of one command against one sandbox, each with an account and a home of its own.
struct KillRun: Sendable {
    /// How many commands are under way at once; most of their time is waiting.
    static let concurrency = 10

    let command: KillCommand

    init(_ command: KillCommand) {
        self.command = command
    }

    /// Breaks the command off at every request that a clean run makes.
    func everyRequest(_ moments: [KillMoment]) async throws {
        try await DexBinary().withSandbox { sandbox in
            let clean = try await cleanRun(sandbox)
            let cases = KillCase.all(command, moments, node: clean.node, relay: clean.relay)
            // What each needs at the least.
            #expect(clean.node >= 3 && cases.count >= 3 * 2 * moments.count)
            try await each(of: sampled(cases), sandbox) { bench, broken in
                let run = try await bench.run(broken)
                try await bench.check(run, isRepeated: broken.isRepeated, "\(broken): \(run)")
            }
        }
    }

    /// A run that nothing breaks off.
    func cleanRun(_ sandbox: TestSandbox) async throws -> KillBench.Run {
        let trader = try await sandbox.traders(0..<1, isApproved: command.isApproved).first
        let bench = try KillBench(
            sandbox: sandbox,
            trader: try #require(trader),
            command: command
        )
        let run = try await bench.run()
        #expect(run.exit == 0, "\(run)")
        #expect(bench.isDone(try bench.truth()), "\(run)")
        return run
    }

    /// All cases, or those that `make test` has the time for: of every fourth pair one, by turns
    /// the first and the other; eight seeds in a row take all.
    func sampled<Case>(_ cases: [Case]) -> [Case] {
        guard !KillSettings.process.isComplete else { return cases }
        let turn = Int(KillSettings.process.seed % 8)
        return cases.indices.filter {
            let place = $0 / 2 + turn % 4
            return place.isMultiple(of: 4) && (place / 4 + turn / 4 + $0).isMultiple(of: 2)
        }.map { cases[$0] }
    }

    /// All cases, or those that `make test` has the time for: one of so many, by the seed.
    func thinned<Case>(_ cases: [Case], to count: Int) -> [Case] {
        guard !KillSettings.process.isComplete else { return cases }
        let turn = Int(KillSettings.process.seed % UInt64(count))
        return cases.indices.filter { ($0 + turn).isMultiple(of: count) }.map { cases[$0] }
    }

    /// Runs the body for each case, some at once.
    ///
    /// - Parameter first: the number of the first account.
    func each<Case: Sendable>(
        of cases: [Case],
        _ sandbox: TestSandbox,
        first: Int = 1,
        _ body: @escaping @Sendable (KillBench, Case) async throws -> Void
    ) async throws {
        let traders = try await sandbox.traders(
            first..<cases.count + first,
            isApproved: command.isApproved
        )
        let command = command
        await withTaskGroup(of: Void.self) { group in
            for (index, (one, trader)) in zip(cases, traders).enumerated() {
                if index >= Self.concurrency { await group.next() }
                group.addTask {
                    do {
                        try await body(
                            KillBench(sandbox: sandbox, trader: trader, command: command),
                            one
                        )
                    } catch {
                        Issue.record(error, "\(one)")
                    }
                }
            }
        }
    }
}
