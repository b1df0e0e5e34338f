import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

/// What the genuine contracts' events say afterwards: the tape, the candles, the history.
@Suite("The market's past at Uniswap's pools on an EVM", .serialized)
struct PoolMarketTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    @Test("the tape, candles and volume of a pair are those of its pool")
    func tape() async throws {
        try await EVMStage.pooling { stage, pools in
            var pool = pools[0]
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let cost = try Int128(base: pool.buy(zrx, zrx.raw("20")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via pools")
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 20 --via pools")
            let tape = try await stage.dex(nil, "trades ZRX/WETH")
            let trades = try tape.data.list("trades")
            #expect(trades.map { $0.at("side") } == ["buy", "sell"])
            #expect(trades.map { $0.at("source") } == ["v3:0.3%", "v3:0.3%"])
            #expect(try trades.map { try $0.raw("baseAmount") } == [zrx("20"), zrx("10")])
            #expect(try trades.map { try $0.raw("quoteAmount") } == [cost, paid])
            #expect(
                try trades.map { try $0.text("transaction") }
                    == [bought, sold].map { try $0.text("transactions.-1.hash") }
            )
            #expect(trades.allSatisfy { $0.at("maker") == .string(address(pools[0])) })
            #expect(try tape.data.raw("volume.baseAmount") == zrx("30"))
            let chart = try await stage.dex(nil, "chart ZRX/WETH --interval 1d")
            let candle = try #require(try chart.data.list("candles").last)
            #expect(try candle.raw("baseAmount") == zrx("30"))
            #expect(try candle.raw("quoteAmount") == cost + paid)
            #expect(candle.at("vwap") != .null && candle.at("close") != .null)
            let other = try await stage.dex(nil, "trades ZRX/DAI")
            #expect(try other.data.list("trades") == [])
        }
    }

    private func address(_ pool: EVMUniswapPool) -> String {
        (try? pool.address)?.checksummed ?? "none"
    }

    @Test(
        "a rebuilt history has the trades of tokens and of the coin as they were, with their profit"
    )
    func rebuild() async throws {
        try await EVMStage.pooling { stage, _ in
            for words in [
                "market-buy ZRX/WETH 100 --via pools", "market-sell ZRX/WETH 40 --via pools",
                "market-buy ZRX/ETH 100 --via pools --allow-unchecked-price",
                "market-sell DAI/ETH 2500 --via pools --allow-unchecked-price",
                "market-sell ETH/DAI 1 --via pools --allow-unchecked-price",
            ] { _ = try await stage.dex(.alice, words) }
            let before = try await stage.dex(.alice, "history list --all")
            #expect(try before.data.list("trades").count == 5, "\(before.data.text)")
            let home = stage.binary.home
            for file in try FileManager.default.contentsOfDirectory(atPath: home.path)
            where file.hasPrefix("journal.sqlite") {
                try FileManager.default.removeItem(at: home.appending(path: file))
            }
            let empty = try await stage.dex(.alice, "history list --all")
            #expect(try empty.data.list("trades") == [])
            let rebuild = try await stage.dex(.alice, "history rebuild --from-block 0")
            #expect(rebuild.data.at("addedCount") == 5, "\(rebuild.data.text)")
            let after = try await stage.dex(.alice, "history list --all")
            let (old, new) = (try before.data.list("trades"), try after.data.list("trades"))
            #expect(new.count == 5)
            for (old, new) in zip(old, new) {
                for key in ["transaction", "side", "pair", "block", "time"] {
                    #expect(old.at(key) == new.at(key), "\(key)")
                }
                for key in ["baseAmount", "quoteAmount", "gasCost", "realised"] {
                    #expect(old[key] == new[key], "\(key): \(old.text) \(new.text)")
                }
            }
            let again = try await stage.dex(.alice, "history rebuild --from-block 0")
            #expect(again.data.at("addedCount") == 0 && again.data.at("removedCount") == 0)
        }
    }
}
