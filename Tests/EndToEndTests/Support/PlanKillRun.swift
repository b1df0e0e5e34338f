import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// Plans of one kind that are killed at every request of their execution, each with an account and
/// a home of its own.
struct PlanKillRun: Sendable {
    let command: KillCommand
    let runner: PlanKillBench.Runner

    private typealias One = (broken: KillCase, next: PlanKillBench.Next)

    /// Kills it at every request that a clean run makes.
    func everyRequest() async throws {
        try await DexBinary().withSandbox { sandbox in
            let clean = try await cleanRun(sandbox)
            #expect(clean.node >= 3, "\(clean)")
            let cases = KillCase.all(
                command,
                KillMoment.kills,
                node: clean.node,
                relay: clean.relay
            )
            // Each of a pair gets another next step, and each next request other ones.
            let all = PlanKillBench.Next.allCases
            let numbered: [One] = cases.enumerated().map { index, one in
                (one, all[(index + index / 8) % all.count])
            }
            let chosen = KillRun(command).sampled(numbered)
            let traders = try await sandbox.traders(1..<chosen.count + 1, isApproved: false)
            await withTaskGroup(of: Void.self) { group in
                for (index, (one, trader)) in zip(chosen, traders).enumerated() {
                    if index >= KillRun.concurrency { await group.next() }
                    group.addTask { await check(one, sandbox, trader) }
                }
            }
        }
    }

    private func check(_ one: One, _ sandbox: TestSandbox, _ trader: FaultTrader) async {
        let words = "\(runner.rawValue), \(one.broken)"
        do {
            let bench = try await PlanKillBench(
                sandbox: sandbox,
                trader: trader,
                command: command,
                runner: runner
            )
            let plan = try await bench.plan(by: try bench.server())
            let run = try await bench.run(plan, one.broken)
            try await bench.check(plan, one.next, "\(words), plan \(plan): \(run)")
            if runner == .server { try await bench.home.lock() }
        } catch {
            Issue.record(error, "\(words)")
        }
    }

    /// A run that nothing breaks off.
    private func cleanRun(_ sandbox: TestSandbox) async throws -> PlanKillBench.Run {
        let trader = try #require(try await sandbox.traders(0..<1, isApproved: false).first)
        let bench = try await PlanKillBench(
            sandbox: sandbox,
            trader: trader,
            command: command,
            runner: runner
        )
        let plan = try await bench.plan(by: try bench.server())
        let run = try await bench.run(plan, nil)
        #expect(bench.kill.isDone(try bench.kill.truth()), "\(run)")
        try await bench.check(plan, .execute, "clean: \(run)")
        if runner == .server { try await bench.home.lock() }
        return run
    }
}
