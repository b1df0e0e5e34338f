import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Synchronization
import Testing
import ZeroEx

/// Eight servers of one account, which plan and execute at once and are killed at random, against
/// the limits of one day.
struct PlanCrowd: Sendable {
    let seed: UInt64

    private static let servers = 8
    /// Of each server: more than the day's limit allows to all.
    private static let attempts = 3
    private static let milliether = UInt256(1_000_000_000_000_000)
    /// WETH and ETH, in milliether; a purchase of 1 ZRX takes three quarters of one.
    private static let maximum = (weth: UInt256(4), ether: UInt256(5))

    private static let policy = """
        [mcp]
        networks = ["sandbox"]
        [mcp.max_per_trade]
        WETH = "0.001"
        ETH = "0.002"
        [mcp.max_per_day]
        WETH = "0.004"
        ETH = "0.005"

        """

    func run() async throws {
        try await DexBinary().withSandbox { sandbox in
            let trader = try #require(
                try await sandbox.traders(0..<1, isApproved: false).first
            )
            let kill = try KillBench(sandbox: sandbox, trader: trader, command: .firstBuy)
            let home = try AgentHome(kill.dex, policy: Self.policy)
            try await home.importWallet(of: trader)
            try await home.unlock()
            let before = try Self.balances(sandbox, trader)
            let stories = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<Self.servers {
                    group.addTask {
                        try await serve(UInt64(number), home, sandbox)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let words = "DEX_KILL_SEED, round \(seed): \(stories.joined(separator: "\n"))"
            // What was signed is sent, and sent only once.
            let reported = try await kill.run(["resume"])
            #expect(reported.exit == 0, "\(reported) \(words)")
            try await reachLimit(home, sandbox, words)
            let after = try Self.balances(sandbox, trader)
            let paid = (weth: before.weth - after.weth, ether: before.ether - after.ether)
            #expect(paid.weth > .zero && paid.ether > .zero, "nothing was traded: \(words)")
            #expect(paid.weth <= Self.maximum.weth * Self.milliether, "\(paid) \(words)")
            #expect(paid.ether <= Self.maximum.ether * Self.milliether, "\(paid) \(words)")
            let authorized = try home.audit().filter { $0["event"] == "authorized" }
            #expect(authorized.allSatisfy { $0["origin"] == "mcp" }, "\(words)")
            // No plan was signed for twice.
            let fills = authorized.filter { $0["purpose"] == "fill" }
                .compactMap { $0["plan"]?.stringValue }
            #expect(Set(fills).count == fills.count, "\(fills) \(words)")
            try await home.lock()
        }
    }

    /// Trades until the day's limit stops it, as it may not have before.
    private func reachLimit(
        _ home: AgentHome,
        _ sandbox: TestSandbox,
        _ words: String
    ) async throws {
        // Those that were killed before they were carried out take the room of others.
        let left = try await home.dex.data("approve", "list")["plans"]?.arrayValue ?? []
        let ids = left.compactMap { $0["planId"]?.stringValue }
        if !ids.isEmpty {
            let no = try await home.dex.run(["approve", "no"] + ids)
            #expect(no.status == 0, "\(no) \(words)")
        }
        let server = try home.server(
            wallet: AgentHome.wallet,
            ["--network", "sandbox", "--rpc", sandbox.rpc, "--relay", sandbox.relay]
        )
        // Four of them are the most that the day allows.
        for _ in 0..<5 {
            let planned = try await server.call("plan_trade", ModelClient.buying("1"))
            let id = try #require(planned.planID, "\(planned) \(words)")
            let reply = try await server.execute(id)
            guard reply.state == "waiting" else {
                #expect(reply.state == "ended" && reply.exit == 0, "\(reply) \(words)")
                continue
            }
            let why = reply.data?["why"]?.stringValue ?? ""
            #expect(why.contains("mcp.max_per_day"), "\(reply) \(words)")
            return
        }
        Issue.record("no limit was reached: \(words)")
    }

    /// Plans and executes; each server may be killed at a request, and is followed by another.
    private func serve(
        _ number: UInt64,
        _ home: AgentHome,
        _ sandbox: TestSandbox
    ) async throws -> String {
        var generator = SeededGenerator(seed: seed &* 100 &+ number)
        var story = "server \(number):"
        for _ in 0..<Self.attempts {
            // A plan and its execution make about thirty.
            let last = generator.chance(60) ? generator.below(40) : .max
            let running = Mutex<ModelClient?>(nil)
            let node = try Interposer(before: sandbox.rpc) { _, number in
                guard number == last else { return .pass }
                return .take { _ in running.withLock { $0 }?.kill() }
            }
            let client = try home.server(
                wallet: AgentHome.wallet,
                [
                    "--network", "sandbox", "--rpc", node.url, "--relay", sandbox.relay,
                    "--timeout", "600",
                ]
            )
            running.withLock { $0 = client }
            let planned = try await client.call("plan_trade", ModelClient.buying("1"))
            story += " \(planned.code)"
            guard let plan = planned.planID else {
                client.kill()
                continue
            }
            let reply = try await client.execute(plan, wait: 60)
            story += " \(plan) \(reply.isGone ? "killed" : "\(reply.state) \(reply.code)")"
            client.kill()
            _ = try await client.status()
        }
        return story
    }

    private static func balances(
        _ sandbox: TestSandbox,
        _ trader: FaultTrader
    ) throws -> (weth: UInt256, ether: UInt256) {
        let account = "\"\(trader.address.checksummed)\",\"latest\""
        let data = Hex.encode(ERC20.balanceOf(trader.address))
        let call = #"{"to":"\#(FaultTrader.weth.checksummed)","data":"\#(data)"},"latest""#
        let answers = try sandbox.batch([("eth_call", call), ("eth_getBalance", account)])
            .map { try #require($0.stringValue) }
        let digits = String(answers[1].dropFirst(2))
        let padded = String(repeating: "0", count: 64 - digits.count) + digits
        return (
            UInt256(try Bytes32(hex: answers[0])), UInt256(try Bytes32(hex: "0x" + padded))
        )
    }
}
