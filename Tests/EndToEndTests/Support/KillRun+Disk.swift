import DexTestSupport
import Foundation
import StrictJSON
import Testing

extension KillRun {
    /// Breaks the command off at every step that it takes towards its disk, or lets the disk fail
    /// there.
    func everyStep(_ kinds: [DiskCase.Kind]) async throws {
        try await DexBinary().withSandbox { sandbox in
            let steps = try await cleanSteps(sandbox)
            // The intent, the nonce, the audit log, the signed bytes: each is written and synced.
            #expect(steps.count { $0.hasPrefix("sync") } >= 4, "\(steps)")
            #expect(steps.contains("sync audit.jsonl"), "\(steps)")
            let cases = kinds.flatMap { kind in
                steps.indices.filter { steps[$0].hasPrefix("write") || kind != .tear }.map {
                    DiskCase(kind: kind, step: $0 + 1, isRepeated: $0.isMultiple(of: 2))
                }
            }
            try await each(of: thinned(cases, to: 31), sandbox) { bench, fault in
                let run = try await bench.run(
                    environment: fault.environment(home: bench.dex.home)
                )
                let story = "\(command.rawValue), \(fault): \(run)"
                switch fault.kind {
                // The last steps come after the answer.
                case .kill, .tear: #expect(run.exit != 0, "\(story)")
                case .full, .unsynced: try bench.checkDisk(run, story)
                }
                try await bench.check(run, isRepeated: fault.isRepeated, story)
            }
        }
    }

    /// The steps of a run that nothing breaks off: `sync journal.sqlite-wal`.
    private func cleanSteps(_ sandbox: TestSandbox) async throws -> [String] {
        let trader = try await sandbox.traders(0..<1, isApproved: command.isApproved).first
        let bench = try KillBench(
            sandbox: sandbox,
            trader: try #require(trader),
            command: command
        )
        let log = FileManager.default.temporaryDirectory
            .appending(path: "dex-steps-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let run = try await bench.run(
            environment: DiskCase.environment(home: bench.dex.home, log: log)
        )
        #expect(run.exit == 0, "\(run)")
        return String(decoding: try Data(contentsOf: log), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}

extension KillBench {
    /// What cannot be kept is not sent; what was sent is told.
    func checkDisk(_ run: Run, _ story: String) throws {
        let truth = try truth()
        let json = try #require(run.json, "\(story)")
        if run.exit == 0 {
            #expect(isDone(truth), "\(story)")
            return
        }
        #expect(!isDone(truth), "\(story)")
        let codes = [
            "journal-full", "journal-failed", "journal-not-writable", "journal-damaged",
            "journal-busy", "audit-log", "simulation-failed",
        ]
        #expect(codes.contains(run.code), "\(story)")
        #expect([1, 3].contains(run.exit), "\(story)")
        let message = json["error"]?["message"]?.stringValue ?? ""
        #expect(message.hasSuffix("."), "\(story)")
        // An approval that was sent before is named.
        for hash in run.transactions { #expect(run.run.stdout.contains(hash), "\(story)") }
    }
}
