import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What `dex` does not sign, and what happens if the market moves after it has.
@Suite("Refused trades at a Swap API on an EVM", .serialized)
struct SwapRefusalTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private static let sale = ["market-sell", "ZRX/WETH", "10", "--via", "swap"]

    /// How a quote lies, and the code of the error that has to come of it.
    private static let lies = [
        ("recipient", "counterfeit-quote"), ("token", "counterfeit-quote"),
        ("minimum", "counterfeit-quote"), ("unprotected", "unprotected-quote"),
        ("settler", "counterfeit-quote"), ("spender", "counterfeit-quote"),
        ("amount", "counterfeit-quote"), ("value", "counterfeit-quote"),
    ]

    private func allowed(_ scene: inout Scene) {
        scene.swap?.allowances = [.holder: [.zrx: "1000"], .permit2: [.zrx: "1000"]]
    }

    @Test("each lie in a quote is refused before anything is signed", arguments: [false, true])
    func counterfeits(byPermit: Bool) async throws {
        try await EVMStage.swapping(allowed) { stage, _, _ in
            let before = try stage.ledger()
            for (lie, code) in Self.lies {
                try stage.lie(lie)
                let run = try await stage.dex(
                    .alice,
                    arguments: Self.sale + (byPermit ? ["--permit2"] : []),
                    exit: 6,
                    code: code
                )
                try stage.expect([:], since: before, by: run)
            }
            // The same without a lie goes through, so it was the lie.
            try stage.lie(nil)
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale + (byPermit ? ["--permit2"] : [])
            )
            #expect(run.transactions == ["swap mined"])
        }
    }

    @Test("a quote that begins to lie after the approval is refused; only the approval is left")
    func liesAfterwards() async throws {
        for (lie, code) in Self.lies + [("worse", "quote-moved")] {
            try await EVMStage.swapping { stage, _, _ in
                let before = try stage.ledger()
                stage.hooks.before("eth_sendRawTransaction") { try stage.lie(lie) }
                let run = try await stage.dex(.alice, arguments: Self.sale, exit: 6, code: code)
                #expect(run.transactions == ["approve mined"])
                try stage.expect(
                    ["alice ZRX holder allowance": zrx("10")],
                    since: before,
                    by: run
                )
            }
        }
    }

    @Test("a quote below the wanted price is refused")
    func limit() async throws {
        try await EVMStage.swapping(allowed) { stage, _, _ in
            try stage.lie("worse")
            let before = try stage.ledger()
            let limit = Self.sale + ["--min-price", "0.00095"]
            let run = try await stage.dex(.alice, arguments: limit, exit: 6, code: "price-limit")
            try stage.expect([:], since: before, by: run)
            try stage.lie(nil)
            _ = try await stage.dex(.alice, arguments: limit)
        }
    }

    @Test("a quote whose deadline is over fails in the simulation; its permit is not signed")
    func stale() async throws {
        try await EVMStage.swapping(allowed) { stage, _, _ in
            try stage.lie("stale")
            let before = try stage.ledger()
            let failed = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 10,
                code: "would-revert"
            )
            let refused = try await stage.dex(
                .alice,
                arguments: Self.sale + ["--permit2"],
                exit: 6,
                code: "counterfeit-quote"
            )
            try stage.expect([:], since: before, by: failed, refused)
        }
    }

    @Test("a paused registry stops a trade that the API still quotes")
    func paused() async throws {
        try await EVMStage.swapping {
            allowed(&$0)
            $0.swap?.isPaused = true
        } _: { stage, _, _ in
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "swap-paused"
            )
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test("without its key the API is no venue")
    func noKey() async throws {
        try await EVMStage.swapping {
            $0.swap?.hasKey = false
        } _: { stage, _, _ in
            _ = try await stage.dex(.alice, arguments: Self.sale, exit: 3, code: "no-swap-key")
        }
    }

    @Test("more than the account owns, and more than the pool has, are refused")
    func funds() async throws {
        try await EVMStage.swapping(allowed) { stage, _, _ in
            let before = try stage.ledger()
            let poor = try await stage.dex(
                .alice,
                "market-sell ZRX/WETH 20000 --via swap",
                exit: 6,
                code: "insufficient-balance"
            )
            let dry = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 2000000 --via swap",
                exit: 6,
                code: "no-liquidity"
            )
            try stage.expect([:], since: before, by: poor, dry)
        }
    }

    @Test("a faster trade reverts it: nothing is lost but gas")
    func overtaken() async throws {
        try await EVMStage.swapping(allowed) { stage, pool, _ in
            var pool = pool
            // Dave's tokens lie in the pool already; his sale comes between.
            let given = try zrx.raw("8000")
            let gift = ERC20.transfer(to: pool.address, amount: given)
            try stage.send(try await stage.transaction(by: .dave, to: zrx.address, data: gift))
            let data = stage.call(
                "sell(address,address)",
                zrx.address.word,
                try Party.dave.address.word
            )
            let sale = try await stage.transaction(by: .dave, to: pool.address, data: data)
            stage.hooks.before("eth_sendRawTransaction") { try stage.send(sale) }
            let before = try stage.ledger()
            let paid = try Int128(base: pool.sell(zrx, given))
            let run = try await stage.dex(.alice, arguments: Self.sale, exit: 11)
            #expect(run.transactions == ["swap reverted"])
            try stage.expect(
                ["dave WETH": paid, "ZRX/WETH pool WETH": -paid],
                since: before,
                by: run
            )
        }
    }
}
