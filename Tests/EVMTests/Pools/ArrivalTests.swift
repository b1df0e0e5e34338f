import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Listed tokens that keep a part of each transfer, at v3 pools, which do not see it: what arrives
/// is proven before the signature.
@Suite("What arrives from Uniswap's pools is proven before the signature, on an EVM", .serialized)
struct ArrivalTests {
    private let weth = EVMToken.weth
    /// PAX Gold, which is in the bundled list, if it kept 1 %.
    private let paxg = EVMToken(
        symbol: "PAXG",
        name: "PAX Gold",
        decimals: 18,
        kind: "fee",
        address: EVMToken.paxg.address,
        fee: 10_000
    )

    private static let words = ["--via", "pools", "--allow-unchecked-price"]
    private static let sale = ["market-sell", "WETH/PAXG", "1"] + words

    private func taxed(_ scene: inout Scene) throws {
        scene.tokens.append(paxg)
        scene.uniswap?.allowances = [.weth: "10"]
        scene.uniswap?.pools = [
            try EVMUniswapPool(paxg, .weth, fee: 3_000, tick: 0, liquidity: 1 << 80)
        ]
    }

    @Test("less than the minimum would arrive: refused and not signed, sold or bought or for ether")
    func refused() async throws {
        try await EVMStage.pooling(taxed) { stage, _ in
            let before = try stage.ledger()
            for arguments in [
                Self.sale, ["market-buy", "PAXG/WETH", "1"] + Self.words,
                ["market-buy", "PAXG/ETH", "1"] + Self.words,
                ["market-sell", "ETH/PAXG", "1"] + Self.words,
                ["market-buy", "PAXG/WETH", "--spend", "1"] + Self.words,
            ] {
                let run = try await stage.dex(
                    .alice,
                    arguments: arguments,
                    exit: 6,
                    code: "fee-on-transfer"
                )
                #expect(run.transactions == [], "\(arguments)")
                try stage.expect([:], since: before, by: run)
            }
        }
    }

    @Test("a slippage that covers the fee: what arrives is at least the confirmed minimum")
    func covered() async throws {
        try await EVMStage.pooling(taxed) { stage, pools in
            var pool = pools[0]
            let out = try Int128(base: pool.sell(weth, weth.raw("1")))
            let before = try stage.ledger()
            let run = try await stage.dex(.alice, arguments: Self.sale + ["--slippage", "1.5"])
            let arrived = try stage.ledger().changes(since: before)["alice PAXG"] ?? 0
            #expect(arrived == out - out * 10_000 / 1_000_000)
            #expect(try run.raw("outcome.received") == arrived)
            #expect(try run.raw("plan.receive.min") <= arrived)
        }
    }

    @Test("a present in the router does not hide the fee, and stays there")
    func present() async throws {
        try await EVMStage.pooling {
            try taxed(&$0)
            $0.balances[.init(.bob, paxg)] = "100"
        } _: { stage, _ in
            let transfer = ERC20.transfer(to: PoolScene.router, amount: try paxg.raw("50"))
            _ = try await stage.transaction(by: .bob, to: paxg.address, data: transfer)
            let before = try stage.ledger()
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "fee-on-transfer"
            )
            try stage.expect([:], since: before, by: run)
        }
    }

    @Test(
        "after an approval it is refused as well: the trade is not sent, and the approval is told"
    )
    func afterApproval() async throws {
        try await EVMStage.pooling {
            try taxed(&$0)
            $0.uniswap?.allowances = [:]
        } _: { stage, _ in
            let run = try await stage.dex(
                .alice,
                arguments: Self.sale,
                exit: 6,
                code: "fee-on-transfer"
            )
            #expect(run.error.text.contains("The approval is mined"), "\(run.error.text)")
        }
    }

    @Test("a token that keeps nothing is proven in the same requests, exact both ways")
    func plain() async throws {
        try await EVMStage.pooling {
            $0.uniswap?.allowances = [.zrx: "100", .weth: "10"]
        } _: { stage, pools in
            var pool = pools[0]
            let zrx = EVMToken.zrx
            let paid = try Int128(base: pool.sell(zrx, zrx.raw("10")))
            let sold = try await stage.dex(.alice, "market-sell ZRX/WETH 10 --via pools")
            #expect(try sold.raw("outcome.received") == paid)
            let bought = try await stage.dex(.alice, "market-buy ZRX/ETH 10 --via pools")
            #expect(try bought.raw("outcome.received") == zrx("10"))
        }
    }
}
