import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

/// Prices, history, rules and unknown tokens at Uniswap's pools.
@Suite("Around trades at Uniswap's pools on an EVM", .serialized)
struct PoolStoryTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    /// In no token list, so nobody says that it does not keep a part of each transfer.
    private static let unknown = unlisted("NEW", kind: "plain", number: 1)
    /// It keeps 1 % of each transfer.
    private static let taxed = unlisted("TAX", kind: "fee", number: 2, fee: 10_000)

    private static func unlisted(
        _ symbol: String,
        kind: String,
        number: UInt64,
        fee: UInt64 = 0
    ) -> EVMToken {
        EVMToken(
            symbol: symbol,
            name: "\(symbol) token",
            decimals: 18,
            kind: kind,
            address: Address(truncating: (UInt256(0x7e57_0000) << 128 + UInt256(number)).word),
            fee: fee
        )
    }

    @Test("a price of an amount is the pool's, both ways, and moves nothing")
    func price() async throws {
        try await EVMStage.pooling { stage, pools in
            let before = try stage.ledger()
            for side in ["buy", "sell"] {
                var pool = pools[0]
                let amount =
                    side == "buy"
                    ? try pool.buy(zrx, zrx.raw("10")) : try pool.sell(zrx, zrx.raw("10"))
                let run = try await stage.dex(nil, "price ZRX/WETH --amount 10 --side \(side)")
                let offers = try run.data.list("venues").filter { $0.at("venue") == "pools" }
                #expect(offers.count == 1, "\(run.data.text)")
                #expect(try offers.first?.raw("total") == Int128(base: amount), "\(run.data.text)")
            }
            try stage.expect([:], since: before)
        }
    }

    @Test("history and status tell the trade as it was")
    func history() async throws {
        try await EVMStage.pooling { stage, pools in
            var pool = pools[0]
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via pools")
            let hash = try sold.text("transactions.-1.hash")
            let history = try await stage.dex(.alice, "history list")
            let trade = try #require(try history.data.list("trades").first)
            #expect(try trade.text("transaction") == hash)
            #expect(trade.at("side") == "sell")
            #expect(trade.at("pair") == "ZRX/WETH")
            #expect(try trade.raw("baseAmount") == zrx("10"))
            #expect(try trade.raw("quoteAmount") == paid)
            let status = try await stage.dex(.alice, "status \(hash)")
            #expect(status.data.at("status") == "mined")
            #expect(try status.raw("fills.0.received") == paid)
            #expect(try status.raw("fills.0.paid") == zrx("10"))
        }
    }

    @Test("policy.toml bounds it: amount a trade, tokens, spenders")
    func policy() async throws {
        try await EVMStage.pooling { stage, _ in
            let file = stage.binary.home.appending(path: "policy.toml")
            let before = try stage.ledger()
            for rules in [
                "[max_per_trade]\nZRX = 9\n", "tokens = [\"ETH\", \"ZRX\"]\n",
                "spenders = [\"\(EVMToken.contracts.exchange.checksummed)\"]\n",
                "[max_per_day]\nZRX = \"9.99\"\n",
            ] {
                try Data(rules.utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: file.path
                )
                let run = try await stage.dex(
                    .alice,
                    "market-sell ZRX/WETH 10 --via pools",
                    exit: 6,
                    code: "policy"
                )
                #expect(run.transactions == [], "\(rules)")
            }
            try stage.expect([:], since: before)
            let allowed = """
                tokens = ["ETH", "ZRX", "WETH"]
                spenders = ["\(PoolScene.router.checksummed)"]
                [max_per_trade]
                ZRX = 10
                """
            try Data(allowed.utf8).write(to: file)
            let run = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via pools")
            #expect(run.transactions == ["approve mined", "swap mined"])
        }
    }

    @Test("--no-send signs it into a file, which dex broadcast sends")
    func held() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.zrx: "100"]
        } _: { stage, pools in
            var pool = pools[0]
            let before = try stage.ledger()
            let file = stage.binary.home.appending(path: "trade.json").path
            let held = try await stage.dex(
                .alice,
                arguments: [
                    "market-sell", "ZRX/WETH", "10", "--via", "pools", "--no-send", "--out", file,
                ]
            )
            try stage.expect([:], since: before)
            _ = held
            let sent = try await stage.dex(nil, arguments: ["broadcast", file])
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let changes = try stage.ledger().changes(since: before)
            #expect(changes["alice WETH"] == paid, "\(sent.data.text)")
        }
    }

    @Test("a token of no list is bought at a v2 pair alone, which measures what arrives")
    func unlistedToken() async throws {
        let (new, tax) = (Self.unknown, Self.taxed)
        try await EVMStage.pooling {
            $0.tokens += [new, tax]
            $0.uniswap?.allowances = [.weth: "10"]
            $0.uniswap?.pools = [
                try EVMUniswapPool(new, .weth, fee: 3_000, tick: 0, liquidity: 1 << 80),
                try EVMUniswapPool((tax, "1000"), (.weth, "1000")),
            ]
        } _: { stage, pools in
            let before = try stage.ledger()
            let words = ["--via", "pools", "--allow-unchecked-price"]
            let refused = try await stage.dex(
                .alice,
                arguments: ["market-sell", "WETH/\(new.address.checksummed)", "1"] + words,
                exit: 6,
                code: "unproven-token"
            )
            let exact = try await stage.dex(
                .alice,
                arguments: ["market-buy", "\(tax.address.checksummed)/WETH", "1"] + words,
                exit: 6,
                code: "unproven-token"
            )
            // The router sees that 1 % less arrives than the quote said.
            let kept = try await stage.dex(
                .alice,
                arguments: ["market-sell", "WETH/\(tax.address.checksummed)", "1"] + words,
                exit: 10,
                code: "would-revert"
            )
            try stage.expect([:], since: before, by: refused, exact, kept)
            let sold = try await stage.dex(
                .alice,
                arguments: ["market-sell", "WETH/\(tax.address.checksummed)", "1"] + words
                    + ["--slippage", "1.5"]
            )
            var pool = pools[1]
            let out = try pool.sell(weth, weth.raw("1"))
            let arrived = try Int128(base: out) - Int128(base: out) * 10_000 / 1_000_000
            #expect(try abs(sold.raw("outcome.received") - arrived) <= 1)
        }
    }

    @Test("a better v2 pair is taken, and alone it trades both ways")
    func pair() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.zrx: "100", .weth: "10"]
            $0.uniswap?.pools.append(try EVMUniswapPool((.zrx, "1000000"), (.weth, "1100")))
        } _: { stage, pools in
            var pair = pools[2]
            let before = try stage.ledger()
            let paid = try Int128(base: pair.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via pools")
            #expect(try sold.raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("-10"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-10"),
                    "ZRX/WETH pair ZRX": zrx("10"), "ZRX/WETH pair WETH": -paid,
                ],
                since: before,
                by: sold
            )
        }
    }
}
