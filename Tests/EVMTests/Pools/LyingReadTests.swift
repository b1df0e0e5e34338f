import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap
import ZeroEx

/// A node that lies about the ticks, the oracle, the tokens and the pairs, one read at a time.
@Suite("A node that lies beside the quote at Uniswap's pools, on an EVM", .serialized)
struct LyingReadTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "pools"]
    private static let foreign = Address(
        truncating: UInt256(0xbad0_0000_0000_0000_0000_0000_0000_0000_0000_0001).word
    )

    private func allowed(_ scene: inout Scene) {
        scene.uniswap?.allowances = [.zrx: "100000", .weth: "10"]
    }

    private func words(_ numbers: UInt256...) -> [UInt8] { numbers.flatMap(\.word.bytes) }

    private func selector(_ stage: EVMStage, _ signature: String) -> [UInt8] {
        Array(stage.call(signature).prefix(4))
    }

    private func isUnchecked(_ run: CommandRun) -> Bool {
        run.warnings.contains { $0.contains("NOT COMPARED") }
    }

    @Test("ticks that are none: the price is compared with nothing, and the quote is what arrives")
    func ticks() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var pool = pools[0]
            let lens = selector(stage, "getPopulatedTicksInWord(address,int16)")
            // Nothing, no list, a tick off the spacing, one of another word, more left than there is.
            for answer in [
                [], [7], words(32, 1, 69_121, 1, 1), words(32, 1, 0, 1, 1),
                words(32, 1, 69_120, 2, 1), words(32, 1 << 40),
            ] {
                stage.hooks.answer(call: PoolScene.lens, lens, with: answer)
                let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
                let run = try await stage.dex(.alice, arguments: Self.sale)
                #expect(try run.raw("outcome.received") == paid)
                #expect(isUnchecked(run), "\(run.warnings)")
                stage.hooks.forgetCalls()
            }
            stage.hooks.answer(call: PoolScene.lens, lens, with: [])
            let much = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 5000 --via pools",
                exit: 6,
                code: "price-unchecked"
            )
            #expect(much.transactions == [])
        }
    }

    /// Two v3 pools and a pair at the same price, each as deep as 100,000 ZRX and 100 WETH.
    private func deep(_ scene: inout Scene) throws {
        allowed(&scene)
        scene.uniswap?.pools = try [500, 3_000].map { fee in
            try EVMUniswapPool(
                .zrx,
                .weth,
                fee: fee,
                tick: 69_081,
                liquidity: 3_160_000_000_000_000_000_000
            )
        }
        scene.uniswap?.pools.append(try EVMUniswapPool((.zrx, "100000"), (.weth, "100")))
    }

    @Test("no part of a split goes to a pool whose ticks and quote differ")
    func split() async throws {
        let line = "market-sell ZRX/WETH 6000 --via pools --allow-unchecked-price"
        try await EVMStage.pooling(deep) { stage, pools in
            let lens = selector(stage, "getPopulatedTicksInWord(address,int16)")
            let pool = try pools[0].address.word.bytes
            // Six times the liquidity from 1 % below the price on, or next to none.
            let more: UInt256 = 1 << 74
            let less: UInt256 = 3_159_999_999_999_999_999_999
            for net in [words(more, more), words(.max - less + 1, less)] {
                stage.hooks.answer(
                    call: PoolScene.lens,
                    lens + pool + words(27),
                    with: words(32, 1, 69_200) + net
                )
                let before = try stage.ledger()
                let run = try await stage.dex(.alice, line)
                stage.hooks.forgetCalls()
                let names = try run.data.list("plan.venueQuote.sources").map { try $0.text("name") }
                #expect(Set(names) == ["v3:0.3%", "v2:0.3%"], "\(names)")
                let changes = try stage.ledger().changes(since: before)
                #expect(try changes["alice WETH"] == run.raw("plan.receive.expected"))
                #expect(try changes["alice ZRX"] == zrx("-6000"))
                // As it was, for the next lie.
                _ = try await stage.dex(
                    .alice,
                    "market-buy ZRX/WETH 6000 --via pools --allow-unchecked-price"
                )
            }
        }
    }

    @Test("without any ticks there is no split: the best pool takes all, and gives what it said")
    func alone() async throws {
        try await EVMStage.pooling(deep) { stage, pools in
            stage.hooks.answer(
                call: PoolScene.lens,
                selector(stage, "getPopulatedTicksInWord(address,int16)"),
                with: []
            )
            var pool = pools[0]
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("6000")))
            let run = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 6000 --via pools --allow-unchecked-price"
            )
            #expect(try run.data.list("plan.venueQuote.sources").count == 1)
            #expect(try run.raw("outcome.received") == paid)
        }
    }

    @Test(
        "decimals other than the list's: refused, whichever token's; without any the list's count"
    )
    func decimals() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            let before = try stage.ledger()
            for token in [zrx, weth] {
                for answer in [words(6), words(.max)] {
                    stage.hooks.answer(call: token.address, ERC20.decimals, with: answer)
                    let run = try await stage.dex(
                        .alice,
                        arguments: Self.sale,
                        exit: 6,
                        code: "decimals-mismatch"
                    )
                    #expect(run.transactions == [])
                    stage.hooks.forgetCalls()
                }
            }
            try stage.expect([:], since: before)
            stage.hooks.answer(call: zrx.address, ERC20.decimals, with: [])
            var pool = pools[0]
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let run = try await stage.dex(.alice, arguments: Self.sale)
            #expect(try run.raw("outcome.received") == paid)
        }
    }

    @Test("a mean far above the price refuses the trade, one below says nothing, none is told")
    func mean() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            var pool = pools[0]
            let address = try pool.address
            let observe = selector(stage, "observe(uint32[])")
            func answer(_ tick: UInt64) -> [UInt8] {
                words(64, 160, 2, 0, UInt256(tick * 300), 2, 0, 0)
            }
            let before = try stage.ledger()
            stage.hooks.answer(call: address, observe, with: answer(66_000))
            let refused = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "impact-too-high"
            )
            try stage.expect([:], since: before, by: refused)
            stage.hooks.forgetCalls()
            for (lie, hasMean) in [
                (answer(72_000), true), ([], false), ([7], false), (words(64, 160, 2), false),
            ] {
                stage.hooks.answer(call: address, observe, with: lie)
                let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
                let run = try await stage.dex(.alice, arguments: Self.sale)
                #expect(try run.raw("outcome.received") == paid)
                #expect(isUnchecked(run) != hasMean, "\(run.warnings)")
                stage.hooks.forgetCalls()
            }
        }
    }

    @Test("more balance or allowance than there is: the simulation fails, and nothing is signed")
    func funds() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            stage.hooks.answer(
                call: zrx.address,
                selector(stage, "balanceOf(address)"),
                with: words(1 << 100)
            )
            let poor = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 20000 --via pools --allow-unchecked-price",
                exit: 10,
                code: "would-revert"
            )
            stage.hooks.forgetCalls()
            try stage.expect([:], since: before, by: poor)
        }
        try await EVMStage.pooling { stage, _ in
            let before = try stage.ledger()
            stage.hooks.answer(
                call: zrx.address,
                selector(stage, "allowance(address,address)"),
                with: words(1 << 100)
            )
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 10,
                code: "would-revert"
            )
            stage.hooks.forgetCalls()
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("a v2 pair that the factory does not name, or with other reserves, is paid nothing")
    func pair() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            $0.uniswap?.pools.append(try EVMUniswapPool((.zrx, "1000000"), (.weth, "1100")))
        } _: { stage, pools in
            var pool = pools[0]
            for answer in [Self.foreign.word.bytes, words(0), [], words(.max)] {
                stage.hooks.answer(
                    call: PoolScene.v2Factory,
                    selector(stage, "getPair(address,address)"),
                    with: answer
                )
                let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
                let run = try await stage.dex(.alice, arguments: Self.sale)
                #expect(try run.raw("outcome.received") == paid)
                stage.hooks.forgetCalls()
            }
            let before = try stage.ledger()
            // Ten times the WETH.
            let reserves = words(try weth.raw("11000"), try zrx.raw("1000000"), 1)
            stage.hooks.answer(
                call: try pools[2].address,
                stage.call("getReserves()"),
                with: reserves
            )
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 10,
                code: "would-revert"
            )
            stage.hooks.forgetCalls()
            try stage.expect([:], since: before, by: run)
        }
    }
}
