import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// What a person does about plans: `dex approve`.
@Suite("A person's yes and no to plans")
struct PlanPersonTests {
    private let dex: DexBinary
    private let home: AgentHome

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        home = try AgentHome(dex)
    }

    private func states() async throws -> [String: String] {
        let plans = try await dex.data("approve", "list")["plans"]?.arrayValue
        return Dictionary(
            uniqueKeysWithValues: try #require(plans).map {
                ($0["planId"]?.stringValue ?? "", $0["state"]?.stringValue ?? "")
            }
        )
    }

    @Test("beyond a limit a plan waits; a person's y carries it out, and execute returns that")
    func yes() async throws {
        try await dex.withSandbox { _ in
            let server = try home.server()
            let (id, planned) = try await server.planBuy("100")
            #expect(planned["approval"] == true, "\(planned.text)")
            let why = planned["why"]?.stringValue ?? ""
            #expect(why.contains("mcp.max_per_trade.WETH"), "\(why)")
            let before = try await dex.balance("WETH", of: "alice").units()
            for wait in [nil, 0, 1] {
                let waits = try await server.execute(id, wait: wait)
                #expect(waits.state == "waiting", "\(waits)")
                #expect(waits.data?["approve"]?.stringValue == "dex approve \(id)", "\(waits)")
            }
            #expect(try await states() == [id: "waiting"])
            #expect(try await dex.balance("WETH", of: "alice").units() == before)
            #expect(try home.audit().isEmpty)

            // Without a terminal nobody says yes.
            let blind = try await dex.run("approve \(id)")
            #expect(blind.status == 2 && blind.stderr.contains("no terminal"), "\(blind)")
            for flag in ["--yes", "--json"] {
                let refused = try await dex.run("approve \(id) \(flag)")
                #expect(refused.status == 2, "\(refused)")
            }
            let watching = try await dex.run("approve --watch")
            #expect(watching.status == 2, "\(watching)")
            // Nor does what was typed before the question; an empty line is a no.
            let no = try await dex.converse(
                ["approve", id],
                ahead: "y\n",
                [(AgentHome.question, "\n")]
            )
            #expect(no.run.status == 20, "\(no)")
            #expect(try await home.state(of: id) == "waiting")
            let plain = try await dex.converse(["approve", id], [(AgentHome.question, "n\n")])
            #expect(plain.run.status == 20, "\(plain)")
            #expect(try await home.state(of: id) == "waiting")
            #expect(try home.audit().isEmpty)

            let call = server.beginExecute(id, wait: 300)
            let yes = try await dex.converse(
                ["approve", String(id.prefix(6))],
                [(AgentHome.question, "y\n")]
            )
            #expect(yes.run.status == 0, "\(yes)")
            // The client's own name for itself is shown as that.
            #expect(yes.shown.contains("probe") || yes.run.stdout.contains("probe"), "\(yes)")
            let done = try await server.answer(to: call)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
            #expect(done.hashes.count == 2, "\(done)")
            let paid = try #require(done.data?["outcome"]?["paid"]).units()
            #expect(try await dex.balance("WETH", of: "alice").units() == before - paid)
            let lines = try home.signed(for: id)
            #expect(!lines.isEmpty && lines.allSatisfy { $0["origin"] == "approve" })
            // A yes uses up nothing of [mcp].
            let left = try await server.call("limits").data?["tokens"]?.arrayValue
            #expect(left?.first { $0["token"]?["symbol"] == "WETH" }?["left"]?["value"] == "0.02")

            let again = try await dex.converse(["approve", id], [])
            #expect(again.run.status == 6, "\(again)")
            #expect(again.run.stderr.contains("has ended"), "\(again)")
            #expect(try await server.execute(id).data == done.data)
            #expect(try await states() == [:])
        }
    }

    @Test("a declined plan, an old one and an unknown one are carried out by nobody")
    func closed() async throws {
        try await dex.withSandbox { _ in
            let server = try home.server()
            let (id, _) = try await server.planBuy("1")
            #expect(try await server.call("plans").data?["plans"]?.arrayValue?.count == 1)
            let dry = try await dex.run("approve no \(id) --dry-run")
            #expect([0, 30].contains(dry.status), "\(dry)")
            #expect(try await home.state(of: id) == "open")
            for _ in 0..<2 {
                let no = try await dex.run("approve no \(id)")
                #expect(no.status == 0, "\(no)")
            }
            let (late, _) = try await server.planBuy("1")
            try await home.expire(late)
            for (plan, state) in [(id, "declined"), (late, "expired")] {
                #expect(try await home.state(of: plan) == state)
                let refused = try await server.execute(plan)
                #expect(refused.code == "plan-\(state)" && refused.exit == 6, "\(refused)")
                #expect(refused.planID == plan && refused.state == state, "\(refused)")
                let approved = try await dex.converse(["approve", plan], [])
                #expect(approved.run.status == 6, "\(approved)")
                #expect(try await home.plan(plan)["approve"]?.isNull == true)
            }
            #expect(try await server.call("plans").data?["plans"] == [])
            // Whoever waits for a person learns of a no.
            let (large, _) = try await server.planBuy("100")
            let call = server.beginExecute(large, wait: 300)
            try await until("the plan to wait") { try await home.state(of: large) == "waiting" }
            let no = try await dex.run("approve no \(large.prefix(4))")
            #expect(no.status == 0, "\(no)")
            let declined = try await server.answer(to: call)
            #expect(declined.code == "plan-declined" && declined.exit == 6, "\(declined)")
            #expect(try home.audit().isEmpty)
            // Fewer than four digits name none.
            for words in ["show 0123456789abcdef", "no 0123456789abcdef", "no \(id.prefix(3))"] {
                let unknown = try await dex.run("approve \(words) --json")
                #expect(unknown.status == 2, "\(unknown)")
                #expect(try unknown.json()["error"]?["code"] == "no-such-plan")
            }
        }
    }

    @Test("when the market leaves a plan's bounds it is ended, and nothing is signed")
    func moved() async throws {
        try await dex.withSandbox { _ in
            let server = try home.server()
            let (id, _) = try await server.plan(
                "plan_trade",
                [
                    "pair": "ZRX/WETH", "side": "buy", "amount": "1", "via": "book",
                    "slippage": "0.1",
                ]
            )
            let (other, _) = try await server.planBuy("100")
            let bought = try await dex.run(
                "market-buy --via book ZRX/WETH 3000 --slippage 5 --wallet bob --yes --json"
            )
            try #require(bought.status == 0, "\(bought.stdout)")
            for _ in 0..<2 {
                let moved = try await server.execute(id)
                #expect(moved.code == "plan-moved" && moved.exit == 6, "\(moved)")
                #expect(moved.state == "ended", "\(moved)")
            }
            let approved = try await dex.converse(["approve", other], [])
            #expect(approved.run.status == 6, "\(approved)")
            #expect(approved.run.stderr.contains("does not hold any more"), "\(approved)")
            #expect(try await home.plan(other)["error"]?["code"] == "plan-moved")
            #expect(try home.audit().allSatisfy { $0["plan"] == nil })
            let (new, _) = try await server.planBuy("1")
            let done = try await server.execute(new)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
        }
    }

    @Test("sixteen plans can be open or wait at a time")
    func tooMany() async throws {
        try await dex.withSandbox { _ in
            let server = try home.server(allow: "plan")
            let order: JSONValue = [
                "pair": "ZRX/WETH", "side": "sell", "amount": "1", "price": "0.01",
            ]
            var plans: [String] = []
            for _ in 0..<16 { plans.append(try await server.plan("plan_limit", order).id) }
            #expect(Set(plans).count == 16)
            let refused = try await server.call("plan_limit", order)
            #expect(refused.code == "too-many-plans" && refused.exit == 6, "\(refused)")
            let no = try await dex.run("approve no \(plans[0]) \(plans[1])")
            #expect(no.status == 0, "\(no)")
            #expect(try await states().count == 14)
            _ = try await server.plan("plan_limit", order)
        }
    }

    @Test("--watch asks once about each plan as it begins to wait")
    func watch() async throws {
        try await dex.withSandbox { _ in
            let server = try home.server()
            var plans: [String] = []
            for amount in ["30", "31", "32"] {
                plans.append(try await server.planBuy(amount).id)
            }
            // None waits yet; the first begins to when the watch has begun.
            let home = home
            let ids = plans
            let asked = Mutex(0)
            async let watched = dex.converse(
                ["approve", "--watch"],
                [
                    (AgentHome.question, "n\n"), (AgentHome.question, "y\n"),
                    (AgentHome.question, Conversation.interrupt),
                ],
                atPrompt: { _ in asked.withLock { $0 += 1 } }
            )
            #expect(try await server.execute(ids[0]).state == "waiting")
            try await until("the first question", looks: 30_000) { asked.withLock { $0 } == 1 }
            // It begins to wait while the first question may not be answered yet.
            let second = try await server.execute(ids[1], wait: 300)
            #expect(second.state == "ended" && second.exit == 0, "\(second)")
            #expect(try await home.state(of: ids[0]) == "waiting")
            #expect(try await server.execute(ids[2]).state == "waiting")
            let end = try await watched
            #expect(end.run.status == 130, "\(end)")
            let shown = end.shown + end.run.stdout + end.run.stderr
            for id in ids {
                let heads = shown.components(separatedBy: "Plan \(id)").count - 1
                #expect(heads == 1, "\(id): \(end)")
            }
            #expect(try await home.state(of: ids[0]) == "waiting")
            #expect(try await home.state(of: ids[2]) == "waiting")
            #expect(try Set(home.audit().compactMap { $0["plan"]?.stringValue }) == [ids[1]])
        }
    }

    @Test("what a command of the user's did and never told stops plans until dex resume")
    func unavailable() async throws {
        try await dex.withSandbox { _ in
            let server = try home.server()
            let (id, _) = try await server.planBuy("1")
            let unheard = try await dex.run(
                DexBinary.words(["market-buy --via book ZRX/WETH 1 --wallet alice --yes --json"]),
                environment: [:],
                under: ["/bin/sh", "-c", #"exec "$0" "$@" > /dev/full"#],
                program: DexBinary.executable.path
            )
            #expect(unheard.status == 15, "\(unheard)")
            // A model's call is nobody who saw it.
            for _ in 0..<2 {
                let stopped = try await server.execute(id)
                #expect(stopped.code == "unacknowledged-fill", "\(stopped)")
                #expect(stopped.state == "open", "\(stopped)")
                #expect(stopped.description.contains("dex resume"), "\(stopped)")
                #expect(!stopped.description.contains("--despite"), "\(stopped)")
            }
            let unplanned = try await server.call("plan_trade", ModelClient.buying("1"))
            #expect(unplanned.code == "ok" || unplanned.description.contains("dex resume"))
            let reported = try await dex.data("resume", "--wallet", "alice")
            #expect(reported["items"]?.arrayValue?.isEmpty == false)
            let done = try await server.execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
        }
    }
}
