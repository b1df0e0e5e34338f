import DexStore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

extension KillRun {
    /// Lets a server be gone for good from every request on; it is back when the user looks again.
    func everyDeath() async throws {
        try await DexBinary().withSandbox { sandbox in
            let clean = try await cleanRun(sandbox)
            let cases = KillCase.all(
                command,
                KillMoment.deaths,
                node: clean.node,
                relay: clean.relay
            )
            try await each(of: sampled(cases), sandbox) { bench, broken in
                try bench.dex.write(config: "[trade]\nreceipt_timeout = 1\n")
                let run = try await bench.run(broken)
                try bench.dex.write(config: "[trade]\nreceipt_timeout = 60\n")
                let story = "\(broken): \(run)"
                try bench.checkDeath(run, story)
                try await bench.check(run, isRepeated: broken.isRepeated, story)
            }
        }
    }

    /// Kills one of two commands of an account, which were begun at once.
    func oneOfTwo() async throws {
        try await DexBinary().withSandbox { sandbox in
            let clean = try await cleanRun(sandbox)
            let cases = KillCase.all(
                command,
                KillMoment.kills,
                node: clean.node,
                relay: clean.relay
            ).filter { !$0.isRepeated }
            try await each(of: sampled(cases), sandbox) { bench, broken in
                let parallel = ["--despite-pending"]
                async let other = bench.run(with: parallel)
                let killed = try await bench.run(broken, with: parallel)
                let runs = [killed, try await other]
                try await bench.checkBoth(runs, "\(broken), one of two: \(runs)")
            }
        }
    }
}

extension KillBench {
    /// The exit code is right, and whatever left is named.
    func checkDeath(_ run: Run, _ story: String) throws {
        let truth = try truth()
        _ = try #require(run.json, "\(story)")
        switch run.exit {
        case 0: #expect(isDone(truth), "\(story)")
        case 12:
            let codes = ["not-mined-yet", "not-confirmed-yet", "approval-pending"]
            #expect(codes.contains(run.code), "\(story)")
            // What met a server that was dead before the broadcast left nothing, and is in doubt all
            // the same: its bytes are in the journal.
            let isRefused = "\(run)".contains("nothing accepts connections")
            #expect(!run.transactions.isEmpty || isRefused, "\(story)")
        default:
            #expect(run.exit == 4, "\(story)")
            let codes = [
                "node-unreachable", "relay-unreachable", "order-unconfirmed", "book-unread",
            ]
            #expect(codes.contains(run.code), "\(story)")
            #expect(!isDone(truth) || command == .placeLimit || command == .replace, "\(story)")
            if truth.orders > 0, command == .placeLimit {
                // By the answer, or by the error that tells how to take it back.
                let isNamed =
                    run.json?["data"]?["orderHash"]?.stringValue != nil
                    || run.run.stdout.contains("dex cancel 0x")
                #expect(isNamed, "\(story)")
            }
        }
        for hash in run.transactions { #expect(run.run.stdout.contains(hash), "\(story)") }
    }

    /// Two purchases, of which one was killed: each is made once or not at all, all of it is told,
    /// and no nonce is left.
    func checkBoth(_ runs: [Run], _ words: String) async throws {
        var story = words
        #expect(runs[1].json != nil, "\(story)")
        #expect([0, 12].contains(runs[1].exit), "\(story)")
        let reported = try Reported(try await run(["resume"]))
        story += "\nresume: \(reported.run)"
        // The one that lives may wait for the nonce of the one that was killed.
        #expect([0, 12].contains(reported.run.exit), "\(story)")
        let next = try await run(["allowance", "set", "ZRX", "3"])
        #expect(next.exit == 0, "\(next) \(story)")
        let after = try Reported(try await run(["resume"]))
        story += "\nresume: \(after.run)"
        #expect(after.run.exit == 0, "\(story)")
        let truth = try truth()
        #expect(truth.fills <= 2 && truth.pending == truth.mined, "\(truth) \(story)")
        let journal = try journal()
        #expect(journal.allSatisfy { $0.stage == .mined }, "\(journal) \(story)")
        #expect(journal.count == Int(truth.mined), "\(story)")
        let fills = journal.filter { $0.purpose == "fill" }
        #expect(UInt256(UInt64(fills.count)) == truth.fills, "\(story)")
        for fill in fills {
            let hash = fill.hash.hex
            let answers = runs.filter { $0.json?["status"] == "ok" } + [reported.run, after.run]
            #expect(answers.contains { $0.run.stdout.contains(hash) }, "\(hash) \(story)")
        }
    }
}
