import DexTestSupport
import Foundation
import GRDB
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// Nodes and relays that fail or say nothing while a plan is carried out.
@Suite("Plans before servers that fail")
struct PlanFaultTests {
    /// How a server fails.
    enum Fault: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case relayErrs
        case relayHangs
        case nodeErrs
        case nodeHangs
        /// The node takes the transaction and never says so.
        case broadcastHangs
        /// The node answers the broadcast with an error, and has taken it all the same.
        case broadcastErrs

        var testDescription: String { rawValue }
        var isOfRelay: Bool { self == .relayErrs || self == .relayHangs }

        func decide(_ request: ScriptedRequest) -> Interposer.Decision {
            let isBroadcast = request.methods.contains("eth_sendRawTransaction")
            switch self {
            case .relayErrs:
                return .take { $0.write(FaultKind.error(isOfRelay: true)) }
            case .nodeErrs:
                return .take { $0.write(FaultKind.error(isOfRelay: false)) }
            case .relayHangs, .nodeHangs: return .take { $0.waitForClose() }
            case .broadcastHangs:
                return isBroadcast ? .replace { connection, _ in connection.waitForClose() } : .pass
            case .broadcastErrs:
                return isBroadcast
                    ? .replace { connection, _ in
                        connection.write(FaultKind.error(isOfRelay: false))
                    } : .pass
            }
        }
    }

    @Test(
        "the call answers within its wait, and the plan is carried out once by an honest server",
        arguments: Fault.allCases
    )
    func fault(fault: Fault) async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            let (id, planned) = try await home.server().planBuy("1")
            let account = try #require(planned["account"]?.stringValue)
            let node = try Interposer(before: sandbox.rpc) { request, _ in
                fault.isOfRelay ? .pass : fault.decide(request)
            }
            let relay = try Interposer(before: sandbox.relay) { request, _ in
                fault.isOfRelay ? fault.decide(request) : .pass
            }
            let server = try home.server([
                "--rpc", node.url, "--relay", "\(relay.url)/v0", "--timeout", "600",
            ])
            let first = try await server.execute(id, wait: 3)
            #expect(!first.isGone, "\(fault)")
            let states =
                fault == .broadcastHangs || fault == .broadcastErrs
                ? ["running", "ended", "interrupted"] : ["open"]
            #expect(states.contains(first.state), "\(fault): \(first)")
            // The same server still answers what needs no other.
            #expect(try await server.call("tokens", ["limit": 1]).code == "ok")
            server.kill()
            _ = try await server.status()

            let honest = try home.server()
            var done = try await honest.execute(id)
            if done.code == "plan-interrupted" {
                // Only an approval had been signed.
                let (next, _) = try await honest.planBuy("1")
                done = try await honest.execute(next)
            }
            #expect(done.state == "ended" && done.exit == 0, "\(fault): \(first) \(done)")
            let count = try sandbox.call(
                "eth_getTransactionCount",
                "\"\(account)\",\"pending\""
            )
            #expect(count == "0x2", "\(fault): \(done)")
            let fills = try home.audit().filter {
                $0["event"] == "authorized" && $0["purpose"] == "fill"
            }
            #expect(fills.count == 1, "\(fault)")
        }
    }

    @Test("a call that is withdrawn before the plan is taken moves nothing")
    func withdrawn() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            let asked = Mutex(false)
            let node = try Interposer(before: sandbox.rpc) { _, _ in
                asked.withLock { $0 = true }
                return .take { $0.waitForClose() }
            }
            let (id, _) = try await home.server().planBuy("1")
            let server = try home.server(["--rpc", node.url, "--timeout", "600"])
            let call = server.beginExecute(id)
            try await until("a request of the execution") { asked.withLock { $0 } }
            server.cancel(call)
            // An answered call behind it shows that the withdrawal was read.
            #expect(try await server.call("limits").code == "ok")
            #expect(try await server.end() == 0)
            #expect(!server.isAnswered(call))
            #expect(try home.audit().isEmpty)
            let done = try await home.server().execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
        }
    }

    @Test("at the time limit a plan runs on, and later calls find what became of it")
    func unmined() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n[trade]\nreceipt_timeout = 2\n")
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            _ = try await dex.data("allowance", "set", "WETH", "1", "--wallet", "alice", "--yes")
            let server = try home.server()
            let (id, _) = try await server.planBuy("1")
            try sandbox.call("evm_setAutomine", "false")
            // The command that does the same would end with 12 here.
            for wait in [nil, 1, 3] {
                let running = try await server.execute(id, wait: wait)
                #expect(running.state == "running" && running.exit == nil, "\(running)")
                #expect(running.hashes.count == 1, "\(running)")
            }
            let reported = try await home.server().call("plans", ["plan": .string(id)])
            #expect(reported.state == "running" && reported.hashes.count == 1, "\(reported)")
            try sandbox.call("evm_setAutomine", "true")
            try sandbox.call("evm_mine")
            let done = try await server.execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
            #expect(done.hashes == reported.hashes, "\(done)")
        }
    }

    @Test("plans of one account are carried out one after another, whatever the server")
    func turns() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            let (first, second) = (try home.server(), try home.server())
            let (id, _) = try await first.planBuy("1")
            let (next, _) = try await second.planBuy("1")
            try sandbox.call("evm_setAutomine", "false")
            let running = try await first.execute(id, wait: 3)
            #expect(running.state == "running", "\(running)")
            let late = try await second.execute(next, wait: 1)
            #expect(late.code == "pending-transaction" && late.exit == 12, "\(late)")
            #expect(late.failure?["error"]?["retryable"] == true, "\(late)")
            #expect(late.state == "open", "\(late)")
            // It waits for its turn, and takes it.
            let call = second.beginExecute(next, wait: 300)
            try sandbox.call("evm_setAutomine", "true")
            try sandbox.call("evm_mine")
            for done in [try await first.execute(id), try await second.answer(to: call)] {
                #expect(done.state == "ended" && done.exit == 0, "\(done)")
            }
        }
    }

    @Test("once a plan is taken, neither a withdrawal nor the end of the input takes it back")
    func taken() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            _ = try await dex.data("allowance", "set", "WETH", "1", "--wallet", "alice", "--yes")
            for isWithdrawn in [true, false] {
                let server = try home.server()
                let (id, _) = try await server.planBuy("1")
                try sandbox.call("evm_setAutomine", "false")
                let call = server.beginExecute(id)
                let other = try home.server()
                try await until("the plan's transaction") {
                    try await other.call("plans", ["plan": .string(id)]).hashes.count == 1
                }
                if isWithdrawn {
                    server.cancel(call)
                    #expect(try await server.call("limits").code == "ok")
                } else {
                    #expect(try await server.end() == 0)
                }
                try sandbox.call("evm_setAutomine", "true")
                try sandbox.call("evm_mine")
                let done = try await other.execute(id)
                #expect(done.state == "ended" && done.exit == 0, "\(done)")
                #expect(done.hashes.count == 1, "\(done)")
                #expect(!server.isAnswered(call))
                #expect(try home.signed(for: id).count == 1)
            }
        }
    }

    @Test("a trade whose end the journal refuses is no failure: the next call finds its fill")
    func unrecorded() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            let server = try home.server()
            let (id, _) = try await server.planBuy("1")
            let file = dex.home.appending(path: "sandbox/journal.sqlite")
            let journal = try DatabaseQueue(path: file.path)
            try await journal.write {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER full BEFORE UPDATE OF outcome ON agent_plans
                        WHEN json_extract(NEW.outcome, '$.exitCode') = 0
                        BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
                        """
                )
            }
            let refused = try await server.execute(id)
            #expect(refused.exit == 1 && refused.state == "running", "\(refused)")
            try await journal.write { try $0.execute(sql: "DROP TRIGGER full") }
            let done = try await server.execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(refused) \(done)")
            let fills = try home.audit().filter {
                $0["event"] == "authorized" && $0["purpose"] == "fill"
            }
            #expect(fills.count == 1)
        }
    }
}
