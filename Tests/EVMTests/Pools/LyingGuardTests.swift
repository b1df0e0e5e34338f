import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap
import ZeroEx

/// A node that answers one read of a guard with something else than the chain has.
@Suite("A lying node under a guard at Uniswap's pools, on an EVM", .serialized)
struct LyingGuardTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private static let words = [
        "guard", "add", "sell", "ZRX/WETH", "100", "--below", "0.00098", "--slippage", "3",
    ]
    private static let foreign = Address(
        truncating: UInt256(0xbad0_0000_0000_0000_0000_0000_0000_0000_0000_0001).word
    )

    private func words(_ numbers: UInt256...) -> [UInt8] { numbers.flatMap(\.word.bytes) }

    /// What `slot0` says of a pool at a tick above 0.
    private func slot(tick: UInt64) throws -> [UInt8] {
        words(try #require(TickMath.price(Int32(tick))), UInt256(tick), 0, 1, 1, 0, 1)
    }

    /// What `observe` says of a mean tick of five minutes.
    private func mean(tick: UInt64) -> [UInt8] {
        words(64, 160, 2, 0, UInt256(tick * 300), 2, 0, 0)
    }

    /// What the node says that a contract returned to calls whose data begin like this.
    private struct Lie {
        let to: Address
        let data: [UInt8]
        let answer: [UInt8]

        init(_ to: Address, _ data: [UInt8], _ answer: [UInt8]) {
            (self.to, self.data, self.answer) = (to, data, answer)
        }
    }

    private func selector(_ stage: EVMStage, _ signature: String) -> [UInt8] {
        Array(stage.call(signature).prefix(4))
    }

    @Test("one read of it that lies, of a price that is not reached, fires nothing")
    func reads() async throws {
        try await EVMStage.guarding(observations: 40) { stage, pools in
            _ = try await stage.dex(.alice, arguments: Self.words)
            let pool = try pools[0].address
            let ticks = selector(stage, "getPopulatedTicksInWord(address,int16)")
            let observe = selector(stage, "observe(uint32[])")
            let getPool = selector(stage, "getPool(address,address,uint24)")
            let all: UInt256 = 31_600_000_000_000_000_000_000
            let noMean = "Its price is reached, but not by the mean of the last 5 minutes."
            let noPool = "No Uniswap pool of this pair on this chain has liquidity."
            let slot = stage.call("slot0()")
            let liquidity = stage.call("liquidity()")
            // Why it is held; nil: it waits for its price.
            let lies: [(lie: Lie, reason: String?)] = [
                // A price that is reached, in this block and in the one before.
                (Lie(pool, slot, try self.slot(tick: 69_330)), noMean),
                (Lie(pool, slot, words(0)), noPool), (Lie(pool, slot, [7]), noPool),
                (Lie(pool, liquidity, words(1 << 90)), nil),
                (Lie(pool, liquidity, words(0)), noPool),
                (Lie(PoolScene.lens, ticks, []), noPool),
                // All liquidity ends a little below the price.
                (Lie(PoolScene.lens, ticks, words(32, 1, 69_120, .max - all + 1, all)), nil),
                (Lie(PoolScene.v3Factory, getPool, Self.foreign.word.bytes), noPool),
                (Lie(zrx.address, ERC20.decimals, words(6)), "decimals"),
                (Lie(pool, observe, mean(tick: 69_330)), nil), (Lie(pool, observe, []), nil),
            ]
            let before = try stage.ledger()
            for (number, (lie, reason)) in lies.enumerated() {
                // However slow the run before was.
                try stage.mine(ago: 50)
                stage.hooks.answer(call: lie.to, lie.data, with: lie.answer)
                let run = try await stage.runGuards(looks: 4, every: 5)
                stage.hooks.forgetCalls()
                #expect(
                    run.words == ["begun"] + (reason == nil ? [] : ["held"]),
                    "\(number): \(run.reasons) \(run.error.text)"
                )
                let reported = run.reasons.first ?? "."
                #expect(
                    reported.hasSuffix(".") && reported.contains(reason ?? "."),
                    "\(number): \(reported)"
                )
            }
            try stage.expect([:], since: before)
            let list = try await stage.dex(.alice, "guard list")
            #expect(try list.data.list("guards").map { $0.at("state") } == ["waiting"])
        }
    }

    @Test("a price and a mean that both lie fire it, and it brings what the chain gives, not less")
    func priceAndMean() async throws {
        try await EVMStage.guarding(observations: 40) { stage, pools in
            var pool = pools[0]
            _ = try await stage.dex(.alice, arguments: Self.words)
            try stage.mine(ago: 50)
            let before = try stage.ledger()
            let address = try pool.address
            stage.hooks.answer(
                call: address,
                stage.call("slot0()"),
                with: try slot(tick: 69_330)
            )
            stage.hooks.answer(
                call: address,
                selector(stage, "observe(uint32[])"),
                with: mean(tick: 69_330)
            )
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("100")))
            let run = try await stage.runGuards(looks: 8, every: 15)
            #expect(run.words == ["begun", "reached", "firing", "fired"], "\(run.reasons)")
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-100"),
                    "ZRX/WETH pool ZRX": zrx("100"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before
            )
        }
    }

    @Test("a price that is reached and a quoter that lies: nothing is signed beyond the limit")
    func quoter() async throws {
        try await EVMStage.guarding(observations: 40) { stage, pools in
            var pool = pools[0]
            _ = try await stage.dex(.alice, arguments: Self.words)
            let raw = try zrx.raw("12500")
            try stage.mine([try await stage.move(zrx, raw: raw, at: pool)], ago: 400)
            _ = try pool.sell(zrx, raw)
            try stage.mine(ago: 60)
            let before = try stage.ledger()
            let quote = stage.call(
                "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
            )
            // Below the limit; none.
            let answers = [words(try weth.raw("0.09"), UInt256(1) << 100, 0, 100_000), [], [7]]
            for answer in answers {
                try stage.mine(ago: 50)
                stage.hooks.answer(call: PoolScene.quoter, quote, with: answer)
                let run = try await stage.runGuards(looks: 5, every: 5)
                stage.hooks.forgetCalls()
                #expect(
                    run.words == ["begun", "reached", "held"],
                    "\(run.events.last?.text ?? "")"
                )
                #expect(run.reasons.allSatisfy { $0.hasSuffix(".") }, "\(run.reasons)")
            }
            try stage.expect([:], since: before)
            // More than the pool gives: its limit is the minimum, and the pool gives what it has.
            stage.hooks.answer(
                call: PoolScene.quoter,
                quote,
                with: words(try weth.raw("0.12"), UInt256(1) << 100, 0, 100_000)
            )
            try stage.mine(ago: 50)
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("100")))
            let run = try await stage.runGuards(looks: 8, every: 5)
            #expect(run.words == ["begun", "reached", "firing", "fired"], "\(run.reasons)")
            #expect(try #require(run.events.last).at("trade").raw("outcome.received") == paid)
            try stage.expect(
                [
                    "alice ZRX": zrx("-100"), "alice WETH": paid,
                    "alice ZRX router allowance": zrx("-100"),
                    "ZRX/WETH pool ZRX": zrx("100"), "ZRX/WETH pool WETH": -paid,
                ],
                since: before
            )
        }
    }
}
