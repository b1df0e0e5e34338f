import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What `StoryOnEVMTests` tells of 0x v1, on the Exchange Proxy of v4.
@Suite("The command line's story on v4, on an EVM", .serialized)
struct NativeStoryTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    @Test(
        "read, place, buy, sell, fill, follow, cancel on v4: each to the last base unit",
        arguments: OrderSigning.allCases
    )
    func story(_ signing: OrderSigning) async throws {
        var scene = Scene()
        scene.venue = .v4(signing: signing)
        scene.isOnPyEVM = true
        scene.watches = true
        for party in Party.traders {
            for token in scene.tokens { scene.allowances[.init(party, token)] = "0" }
        }
        try await EVMStage.run(scene) { stage in
            try await placing(stage, signing)
            try await book(stage)
            try await buying(stage)
            try await selling(stage)
            try await ownOrder(stage)
        }
    }

    /// Two sellers and a buyer; each approves the exchange itself, for exactly what the order may
    /// draw.
    private func placing(_ stage: EVMStage, _ signing: OrderSigning) async throws {
        let before = try stage.ledger()
        var runs: [CommandRun] = []
        for (party, side, amount, price) in [
            (Party.bob, "sell", "1000", "0.001"), (.carol, "sell", "500", "0.0012"),
            (.dave, "buy", "800", "0.0009"),
        ] {
            let placed = try await stage.dex(
                party,
                "place-limit \(side) ZRX/WETH \(amount) --price \(price)"
            )
            #expect(placed.transactions == ["approve mined"])
            #expect(placed.data.at("posted") == true)
            let order = placed.data.at("order")
            #expect(order.at("chainId") == 1)
            #expect(order.at("signature.signatureType") == (signing == .eip712 ? 2 : 3))
            // The contract makes the same hash of it, and takes it for an order.
            let info = try stage.info(order)
            #expect(info.status == .fillable)
            #expect(placed.data.at("orderHash") == .string(info.orderHash.hex))
            runs.append(placed)
        }
        #expect(runs[0].data.at("order.makerAmount") == "1000000000000000000000")
        #expect(runs[2].data.at("order.makerAmount") == "720000000000000000")
        try stage.expect(
            [
                "bob ZRX allowance": zrx("1000"), "carol ZRX allowance": zrx("500"),
                "dave WETH allowance": weth("0.72"),
            ],
            since: before,
            by: runs[0],
            runs[1],
            runs[2]
        )
    }

    private func book(_ stage: EVMStage) async throws {
        let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
        #expect(book.data.at("bid") == "0.0009" && book.data.at("ask") == "0.001")
        #expect(book.data.at("receivedCount") == 3 && book.data.at("verifiedCount") == 3)
        #expect(try book.data.list("dropped") == [])
        let asks = try book.data.list("asks")
        #expect(try asks.map { try $0.raw("fillable") } == [zrx("1000"), zrx("500")])
        let price = try await stage.dex(.alice, "price ZRX/WETH --side buy --amount 1200")
        #expect(try price.raw("total") == weth("1.24"))
        #expect(price.data.at("orderCount") == 2)
    }

    private func buying(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 1200")
        #expect(bought.transactions == ["approve mined", "fill mined"])
        #expect(try stage.function(bought) == "batchFillLimitOrders")
        #expect(bought.outcomes == ["filled", "filled"])
        #expect(try bought.raw("plan.pay.expected") == weth("1.24"))
        #expect(try bought.raw("outcome.paid") == weth("1.24"))
        #expect(try bought.raw("outcome.received") == zrx("1200"))
        try stage.expect(
            [
                "alice ZRX": zrx("1200"), "alice WETH": weth("-1.24"),
                "bob ZRX": zrx("-1000"), "bob WETH": weth("1"),
                "bob ZRX allowance": zrx("-1000"),
                "carol ZRX": zrx("-200"), "carol WETH": weth("0.24"),
                "carol ZRX allowance": zrx("-200"),
            ],
            since: before,
            by: bought
        )
        let maximum = try bought.raw("plan.gas.maxCost")
        #expect(try bought.minedTransactions().map(\.cost).reduce(0, +) <= maximum)
        let hash = try bought.text("transactions.-1.hash")
        let status = try await stage.dex(nil, "status \(hash) --wait")
        #expect(status.data.at("status") == "mined")
        #expect(status.data.at("to") == .string(stage.contracts.exchange.checksummed))
        let fills = try status.data.list("fills")
        #expect(try fills.map { try $0.raw("received") } == [zrx("1000"), zrx("200")])
        #expect(try fills.map { try $0.raw("paid") } == [weth("1"), weth("0.24")])
    }

    private func selling(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 300")
        #expect(sold.transactions == ["approve mined", "fill mined"])
        #expect(try stage.function(sold) == "fillLimitOrder")
        #expect(try sold.raw("outcome.paid") == zrx("300"))
        #expect(try sold.raw("outcome.received") == weth("0.27"))
        try stage.expect(
            [
                "alice ZRX": zrx("-300"), "alice WETH": weth("0.27"),
                "dave ZRX": zrx("300"), "dave WETH": weth("-0.27"),
                "dave WETH allowance": weth("-0.27"),
            ],
            since: before,
            by: sold
        )
    }

    /// An order of alice's that dave fills in part and that she cancels then.
    private func ownOrder(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let placed = try await stage.dex(.alice, "place-limit sell ZRX/WETH 400 --price 0.002")
        let hash = try placed.text("orderHash")
        let filled = try await stage.dex(.dave, "fill \(hash) 150 --allow-high-impact")
        #expect(filled.transactions == ["fill mined"])
        #expect(try filled.raw("outcome.received") == zrx("150"))
        #expect(try filled.raw("outcome.paid") == weth("0.3"))
        let partly = try await stage.dex(nil, "status \(hash)")
        #expect(partly.data.at("status") == "partly-filled")
        #expect(try partly.raw("orderState.filled") == weth("0.3"))
        #expect(try partly.raw("orderState.remaining") == weth("0.5"))
        let cancelled = try await stage.dex(.alice, "cancel \(hash)")
        #expect(cancelled.transactions == ["cancel mined"])
        #expect(try stage.function(cancelled) == "cancelLimitOrder")
        #expect(cancelled.data.at("orders.0.status") == "cancelled")
        let info = try stage.info(placed.data.at("order"))
        #expect(info.status == .cancelled)
        #expect(try Int128(base: UInt256(info.filled)) == weth("0.3"))
        let status = try await stage.dex(nil, "status \(hash)")
        #expect(status.data.at("status") == "cancelled")
        let why = try await stage.dex(.alice, "why \(hash)")
        #expect(why.data.at("reason") == "cancelled")
        try stage.expect(
            [
                "alice ZRX": zrx("-150"), "alice WETH": weth("0.3"),
                "alice ZRX allowance": zrx("250"),
                "dave ZRX": zrx("150"), "dave WETH": weth("-0.3"),
                "dave WETH allowance": weth("-0.3"),
            ],
            since: before,
            by: placed,
            filled,
            cancelled
        )
        let quiet = try stage.ledger()
        _ = try await stage.dex(.dave, "fill \(hash)", exit: 6, code: "order-cancelled")
        _ = try await stage.dex(.bob, "cancel \(hash)", exit: 6, code: "not-own-order")
        let nothing = try await stage.dex(.alice, "cancel \(hash)")
        #expect(nothing.data.at("closed.0.status") == "cancelled")
        try stage.expect([:], since: quiet)
        try await history(stage, hash)
    }

    /// What alice did, from her journal and then from the chain alone.
    private func history(_ stage: EVMStage, _ hash: String) async throws {
        let kept = try await stage.dex(.alice, "history list --all --reverse")
        let trades = try kept.data.list("trades")
        #expect(trades.map { $0.at("kind") } == ["fill", "fill", "fill", "fill", "cancel"])
        #expect(
            trades.map { $0.at("role") } == ["taker", "taker", "taker", "maker", "maker"]
        )
        #expect(
            try trades.dropLast().map { try $0.raw("baseAmount") }
                == [zrx("1000"), zrx("200"), zrx("300"), zrx("150")]
        )
        let orders = try await stage.dex(.alice, "orders --mine")
        let own = try #require(
            try orders.data.list("orders").first { $0.at("orderHash") == .string(hash) }
        )
        #expect(own.at("status") == "cancelled")
        #expect(try own.list("events").map { $0.at("kind") } == ["fill", "cancel"])
        // Fills tell all of themselves. A cancel names the hash alone, of an order that only the
        // journal knew.
        try stage.forgetJournal()
        let rebuild = try await stage.dex(.alice, "history rebuild --from-block 0")
        #expect(rebuild.data.at("countBefore") == 0)
        #expect(rebuild.data.at("countAfter") == .integer(trades.count - 1))
        let again = try await stage.dex(.alice, "history list --all --reverse")
        #expect(again.data.at("trades") == .array(Array(trades.dropLast())))
    }
}
