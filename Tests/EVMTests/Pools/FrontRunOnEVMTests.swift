import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap

/// What a trade lost to others of its block, told in its outcome.
@Suite("Front-running at Uniswap's pools on an EVM", .serialized)
struct FrontRunOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "pools"]

    private func allowed(_ scene: inout Scene) {
        scene.uniswap?.allowances = [.zrx: "10000", .weth: "10"]
    }

    @Test("alone in its block it lost nothing, and says that nobody was before it")
    func alone() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let run = try await stage.dex(.alice, arguments: Self.sale)
            #expect(run.data.at("outcome.frontRunning.status") == "none")
            #expect(run.data.at("outcome.frontRunning.ahead").arrayValue == [])
            #expect(try run.raw("outcome.quoteLoss.amount") == 0)
            #expect(run.data.at("outcome.quoteLoss.percent") == "0.00")
        }
    }

    @Test("a sandwich: who, by which transactions, and to the wei what it took")
    func sandwich() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var alone = pools[0]
            var moved = pools[0]
            let fair = try Int128(base: alone.sell(zrx, zrx.raw("10")))
            let bought = try moved.sell(zrx, zrx.raw("1000"))
            let paid = try Int128(base: moved.sell(zrx, zrx.raw("10")))
            let front = try await stage.sale(zrx, "1000", to: pools[0])
            let back = try await stage.sale(weth, raw: bought, to: pools[0], isBehind: true)
            stage.overtake(with: front, back)
            let run = try await stage.dex(.alice, arguments: Self.sale)
            let reported = run.data.at("outcome.frontRunning")
            #expect(try run.raw("outcome.received") == paid && paid < fair)
            #expect(reported["status"] == "sandwich")
            #expect(reported["account"]?.stringValue == (try Party.dave.address.checksummed))
            #expect(reported["front"]?.stringValue == Keccak256.hash(front).hex)
            #expect(reported["back"]?.stringValue == Keccak256.hash(back).hex)
            #expect(try run.raw("outcome.frontRunning.lost") == fair - paid)
            #expect(try run.raw("outcome.quoteLoss.amount") == fair - paid)
            #expect(
                run.warnings.contains { $0.hasPrefix("FRONT-RUN: ") && $0.contains("private_rpc") }
            )
        }
    }

    @Test("a purchase behind somebody else's purchase pays more, and says how much of it was that")
    func ahead() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var alone = pools[0]
            var moved = pools[0]
            let fair = try Int128(base: alone.buy(zrx, zrx.raw("10")))
            _ = try moved.sell(weth, weth.raw("1"))
            let cost = try Int128(base: moved.buy(zrx, zrx.raw("10")))
            stage.overtake(with: try await stage.sale(weth, "1", to: pools[0]))
            let run = try await stage.dex(.alice, "market-buy ZRX/WETH 10 --via pools")
            #expect(try run.raw("outcome.paid") == cost && cost > fair)
            #expect(run.data.at("outcome.frontRunning.status") == "ahead")
            #expect(try run.raw("outcome.frontRunning.lost") == cost - fair)
            #expect(run.data.at("outcome.frontRunning.back").isNull == true)
            #expect(run.warnings.contains { $0.contains("before it in its block") })
        }
    }

    @Test("a node that does not say who was there leaves it unknown, and the trade is told")
    func unknown() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            stage.hooks.after("eth_sendRawTransaction") {
                stage.hooks.answer("eth_getLogs", with: .array([]))
            }
            let run = try await stage.dex(.alice, arguments: Self.sale)
            #expect(run.transactions == ["swap mined"])
            #expect(run.data.at("outcome.frontRunning.status") == "unknown")
            #expect(run.data.at("outcome.frontRunning.reason").stringValue?.isEmpty == false)
            stage.hooks.answer("eth_getLogs", with: nil)
        }
    }
}
