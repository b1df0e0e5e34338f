import DexTestSupport
import Foundation
import Testing

extension KillRun {
    /// Kills the command at random moments.
    func randomly() async throws {
        let settings = KillSettings.process
        try await DexBinary().withSandbox { sandbox in
            // What as many at once need, from the first to the last instruction.
            let clock = ContinuousClock()
            let start = clock.now
            try await each(of: Array(0..<Self.concurrency), sandbox) { bench, _ in
                let run = try await bench.run()
                #expect(run.exit == 0, "\(run)")
            }
            let (seconds, fraction) = (clock.now - start).components
            let longest = Double(seconds) + Double(fraction) / 1e18
            var generator = SeededGenerator(seed: settings.seed)
            let moments = (0..<settings.random).map { index in
                (
                    seconds: longest * Double(generator.below(1_000)) / 1_000,
                    isRepeated: index.isMultiple(of: 2)
                )
            }
            try await each(of: moments, sandbox, first: Self.concurrency + 1) { bench, moment in
                let after = String(format: "%.4f", max(moment.seconds, 0.0001))
                let run = try await bench.run(killedAfter: after)
                let story =
                    "\(command.rawValue), killed after \(after) s, "
                    + "DEX_KILL_SEED=\(settings.seed): \(run)"
                try await bench.check(run, isRepeated: moment.isRepeated, story)
            }
        }
    }
}
