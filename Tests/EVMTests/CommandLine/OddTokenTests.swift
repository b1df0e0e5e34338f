import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Tokens that are dear to query, keep a fee, or tell nothing.
@Suite("Odd tokens, on an EVM", .serialized)
struct OddTokenTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    // MARK: Dear to query

    @Test("a token that is dear to query: orders that are gone are skipped with an access list")
    func heavy() async throws {
        let link = EVMToken.link
        var scene = Scene(with: link)
        scene.allowances[.init(.alice, weth)] = "1000"
        try await EVMStage.run(scene) { stage in
            let best = try await stage.post(by: .bob, sells: (link, "100"), wants: (weth, "0.5"))
            _ = try await stage.post(by: .carol, sells: (link, "100"), wants: (weth, "0.5005"))
            let before = try stage.ledger()
            // The maker's tokens go right before the fill.
            stage.overtake(
                with: try await stage.transfer(link, "10000", from: .bob, to: .dave)
            )
            let bought = try await stage.dex(.alice, "market-buy LINK/WETH 100")
            #expect(
                bought.outcomes == [
                    "skipped: the maker's or taker's balance or allowance was short", "filled",
                ]
            )
            #expect(try bought.text("plan.steps.0.summary").hasSuffix("with an access list"))
            #expect(bought.data.at("outcome.orders.0.orderHash") == .string(best.hash.hex))
            let fill = try stage.kind(of: bought.text("transactions.0.hash"))
            #expect(fill.type == "0x2" && fill.slots > 0)
            // 0.5 / 0.005005.
            let received: Int128 = 99_900_099_900_099_900_099
            #expect(try bought.raw("outcome.received") == received)
            try stage.expect(
                [
                    "alice LINK": received, "alice WETH": weth("-0.5"),
                    "alice WETH allowance": weth("-0.5"),
                    "carol LINK": -received, "carol WETH": weth("0.5"),
                    "carol LINK allowance": -received,
                    "bob LINK": link("-10000"), "dave LINK": link("10000"),
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("a token that is dear to query, and a node without access lists: all or nothing")
    func heavyWithoutList() async throws {
        let link = EVMToken.link
        var scene = Scene(with: link)
        scene.allowances[.init(.alice, weth)] = "1000"
        try await EVMStage.run(scene) { stage in
            _ = try await stage.post(by: .bob, sells: (link, "100"), wants: (weth, "0.5"))
            let before = try stage.ledger()
            // A node that does not make any.
            stage.hooks.answer("eth_createAccessList", with: .null)
            let bought = try await stage.dex(.alice, "market-buy LINK/WETH 40")
            #expect(bought.data.at("plan.skipsGoneOrders") == false)
            #expect(bought.warnings.contains { $0.contains("cannot be skipped") })
            try stage.expect(
                [
                    "alice LINK": link("40"), "alice WETH": weth("-0.2"),
                    "alice WETH allowance": weth("-0.2"),
                    "bob LINK": link("-40"), "bob WETH": weth("0.2"),
                    "bob LINK allowance": link("-40"),
                ],
                since: before,
                by: bought
            )
            let between = try stage.ledger()
            stage.overtake(with: try await stage.transfer(link, "9960", from: .bob, to: .dave))
            let failed = try await stage.dex(
                .alice,
                "market-buy LINK/WETH 40",
                exit: 11,
                code: "reverted"
            )
            #expect(failed.transactions == ["fill reverted"])
            // The token's own revert ends the exchange's call with INVALID, which burns all gas.
            let sent = try #require(try failed.minedTransactions().first)
            #expect(try sent.gasUsed == stage.gasLimit(of: sent.hash))
            #expect(try sent.cost <= failed.raw("plan.gas.maxCost"))
            try stage.expect(
                ["bob LINK": link("-9960"), "dave LINK": link("9960")],
                since: between,
                by: failed
            )
        }
    }

    // MARK: A fee on each transfer

    @Test(
        """
        a token that keeps a part of each transfer is not bought where the trade can be run on this \
        machine; else what arrives is told, not what was sent
        """
    )
    func feeOnTransfer() async throws {
        let paxg = EVMToken.paxg
        try await EVMStage.run(Scene(with: paxg)) { stage in
            _ = try await stage.post(by: .bob, sells: (paxg, "10"), wants: (weth, "15"))
            let before = try stage.ledger()
            let refused = try await stage.dex(
                .alice,
                "market-buy PAXG/WETH 5 --allow-unchecked-price",
                exit: 6,
                code: "unplanned-change"
            )
            #expect(refused.transactions == ["approve mined"])
            #expect(
                refused.error["message"]?.stringValue?
                    .contains("4.999 PAXG arrives, and at least 5 PAXG") == true
            )
            stage.hooks.answer("eth_createAccessList", with: .null)
            let bought = try await stage.dex(
                .alice,
                "market-buy PAXG/WETH 5 --allow-unchecked-price",
                exit: 14,
                code: "filled-less"
            )
            let received = try paxg("4.999")
            #expect(try bought.raw("outcome.received") == received)
            #expect(try bought.raw("outcome.paid") == weth("7.5"))
            // 7.5 / 4.999.
            #expect(bought.data.at("outcome.effectivePrice") == "1.5003000600120024")
            #expect(
                bought.warnings.contains {
                    $0.contains("0.001 PAXG") && $0.contains("did not arrive")
                }
            )
            try stage.expect(
                [
                    "alice PAXG": received, "alice WETH": weth("-7.5"),
                    "bob PAXG": paxg("-5"), "bob WETH": weth("7.5"),
                    "bob PAXG allowance": paxg("-5"),
                    "PAXG contract PAXG": paxg("0.001"),
                ],
                since: before,
                by: refused,
                bought
            )
            // Who pays with it pays all of it; the maker gets less.
            _ = try await stage.post(by: .carol, sells: (weth, "1.4"), wants: (paxg, "1"))
            let between = try stage.ledger()
            let sold = try await stage.dex(.alice, "market-sell PAXG/WETH 1")
            #expect(try sold.raw("outcome.received") == weth("1.4"))
            #expect(try sold.raw("outcome.paid") == paxg("1"))
            try stage.expect(
                [
                    "alice PAXG": paxg("-1"), "alice WETH": weth("1.4"),
                    "carol PAXG": paxg("0.9998"), "carol WETH": weth("-1.4"),
                    "carol WETH allowance": weth("-1.4"),
                    "PAXG contract PAXG": paxg("0.0002"),
                ],
                since: between,
                by: sold
            )
        }
    }

    // MARK: No answer, no events

    @Test("a token that answers nothing and logs nothing is traded by the exchange's events")
    func silent() async throws {
        let omg = EVMToken.omg
        try await EVMStage.run(Scene(with: omg)) { stage in
            _ = try await stage.post(by: .bob, sells: (omg, "100"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            let bought = try await stage.dex(.alice, "market-buy OMG/WETH 30")
            #expect(try bought.raw("outcome.received") == omg("30"))
            try stage.expect(
                [
                    "alice OMG": omg("30"), "alice WETH": weth("-0.03"),
                    "bob OMG": omg("-30"), "bob WETH": weth("0.03"),
                    "bob OMG allowance": omg("-30"),
                ],
                since: before,
                by: bought
            )
            _ = try await stage.post(by: .carol, sells: (weth, "0.02"), wants: (omg, "25"))
            let between = try stage.ledger()
            let sold = try await stage.dex(.alice, "market-sell OMG/WETH 25")
            #expect(sold.transactions == ["approve mined", "fill mined"])
            try stage.expect(
                [
                    "alice OMG": omg("-25"), "alice WETH": weth("0.02"),
                    "carol OMG": omg("25"), "carol WETH": weth("-0.02"),
                    "carol WETH allowance": weth("-0.02"),
                ],
                since: between,
                by: sold
            )
        }
    }
}
