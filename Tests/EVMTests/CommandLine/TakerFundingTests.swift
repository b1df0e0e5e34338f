import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Balances and allowances of takers that are short, and orders for others.
@Suite("Takers that cannot pay or may not fill, on an EVM", .serialized)
struct TakerFundingTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let scene = Scene.aliceApproved(.weth)

    @Test("what lacks is approved, exactly and only then; unlimited only where that was asked for")
    func takerAllowance() async throws {
        try await EVMStage.run { stage in
            _ = try await stage.ask()
            let cases: [(allowance: String?, how: [String], sent: [String], left: Int128)] = [
                (nil, [], ["approve mined", "fill mined"], 0),
                // Some is there, but not enough: it is set to what is needed, not raised by it.
                ("0.009999999999999999", [], ["approve mined", "fill mined"], 0),
                ("0.01", [], ["fill mined"], 0),
                ("5", [], ["fill mined"], try weth("4.99")),
                ("0", ["--approve", "unlimited"], ["approve mined", "fill mined"], .max),
                // An unlimited one is never used up.
                (nil, [], ["fill mined"], .max),
            ]
            for (allowance, how, sent, left) in cases {
                if let allowance {
                    try stage.send(try await stage.approve(weth, allowance, by: .alice))
                }
                let before = try stage.ledger()
                let bought = try await stage.dex(
                    .alice,
                    arguments: ["market-buy", "ZRX/WETH", "10"] + how
                )
                #expect(bought.transactions == sent)
                let after = try stage.ledger()
                #expect(after.holdings["alice WETH allowance"] == left)
                try stage.expect(
                    [
                        "alice ZRX": zrx("10"), "alice WETH": weth("-0.01"),
                        "alice WETH allowance": left
                            - (before.holdings["alice WETH allowance"] ?? 0),
                        "bob ZRX": zrx("-10"), "bob WETH": weth("0.01"),
                        "bob ZRX allowance": zrx("-10"),
                    ],
                    since: before,
                    by: bought
                )
            }
        }
    }

    @Test("a taker without the token or the ether for gas is refused before anything is sent")
    func takerBalance() async throws {
        var scene = Scene()
        scene.balances[.init(.alice, weth)] = "0.099999999999999999"
        scene.ether[.carol] = "0.00001"
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            for command in [["market-buy", "ZRX/WETH", "100"], ["fill", order.hash.hex, "100"]] {
                let poor = try await stage.dex(
                    .alice,
                    arguments: command,
                    exit: 6,
                    code: "insufficient-balance"
                )
                #expect(try poor.error.text("message").contains("0.099999999999999999"))
                _ = try await stage.dex(
                    .carol,
                    arguments: command,
                    exit: 6,
                    code: "insufficient-ether"
                )
            }
            try stage.expect([:], since: before)
            // Without an amount a fill takes what can be paid.
            let filled = try await stage.dex(.alice, "fill \(order.hash.hex)")
            #expect(try filled.raw("outcome.paid") == weth("0.099999999999999999"))
            let bought = try zrx("99.999999999999999")
            try stage.expect(
                [
                    "alice ZRX": bought, "alice WETH": weth("-0.099999999999999999"),
                    "bob ZRX": -bought, "bob WETH": weth("0.099999999999999999"),
                    "bob ZRX allowance": -bought,
                ],
                since: before,
                by: filled
            )
        }
    }

    @Test("an order for another taker is shown as such, passed over, and filled by that one alone")
    func wrongTaker() async throws {
        try await EVMStage.run(scene) { stage in
            let placed = try await stage.dex(
                .bob,
                "place-limit sell ZRX/WETH 100 --price 0.001 --taker",
                "\(Party.dave.address.checksummed)"
            )
            #expect(placed.data.at("plan.taker") == .string(try Party.dave.address.checksummed))
            let hash = try placed.text("orderHash")
            let before = try stage.ledger()
            let book = try await stage.dex(.alice, "orderbook ZRX/WETH")
            #expect(book.data.at("asks.0.flags") == ["other-taker"])
            #expect(book.data.at("ask").isNull)
            _ = try await stage.dex(.alice, "fill \(hash)", exit: 6, code: "order-other-taker")
            _ = try await stage.dex(.alice, "market-buy ZRX/WETH 1", exit: 6, code: "no-liquidity")
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            let filled = try await stage.dex(.dave, "market-buy ZRX/WETH 100")
            try stage.expect(
                [
                    "dave ZRX": zrx("100"), "dave WETH": weth("-0.1"),
                    "dave WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: filled
            )
        }
    }
}
