import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What a model does with `dex mcp` on the sandbox, from look to outcome.
@Suite("Plans of agents, end to end")
struct PlanStoryTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
    }

    private static func count(_ sandbox: TestSandbox, _ account: JSONValue?) throws -> String {
        let address = try #require(account?.stringValue)
        return try #require(
            sandbox.call("eth_getTransactionCount", "\"\(address)\",\"pending\"").stringValue
        )
    }

    private static func left(_ client: ModelClient, _ token: String) async throws -> String? {
        let rows = try await client.call("limits").data?["tokens"]?.arrayValue
        let row = rows?.first { $0["token"]?["symbol"]?.stringValue == token }
        return row?["left"]?["value"]?.stringValue
    }

    @Test("a plan moves nothing, is carried out once, and tells the same from every server")
    func story() async throws {
        let home = try AgentHome(dex)
        try await dex.withSandbox { sandbox in
            let first = try home.server()
            let look = try await first.call("price", ["pair": "ZRX/WETH"])
            #expect(look.data?["bid"]?.isNull == false, "\(look)")
            #expect(try await Self.left(first, "WETH") == "0.02")

            let (id, planned) = try await first.planBuy("1")
            #expect(planned["approval"] == false && planned["why"]?.isNull == true)
            #expect(planned["approve"]?.stringValue == "dex approve \(id)")
            #expect(planned["exitCode"]?.isNull == true && planned["outcome"]?.isNull == true)
            #expect(planned["transactions"] == [])
            #expect(try Self.count(sandbox, planned["account"]) == "0x0")
            let before = try await dex.balance("ZRX", of: "alice").units()
            #expect(try await first.end() == 0)
            #expect(try await home.state(of: id) == "open")

            // Another server goes on where that one ended.
            let server = try home.server()
            let done = try await server.execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
            let data = try #require(done.data)
            let purposes = data["transactions"]?.arrayValue?.map { $0["purpose"] }
            #expect(purposes == ["approve", "fill"], "\(done)")
            let received = try #require(data["outcome"]?["received"]).units()
            #expect(try await dex.balance("ZRX", of: "alice").units() == before + received)
            #expect(received >= (try #require(planned["receives"]).units()))
            let paid = try #require(data["outcome"]?["paid"]).units()
            #expect(paid <= (try #require(planned["pays"]).units()), "\(done)")
            #expect(try await Self.left(server, "WETH") == "0.01924939")

            let third = try home.server()
            for client in [server, third] {
                #expect(try await client.execute(id).data == data)
                let reported = try await client.call("plans", ["plan": .string(id)])
                #expect(reported.data == data)
            }
            #expect(try await third.call("plans").data == ["plans": []])
            // A server is of one account.
            let other = try await home.server(wallet: "bob").execute(id)
            #expect(other.code == "no-such-plan" && other.exit == 2, "\(other)")
            #expect(try await home.plan(id)["outcome"] == data["outcome"])
            #expect(try Self.count(sandbox, planned["account"]) == "0x2")
            // What a plan signed stops no command of the user's.
            let own = try await dex.run(
                "market-buy --via book ZRX/WETH 1 --wallet alice --yes --json"
            )
            #expect(own.status == 0, "\(own.stdout)")
        }
    }

    @Test("an order is posted with the plan's amounts, and cancelled by another plan")
    func order() async throws {
        let home = try AgentHome(dex)
        try await dex.withSandbox { _ in
            let server = try home.server()
            let (id, planned) = try await server.plan(
                "plan_limit",
                ["pair": "ZRX/WETH", "side": "sell", "amount": "2", "price": "0.01"]
            )
            let placed = try await server.execute(id)
            #expect(placed.state == "ended" && placed.exit == 0, "\(placed)")
            let mine = try await dex.data("orders", "--mine", "--wallet", "alice")
            let rows = try #require(mine["orders"]?.arrayValue)
            try #require(rows.count == 1, "\(mine.text)")
            let hash = try #require(rows[0]["orderHash"]?.stringValue, "\(mine.text)")
            #expect(placed.data?["outcome"] == ["orderHash": .string(hash)], "\(placed)")
            #expect(rows[0]["price"] == "0.01", "\(mine.text)")
            for key in ["pays", "receives"] {
                let raw = try #require(planned[key]?["raw"]?.stringValue)
                #expect(rows[0].text.contains("\"\(raw)\""), "\(key): \(mine.text)")
            }
            let reported = try await server.call("orders")
            #expect(reported.data?["orders"]?.arrayValue?.count == 1, "\(reported)")

            let (cancel, _) = try await server.plan("plan_cancel", ["orders": [.string(hash)]])
            let done = try await server.execute(cancel)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
            let rest = try #require(done.data?["outcome"]?["orders"]?.arrayValue, "\(done)")
            #expect(rest.map { $0["orderHash"] } == [.string(hash)], "\(done)")
            #expect(rest.map { $0["status"] } == ["cancelled"], "\(done)")
            let why = try await server.call("why", ["order": .string(hash)])
            #expect(why.description.contains("cancelled"), "\(why)")
            // What an order offered counts until it can be filled no more.
            #expect(try await Self.left(server, "ZRX") == "8")
        }
    }

    @Test("each venue trades within the plan's bounds", arguments: ["book", "pools", "swap"])
    func venues(venue: String) async throws {
        let home = try AgentHome(dex)
        try await dex.withSandbox { _ in
            let server = try home.server()
            let (id, planned) = try await server.planBuy("1", via: venue)
            let before = try await dex.balance("WETH", of: "alice").units()
            let done = try await server.execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
            let after = try await dex.balance("WETH", of: "alice").units()
            #expect(after < before)
            #expect(before - after <= (try #require(planned["pays"]).units()))
            let received = try #require(done.data?["outcome"]?["received"]).units()
            #expect(received >= (try #require(planned["receives"]).units()))
            // Either side of the market, and the amount by what is spent.
            let (sale, _) = try await server.plan(
                "plan_trade",
                [
                    "pair": "ZRX/WETH", "side": "sell", "amount": "0.5",
                    "via": .string(venue),
                ]
            )
            let sold = try await server.execute(sale)
            #expect(sold.state == "ended" && sold.exit == 0, "\(sold)")
            let (spending, spends) = try await server.plan(
                "plan_trade",
                [
                    "pair": "ZRX/WETH", "side": "buy", "spend": "0.001",
                    "via": .string(venue),
                ]
            )
            #expect(try #require(spends["pays"]).units() <= 1_000_000_000_000_000)
            let spent = try await server.execute(spending)
            #expect(spent.state == "ended" && spent.exit == 0, "\(spent)")
        }
    }

    @Test("each ring has its tools, the same in every process, and names what is missing")
    func rings() async throws {
        let home = try AgentHome(dex, policy: nil)
        try await dex.withSandbox { _ in
            let look = [
                "price", "orderbook", "pairs", "tokens", "chart", "balance", "orders", "why",
                "status", "history", "limits",
            ]
            let plan = look + ["plan_trade", "plan_limit", "plan_cancel", "plans"]
            for (ring, expected) in [("look", look), ("plan", plan), ("do", plan)] {
                let client = try home.server(allow: ring)
                #expect(try await client.tools() == expected, "\(ring)")
                let refused = try await client.execute("0123456789abcdef")
                #expect(refused.code == "not-allowed" && refused.exit == 6, "\(refused)")
                #expect(
                    refused.description.contains(ring == "do" ? "[mcp]" : "--allow do"),
                    "\(refused)"
                )
            }
            let unallowed = try await home.server(allow: "look")
                .call("plan_trade", ModelClient.buying("1"))
            #expect(unallowed.code == "not-allowed", "\(unallowed)")
            #expect(unallowed.description.contains("--allow plan"), "\(unallowed)")
            // Without [mcp] a plan waits for a person from the start.
            let planner = try home.server(allow: "plan")
            let (_, planned) = try await planner.planBuy("1")
            #expect(planned["approval"] == true, "\(planned.text)")
            #expect(planned["why"]?.stringValue?.contains("[mcp]") == true, "\(planned.text)")
            #expect(try await planner.call("limits").data?["tokens"] == [])

            try home.write(AgentHome.policy, to: "policy.toml")
            var lists: Set<String> = []
            for _ in 0..<2 {
                let client = try home.server()
                #expect(try await client.tools() == plan + ["execute"])
                let list = try await client.answer(to: client.request("tools/list", [:]))
                let text = try #require(list.message["result"]).text
                #expect(text.utf8.count <= 12 << 10)
                lists.insert(text)
            }
            #expect(lists.count == 1)
            // Nobody at a terminal speaks the protocol, and nothing is agreed to beforehand.
            let typed = try await dex.converse(["mcp"], [])
            #expect(typed.run.status == 2, "\(typed)")
            #expect(typed.run.stderr.contains("mcpServers"), "\(typed)")
            for flag in ["--yes", "--dry-run", "--json"] {
                let refused = try await dex.run("mcp \(flag)")
                #expect(refused.status == 2, "\(refused)")
            }
            // Nothing in an argument is a yes.
            let server = try home.server()
            for key in ["yes", "confirm", "acknowledged"] {
                let reply = try await server.call(
                    "execute",
                    ["plan": "0123456789abcdef", key: true]
                )
                #expect(reply.code == "bad-arguments" && reply.exit == 2, "\(reply)")
            }
            let unknown = try await server.execute("0123456789abcdef")
            #expect(unknown.code == "no-such-plan" && unknown.exit == 2, "\(unknown)")
        }
    }
}
