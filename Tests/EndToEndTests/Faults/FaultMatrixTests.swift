import DexStore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Every command that moves money, under every fault, at every request that it makes.
@Suite("Faults at every request")
struct FaultMatrixTests {
    /// How many commands are under way at once; most of their time is waiting.
    private static let concurrency = 10
    /// Of so many cases one is taken in `make test`, another one by each seed; DEX_FAULT_ALL=1
    /// takes all.
    private static let sample = 16
    private static let seed = Int(SampleSeed.of("FAULT") % UInt64(sample))

    /// DEX_FAULT_COMMAND names the only one to run, such as `market-sell`.
    private static let commands = FaultCommand.allCases.filter {
        [nil, $0.rawValue].contains(ProcessInfo.processInfo.environment["DEX_FAULT_COMMAND"])
    }

    private static func sampled(_ cases: [FaultCase]) -> [FaultCase] {
        guard ProcessInfo.processInfo.environment["DEX_FAULT_ALL"] != "1" else { return cases }
        print("faults, one case of \(sample): DEX_FAULT_SEED=\(seed)")
        return cases.indices.filter { ($0 % sample + seed) % sample == 0 }
            .map { cases[$0] }
    }

    @Test(
        "nothing is lost, nothing is sent twice, and the exit code is right",
        arguments: commands
    )
    func everyRequest(command: FaultCommand) async throws {
        try await DexBinary().withSandbox { sandbox in
            let clean = try FaultBench(
                sandbox: sandbox,
                trader: try #require(
                    try await sandbox.traders(0..<1, isForSwap: command == .swap).first
                ),
                order: command.needsOrder
            )
            let (first, node, relay) = try await clean.run(command)
            #expect(first.exit == 0, "\(first.run.stderr)")
            let all = FaultCase.all(command, node: node, relay: relay)
            // What each needs at the least: three requests, ten kinds, once or for good.
            #expect(all.count > (command == .send ? 60 : 100))
            #expect(relay.isEmpty == (command == .send))
            let cases = Self.sampled(all)
            let traders = try await sandbox.traders(
                1..<cases.count + 1,
                isForSwap: command == .swap
            )
            await withTaskGroup(of: Void.self) { group in
                for (index, (fault, trader)) in zip(cases, traders).enumerated() {
                    if index >= Self.concurrency { await group.next() }
                    group.addTask {
                        do {
                            let bench = try FaultBench(
                                sandbox: sandbox,
                                trader: trader,
                                order: command.needsOrder
                            )
                            try await bench.check(fault)
                        } catch {
                            Issue.record(error, "\(fault), DEX_FAULT_SEED=\(Self.seed)")
                        }
                    }
                }
            }
        }
    }
}

extension FaultCommand {
    /// There must be an order to cancel.
    var needsOrder: Bool { self == .cancel }
}

extension FaultCase {
    /// Every fault at every request of a run in which nothing failed.
    static func all(
        _ command: FaultCommand,
        node: [ScriptedRequest],
        relay: [ScriptedRequest]
    ) -> [FaultCase] {
        var cases: [FaultCase] = []
        for (isOfRelay, requests) in [(false, node), (true, relay)] {
            for (step, request) in requests.enumerated() {
                let kinds = isOfRelay ? FaultKind.ofRelays : FaultKind.allCases
                for kind in kinds where kind.canMeet(request) {
                    for lasts in kind.canHappenOnce ? [false, true] : [true] {
                        let ways =
                            isWrite(request) && kind.canBeCarriedOut ? [false, true] : [false]
                        for isCarriedOut in ways {
                            cases.append(
                                FaultCase(
                                    command: command,
                                    isOfRelay: isOfRelay,
                                    step: step,
                                    kind: kind,
                                    lasts: lasts,
                                    isCarriedOut: isCarriedOut
                                )
                            )
                        }
                    }
                }
            }
        }
        return cases
    }
}

extension FaultBench {
    /// Runs the command under a fault, looks at what is left, and runs it again without the fault
    /// as a user would.
    func check(_ fault: FaultCase) async throws {
        let (first, _, _) = try await run(fault.command, under: fault)
        let story: Comment =
            "\(fault): exit \(first.exit) \(first.run.stdout) \(first.run.stderr)"
        checkEnvelope(first, fault, story)
        checkNothingLost(first, story)
        #expect(FaultExpectation(fault, first).allows(first), story)
        guard first.exit != 0 else { return checkDone(fault.command, first, story) }
        try await recover(fault, from: first, story)
    }

    // MARK: After the fault

    private func checkEnvelope(_ run: FaultRun, _ fault: FaultCase, _ story: Comment) {
        #expect(run.json["schema"] == "dex/2", story)
        #expect(run.json["command"]?.stringValue == fault.command.rawValue, story)
        #expect(run.json["exitCode"] == .integer(run.exit), story)
        #expect(run.json["status"] == (run.exit == 0 ? "ok" : "error"), story)
        guard run.exit != 0 else {
            #expect(run.json["error"]?.isNull == true, story)
            return
        }
        let message = run.json["error"]?["message"]?.stringValue ?? ""
        #expect(message.hasSuffix(".") && message.count <= 500, story)
        #expect(run.code != "failed", story)
        #expect(run.json["error"]?["retryable"]?.boolValue == run.isRetryable, story)
    }

    private func checkNothingLost(_ run: FaultRun, _ story: Comment) {
        let known = Set(run.journal.map(\.hash.hex))
        #expect(run.transactions.isSubset(of: known), "not in the journal: \(story)")
        #expect(run.transactions.count <= 1 && run.journal.count <= 1, story)
        #expect(run.orders.count <= 1 && run.posted <= 1 + (hasOrder ? 1 : 0), story)
        #expect(run.mined + run.waiting <= run.transactions.count, story)
        if let sent = run.journal.first, run.mined + run.waiting > 0 {
            // Whatever may move money is named, so that it can be followed.
            #expect(run.run.stdout.contains(sent.hash.hex), story)
            #expect([0, 12].contains(run.exit), story)
        }
        if run.posted > 0, !hasOrder, run.exit != 0 {
            #expect(run.run.stdout.contains("dex order 0x"), story)
        }
    }

    private func checkDone(_ command: FaultCommand, _ run: FaultRun, _ story: Comment) {
        switch command {
        case .marketBuy, .cancel, .send, .swap:
            #expect(run.mined == 1 && run.waiting == 0, story)
            let sent = run.json["data"]?["transactions"]?.arrayValue?.last
            #expect(sent?["status"] == "mined", story)
        case .placeLimit: #expect(run.posted == 1, story)
        }
    }

    // MARK: Recovery

    private func recover(
        _ fault: FaultCase,
        from first: FaultRun,
        _ story: Comment
    ) async throws {
        let (again, _, _) = try await run(fault.command)
        let both: Comment = "\(story)\nagain: exit \(again.exit) \(again.run.stdout)"
        switch fault.command {
        case .placeLimit:
            // Once on the relay, by the first command or by the second.
            #expect(again.posted == 1, both)
            #expect(
                first.posted == 1 ? again.code == "unacknowledged-order" : again.exit == 0,
                both
            )
            if first.code != "relay-refused" {
                #expect(first.orders.isEmpty || again.orders.isSubset(of: first.orders), both)
            }
        case .marketBuy, .cancel, .send, .swap:
            let live = first.journal.first { $0.stage != .refused }
            guard let live else {
                #expect(again.exit == 0 && again.mined == 1, both)
                return
            }
            // What was signed is all that may ever be mined.
            #expect(again.transactions.isSubset(of: [live.hash.hex]), both)
            #expect(again.mined <= 1, both)
            if fault.command != .cancel || first.mined == 0 {
                let unseen =
                    switch fault.command {
                    case .send: "unacknowledged-send"
                    case .swap: "unacknowledged-swap"
                    default: "unacknowledged-fill"
                    }
                #expect([unseen, "resumed"].contains(again.code), both)
            } else {
                // The relay drops what is cancelled, and this journal never had it.
                #expect(again.exit == 0 || again.code == "unknown-order", both)
            }
            let reported = try await status(live.hash.hex)
            #expect(reported.status == 0, "\(both) \(reported.stdout)")
            #expect(try sandbox.sent(by: trader, after: fault.command.approvals).mined == 1, both)
        }
    }
}

extension FaultRun {
    /// What `retryable` has to say.
    var isRetryable: Bool {
        code.hasSuffix("-unreachable") || code.hasSuffix("-rate-limited")
            || ["book-unread", "order-unconfirmed", "no-liquidity", "swap-paused"].contains(code)
    }
}
