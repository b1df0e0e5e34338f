import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@Suite("History and own orders, on an EVM")
struct HistoryOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    @Test("the history that logs and receipts of a chain tell is the one that the journal kept")
    func rebuild() async throws {
        try await EVMStage.run(Scene.aliceApproved(.zrx)) { stage in
            _ = try await stage.ask(by: .bob)
            let bought = try await stage.dex(.alice, "market-buy", "ZRX/WETH", "60")
            #expect(bought.transactions == ["approve mined", "fill mined"])
            let placed = try await stage.dex(
                .alice,
                "place-limit",
                "sell",
                "ZRX/WETH",
                "40",
                "--price",
                "0.002"
            )
            let hash = try placed.text("orderHash")
            _ = try await stage.dex(.dave, "fill", hash, "15", "--allow-high-impact")
            try await checkOwnOrder(stage, hash, status: "partly-filled", events: ["fill"])
            let cancelled = try await stage.dex(.alice, "cancel", "--all")
            #expect(try cancelled.raw("orders.0.cancelled") == weth("0.05"))
            try await checkOwnOrder(stage, hash, status: "cancelled", events: ["fill", "cancel"])

            let kept = try await stage.dex(.alice, "history", "list")
            try checkHistory(kept, bought: bought, cancelled: cancelled)
            // dave's side of the same fill, whose gas he paid.
            let dave = try await stage.dex(.dave, "history", "list")
            #expect(try dave.data.list("trades").map { $0.at("role") } == ["taker"])
            #expect(dave.data.at("trades.0.gas").isNull == false)

            let again = try await rebuilt(stage, by: .alice, from: 0)
            #expect(again.data.at("trades") == kept.data.at("trades"))
            #expect(again.data.at("positions") == kept.data.at("positions"))
            // Once more over what is there: nothing changes.
            let same = try await stage.dex(.alice, "history", "rebuild", "--from-block", "0")
            #expect(same.data.at("before") == 3 && same.data.at("after") == 3)
            #expect(same.data.at("added") == 0 && same.data.at("removed") == 0)
        }
    }

    /// Takes the journal away and derives the history from the chain alone.
    private func rebuilt(
        _ stage: EVMStage,
        by party: Party,
        from block: Int
    ) async throws -> CommandRun {
        try stage.forgetJournal()
        let rebuild = try await stage.dex(
            party,
            "history",
            "rebuild",
            "--from-block",
            "\(block)"
        )
        #expect(rebuild.data.at("before") == 0)
        #expect(rebuild.data.at("added") == rebuild.data.at("after"))
        return try await stage.dex(party, "history", "list")
    }

    private func checkOwnOrder(
        _ stage: EVMStage,
        _ hash: String,
        status: JSONValue,
        events: [JSONValue]
    ) async throws {
        let orders = try await stage.dex(.alice, "orders", "--mine")
        #expect(orders.warnings == [])
        let own = try #require(
            try orders.data.list("orders").first { $0.at("orderHash") == .string(hash) }
        )
        #expect(own.at("status") == status)
        #expect(try own.list("events").map { $0.at("kind") } == events)
        #expect(own.at("events.0.taker") == .string(try Party.dave.address.checksummed))
        #expect(try own.raw("events.0.gives") == zrx("15"))
        #expect(try own.raw("events.0.wants") == weth("0.03"))
        let why = try await stage.dex(.alice, "why", hash)
        #expect(why.data.at("reason") == (status == "cancelled" ? "cancelled" : "fillable"))
    }

    private func checkHistory(
        _ history: CommandRun,
        bought: CommandRun,
        cancelled: CommandRun
    ) throws {
        #expect(history.warnings == [])
        let trades = try history.data.list("trades")
        #expect(trades.map { $0.at("kind") } == ["fill", "fill", "cancel"])
        #expect(trades.map { $0.at("role") } == ["taker", "maker", "maker"])
        #expect(trades.map { $0.at("side") } == ["buy", "sell", "sell"])
        #expect(try trades.map { try $0.raw("base") } == [zrx("60"), zrx("15"), zrx("25")])
        #expect(
            try trades.map { try $0.raw("quote") } == [weth("0.06"), weth("0.03"), weth("0.05")]
        )
        #expect(trades.allSatisfy { $0.at("time").isNull == false })
        // Gas is what the transactions told that they cost.
        #expect(trades[0].at("gas.raw") == bought.data.at("transactions.-1.cost.raw"))
        #expect(trades[1].at("gas").isNull)
        #expect(trades[2].at("gas.raw") == cancelled.data.at("transactions.0.cost.raw"))
        #expect(history.data.at("otherGas.raw") == bought.data.at("transactions.0.cost.raw"))
        // 15 of 60 cost 0.015 of 0.06.
        #expect(trades[1].at("profit.average.value") == "0.015")
        #expect(trades[1].at("profit.fifo.value") == "0.015")
        #expect(try history.raw("positions.0.held") == zrx("45"))
        #expect(history.data.at("positions.0.average.cost.value") == "0.045")
    }
}
