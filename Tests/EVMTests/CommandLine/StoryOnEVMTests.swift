import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@Suite("The command line's story on an EVM")
struct StoryOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    @Test("read, place, buy, sell, fill, follow, cancel: each to the last base unit")
    func story() async throws {
        var scene = Scene()
        scene.isOnPyEVM = true
        scene.watches = true
        for party in Party.traders {
            for token in scene.tokens { scene.allowances[.init(party, token)] = "0" }
        }
        try await EVMStage.run(scene) { stage in
            try await reads(stage)
            try await placing(stage)
            try await book(stage)
            try await buying(stage)
            try await selling(stage)
            try await ownOrder(stage)
        }
    }

    private func reads(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let tokens = try await stage.dex(nil, "tokens ZRX")
        let listed = try tokens.data.list("tokens").filter { $0.at("symbol") == "ZRX" }
        #expect(listed.map { $0.at("address") } == [.string(zrx.address.checksummed)])
        let pairs = try await stage.dex(nil, "pairs")
        #expect(try pairs.data.list("pairs").map { $0.at("pair") } == ["ZRX/WETH"])
        let empty = try await stage.dex(.alice, "orderbook ZRX/WETH")
        #expect(empty.data.at("receivedCount") == 0)
        #expect(empty.data.at("block") == 0)
        _ = try await stage.dex(.alice, "market-buy ZRX/WETH 1", exit: 6, code: "no-liquidity")
        try stage.expect([:], since: before)
    }

    /// Two sellers and a buyer; each approves exactly what the order may draw.
    private func placing(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let bob = try await stage.dex(
            .bob,
            "place-limit sell ZRX/WETH 1000 --price 0.001 --expires 2h"
        )
        let carol = try await stage.dex(.carol, "place-limit sell ZRX/WETH 500 --price 0.0012")
        let dave = try await stage.dex(.dave, "place-limit buy ZRX/WETH 800 --price 0.0009")
        for placed in [bob, carol, dave] {
            #expect(placed.transactions == ["approve mined"])
            #expect(placed.data.at("posted") == true)
            #expect(placed.data.at("order.exchangeContractAddress").stringValue != nil)
        }
        let order = bob.data.at("order")
        #expect(order.at("makerTokenAmount") == "1000000000000000000000")
        #expect(order.at("takerTokenAmount") == "1000000000000000000")
        #expect(order.at("makerFee") == "0" && order.at("takerFee") == "0")
        #expect(dave.data.at("order.makerTokenAmount") == "720000000000000000")
        #expect(try dave.raw("plan.give") == weth("0.72"))
        #expect(try dave.raw("plan.get") == zrx("800"))
        try stage.expect(
            [
                "bob ZRX allowance": zrx("1000"), "carol ZRX allowance": zrx("500"),
                "dave WETH allowance": weth("0.72"),
            ],
            since: before,
            by: bob,
            carol,
            dave
        )
    }

    private func book(_ stage: EVMStage) async throws {
        let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
        #expect(book.data.at("bid") == "0.0009")
        #expect(book.data.at("ask") == "0.001")
        #expect(book.data.at("mid") == "0.00095")
        #expect(book.data.at("receivedCount") == 3 && book.data.at("verifiedCount") == 3)
        #expect(try book.data.list("dropped") == [])
        let asks = try book.data.list("asks")
        #expect(asks.map { $0.at("price") } == ["0.001", "0.0012"])
        #expect(try asks.map { try $0.raw("fillable") } == [zrx("1000"), zrx("500")])
        let makers = [try Party.bob.address, try Party.carol.address]
        #expect(asks.map { $0.at("maker") } == makers.map { .string($0.checksummed) })
        #expect(try book.data.list("bids").map { try $0.raw("fillable") } == [zrx("800")])
        let price = try await stage.dex(.alice, "price ZRX/WETH --side buy --amount 1200")
        #expect(try price.raw("total") == weth("1.24"))
        #expect(price.data.at("average") == "0.00103333333333333333")
        #expect(price.data.at("worst") == "0.0012")
        #expect(price.data.at("impact") == "3.34")
        #expect(price.data.at("orderCount") == 2)
    }

    private func buying(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 1200")
        #expect(bought.transactions == ["approve mined", "fill mined"])
        #expect(bought.outcomes == ["filled", "filled"])
        #expect(try bought.raw("plan.pay.expected") == weth("1.24"))
        #expect(try bought.raw("outcome.paid") == weth("1.24"))
        #expect(try bought.raw("outcome.received") == zrx("1200"))
        #expect(bought.data.at("outcome.effectivePrice") == "0.00103333333333333333")
        #expect(bought.warnings.contains { $0.contains("price impact is 3.34 %") })
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
        // What it may have cost at most was said before, and was there.
        let maximum = try bought.raw("plan.gas.maxCost")
        #expect(try bought.minedTransactions().map(\.cost).reduce(0, +) <= maximum)

        let status = try await stage.dex(
            nil,
            arguments: ["status", bought.text("transactions.-1.hash"), "--wait"]
        )
        #expect(status.data.at("kind") == "transaction")
        #expect(status.data.at("status") == "mined")
        #expect(status.data.at("from") == .string(try Party.alice.address.checksummed))
        #expect(status.data.at("to") == .string(EVMToken.contracts.exchange.checksummed))
        #expect(status.data.at("cost") == bought.data.at("transactions.-1.cost"))
        #expect(status.data.at("gasUsed") == bought.data.at("transactions.-1.gasUsed"))
        let fills = try status.data.list("fills")
        #expect(try fills.map { try $0.raw("received") } == [zrx("1000"), zrx("200")])
        #expect(try fills.map { try $0.raw("paid") } == [weth("1"), weth("0.24")])
    }

    private func selling(_ stage: EVMStage) async throws {
        let before = try stage.ledger()
        let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 300")
        #expect(sold.transactions == ["approve mined", "fill mined"])
        #expect(try sold.raw("outcome.paid") == zrx("300"))
        #expect(try sold.raw("outcome.received") == weth("0.27"))
        #expect(sold.data.at("outcome.effectivePrice") == "0.0009")
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
        let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
        let own = try #require(
            try book.data.list("asks").first { $0.at("orderHash") == .string(hash) }
        )
        #expect(own.at("flags") == ["own"])
        let filled = try await stage.dex(.dave, "fill \(hash) 150 --allow-high-impact")
        // His bid's allowance is enough for this fill, which leaves too little for the bid.
        #expect(filled.transactions == ["fill mined"])
        #expect(filled.warnings.contains { $0.contains("they may be unfunded") })
        #expect(try filled.raw("outcome.received") == zrx("150"))
        #expect(try filled.raw("outcome.paid") == weth("0.3"))
        let partly = try await stage.dex(nil, "status \(hash)")
        #expect(partly.data.at("kind") == "order")
        #expect(partly.data.at("status") == "partly-filled")
        #expect(try partly.raw("orderState.filled") == weth("0.3"))
        #expect(try partly.raw("orderState.remaining") == weth("0.5"))
        #expect(try partly.raw("fills.0.received") == zrx("150"))

        let cancelled = try await stage.dex(.alice, "cancel \(hash)")
        #expect(cancelled.transactions == ["cancel mined"])
        #expect(cancelled.data.at("orders.0.status") == "cancelled")
        #expect(try cancelled.raw("orders.0.filledMeanwhile") == 0)
        #expect(try stage.amount("filled", of: hash) == weth("0.3"))
        #expect(try stage.amount("cancelled", of: hash) == weth("0.5"))
        let status = try await stage.dex(nil, "status \(hash)")
        #expect(status.data.at("status") == "cancelled")
        #expect(try status.raw("orderState.cancelled") == weth("0.5"))
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
        let balance = try await stage.dex(.alice, "balance ETH ZRX WETH")
        let rows = try balance.data.list("balances")
        #expect(rows.map { $0.at("token.symbol") } == ["ETH", "ZRX", "WETH"])
        for row in rows {
            let name = "alice \(try row.text("token.symbol"))"
            #expect(try row.raw("balance") == quiet.holdings[name])
            if name != "alice ETH" {
                #expect(try row.raw("allowance") == quiet.holdings["\(name) allowance"])
            }
        }
        try stage.expect([:], since: quiet)
    }
}
