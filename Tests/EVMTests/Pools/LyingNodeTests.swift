import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap
import ZeroEx

/// A node that answers each read at Uniswap's contracts with something else than the chain has.
@Suite("A lying node at Uniswap's pools, on an EVM", .serialized)
struct LyingNodeTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "pools"]
    /// Somebody else's contract.
    private static let foreign = Address(
        truncating: UInt256(0xbad0_0000_0000_0000_0000_0000_0000_0000_0000_0001).word
    )

    private func allowed(_ scene: inout Scene) {
        scene.uniswap?.allowances = [.zrx: "10000", .weth: "10"]
    }

    private func words(_ numbers: UInt256...) -> [UInt8] { numbers.flatMap(\.word.bytes) }

    /// What `slot0` says of a pool at a tick above 0.
    private func slot(tick: UInt64) throws -> [UInt8] {
        words(try #require(TickMath.price(Int32(tick))), UInt256(tick), 0, 1, 1, 0, 1)
    }

    @Test(
        "the router's or the quoter's factory or coin is another one: refused, and nothing is signed"
    )
    func contracts() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            for contract in [PoolScene.router, PoolScene.quoter] {
                for function in ["factory()", "WETH9()"] {
                    for answer in [Self.foreign.word.bytes, words(0), [], [1]] {
                        stage.hooks.answer(call: contract, stage.call(function), with: answer)
                        let run = try await stage.dex(
                            .alice,
                            arguments: Self.sale,
                            exit: 6,
                            code: "other-router"
                        )
                        #expect(run.transactions == [])
                        stage.hooks.forgetCalls()
                    }
                }
            }
            try stage.expect([:], since: before)
            _ = try await stage.dex(.alice, arguments: Self.sale)
        }
    }

    @Test("the factory names another pool, none, or something that is no address: it is no pool")
    func factory() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            let getPool = stage.call("getPool(address,address,uint24)")
            for answer in [Self.foreign.word.bytes, words(0), [], words(.max)] {
                stage.hooks.answer(call: PoolScene.v3Factory, getPool, with: answer)
                let run = try await stage.dex(
                    .alice,
                    arguments: Self.sale,
                    exit: 6,
                    code: "no-pool"
                )
                #expect(run.transactions == [])
                stage.hooks.forgetCalls()
            }
            try stage.expect([:], since: before)
        }
    }

    @Test("a quote that is too good cannot be had: the simulation fails, and nothing is signed")
    func tooGood() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            let quote = stage.call(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
            )
            // 1 % more than the pool gives, at a price that the pool could have.
            let good = words(try weth.raw("0.0101"), UInt256(1) << 100, 0, 100_000)
            stage.hooks.answer(call: PoolScene.quoter, quote, with: good)
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 10,
                code: "would-revert"
            )
            #expect(run.transactions == [])
            #expect(try run.error.text("message").contains("Too little received"))
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("a node that lies about quote and simulation alike wins nothing: the trade reverts")
    func throughout() async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let before = try stage.ledger()
            let quote = stage.call(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
            )
            let out = try weth.raw("0.0101")
            let good = words(out, UInt256(1) << 100, 0, 100_000)
            stage.hooks.answer(call: PoolScene.quoter, quote, with: good)
            // One answer of 32 bytes in a list.
            stage.hooks.answer(
                call: PoolScene.router,
                Array(stage.call("multicall(uint256,bytes[])").prefix(4)),
                with: words(32, 1, 32, 32, out)
            )
            stage.hooks.answer("eth_estimateGas", with: "0x30d40")
            let run = try await stage.dex(.alice, arguments: Self.sale, exit: 11)
            #expect(run.transactions == ["swap reverted"])
            #expect(try run.raw("plan.receive.expected") == weth("0.0101"))
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("a quote far below the pools' own price is refused; beside a book the book is taken")
    func tooLow() async throws {
        try await EVMStage.pooling {
            allowed(&$0)
            $0.allowances[.init(.alice, .zrx)] = "1000"
        } _: { stage, _ in
            let quote = stage.call(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
            )
            let low = words(try weth.raw("0.005"), UInt256(1) << 100, 0, 100_000)
            stage.hooks.answer(call: PoolScene.quoter, quote, with: low)
            let before = try stage.ledger()
            let alone = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "impact-too-high"
            )
            try stage.expect([:], since: before, by: alone)
            let reported = try await stage.dex(
                .alice,
                arguments: Self.sale + ["--allow-high-impact", "--dry-run"],
                exit: 30
            )
            #expect(try reported.raw("plan.receive.expected") == weth("0.005"))
            #expect(
                reported.warnings.contains { $0.hasPrefix("PRICE IMPACT") },
                "\(reported.warnings)"
            )
            // A book says what it is worth: half of that is refused.
            _ = try await stage.ask(wants: "0.101")
            _ = try await stage.post(by: .bob, sells: (.weth, "0.099"), wants: (.zrx, "100"))
            let refused = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "impact-too-high"
            )
            #expect(refused.transactions == [])
            let booked = try await stage.dex(.alice, "market-sell ZRX/WETH 10")
            #expect(booked.data.at("plan.venue") == "book")
            #expect(try booked.raw("outcome.received") == weth("0.0099"))
        }
    }

    @Test("answers of the quoter that are no quote are no price", arguments: [0, 1, 2, 3, 4])
    func nonsense(_ kind: Int) async throws {
        try await EVMStage.pooling(allowed) { stage, _ in
            let quote = stage.call(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
            )
            let answers: [[UInt8]] = [
                [], [7], words(0, UInt256(1) << 100, 0, 100_000), words(.max, .max, .max, .max),
                // The price is at the bound: the pool ran dry.
                words(try weth.raw("0.009"), 4_295_128_740, 0, 100_000),
            ]
            stage.hooks.answer(call: PoolScene.quoter, quote, with: answers[kind])
            let before = try stage.ledger()
            let run = try await stage.dex(.alice, arguments: Self.sale, exit: 6, code: "no-pool")
            #expect(run.transactions == [])
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("states of pools that lie change which path is asked, never what arrives for it")
    func states() async throws {
        try await EVMStage.pooling(allowed) { stage, pools in
            let address = try pools[0].address
            let start = pools[0]
            for answer in [[], [3], words(.max, .max, .max, .max, .max, .max, .max), words(0)] {
                stage.hooks.answer(call: address, stage.call("slot0()"), with: answer)
                let run = try await stage.dex(
                    .alice,
                    arguments: Self.sale,
                    exit: 6,
                    code: "no-pool"
                )
                #expect(run.transactions == [])
                stage.hooks.forgetCalls()
            }
            // Sixty times the price: the honest quote is far below it, and nothing is signed.
            let before = try stage.ledger()
            stage.hooks.answer(call: address, stage.call("slot0()"), with: try slot(tick: 27_727))
            let far = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "impact-too-high"
            )
            try stage.expect([:], since: before, by: far)
            stage.hooks.forgetCalls()
            // A tenth above the price, and much more liquidity: the quote decides.
            stage.hooks.answer(call: address, stage.call("slot0()"), with: try slot(tick: 68_130))
            stage.hooks.answer(call: address, stage.call("liquidity()"), with: words(1 << 90))
            var pool = start
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let run = try await stage.dex(.alice, arguments: Self.sale)
            #expect(try run.raw("outcome.received") == paid)
            stage.hooks.forgetCalls()
            stage.hooks.answer(call: address, stage.call("liquidity()"), with: words(1 << 90))
            let next = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let deep = try await stage.dex(.alice, arguments: Self.sale)
            #expect(try deep.raw("outcome.received") == next)
        }
    }
}
