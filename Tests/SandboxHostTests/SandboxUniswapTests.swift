import DexCore
import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import Uniswap

@testable import SandboxHost

/// Uniswap's pools beside the books.
@Suite("The sandbox's Uniswap pools")
struct SandboxUniswapTests {
    private static let start: UInt64 = 1_700_000_040
    private let deployment = SandboxUniswap.deployment()

    private func client() throws -> SandboxChain {
        try SandboxChain(
            genesis: .sandbox([], accounts: SandboxAccounts(seed: 1), start: Self.start),
            configuration: ChainConfiguration(now: { Self.start }, recoverer: Secp256k1())
        )
    }

    @Test("the bundled networks of the sandbox name the contracts that its chain has")
    func bundled() throws {
        let networks = try NetworkCatalog.bundled().filter(\.isSandbox)
        #expect(networks.map(\.name) == ["sandbox", "sandbox-v4"])
        #expect(networks.allSatisfy { $0.pools == deployment })
    }

    /// What a pool takes for an amount of a token, by QuoterV2; nil if it refuses.
    private func cost(
        of amount: UInt256,
        _ bought: TokenDefinition,
        for sold: TokenDefinition,
        fee: UInt64
    ) async throws -> UInt256? {
        let data = ERC20.call(
            "quoteExactOutputSingle((address,address,uint256,uint24,uint160))",
            sold.address.word,
            bought.address.word,
            amount.word,
            UInt256(fee).word,
            UInt256(0).word
        )
        let request = CallRequest(to: deployment.quoter, data: data)
        return UInt256(bigEndian: try await client().call(request).prefix(32))
    }

    @Test("every pair has a v2 pair and a v3 pool at the factory, with their tokens")
    func pools() async throws {
        let client = try client()
        for pair in MarketPair.all {
            let (base, quote) = (pair.base.address, pair.quote.address)
            let id = try #require(PoolID(base, quote, .v2))
            let address = deployment.address(of: id)
            let getPair = ERC20.call("getPair(address,address)", base.word, quote.word)
            let found = try await client.call(
                CallRequest(to: deployment.v2Factory, data: getPair)
            )
            #expect(found == address.word.bytes, "\(pair.base.symbol)")
            for token in [base, quote] {
                let held = try await client.call(
                    CallRequest(to: token, data: ERC20.balanceOf(address))
                )
                #expect(UInt256(bigEndian: held).map { $0 > .zero } == true)
            }
        }
        let genesis = SandboxUniswap.genesis()
        #expect(genesis.pairs.count == 5 && genesis.pools.count == 7)
        #expect(genesis.deployment.chainID == SandboxTokens.chainID)
    }

    @Test("v2 pairs are at the middle of the book")
    func pairs() {
        for pair in MarketPair.all {
            let found = SandboxUniswap.genesis().pairs.first {
                Set([$0.pool.token0, $0.pool.token1]) == [pair.base.address, pair.quote.address]
            }
            let isBaseFirst = found?.pool.token0 == pair.base.address
            let base = isBaseFirst ? found?.reserve0 : found?.reserve1
            let quote = isBaseFirst ? found?.reserve1 : found?.reserve0
            #expect(base.map { pair.quoteAmount($0, price: pair.mid) } == quote)
        }
    }

    /// A small trade, the fee of the pool that is for it, and whether it buys the base token.
    private static let cases: [(MarketPair, UInt64, buysBase: Bool)] = [
        (MarketPair.all[0], 500, false), (MarketPair.all[1], 500, true),
        (MarketPair.all[2], 3_000, true), (MarketPair.all[3], 3_000, false),
        (MarketPair.all[4], 500, false),
    ]

    @Test("of each pair one side of a small trade is better at a pool, and the other at the book")
    func spreads() async throws {
        for (pair, fee, buysBase) in Self.cases {
            let amount = pair.lot
            let middle = pair.quoteAmount(amount, price: pair.mid)
            let spread = middle * UInt256(pair.halfSpread) / 1_000_000
            // Buying base costs quote above the middle; selling it is buying quote with base.
            let buying = try await cost(of: amount, pair.base, for: pair.quote, fee: fee)
            let selling = try await cost(
                of: middle - spread,
                pair.quote,
                for: pair.base,
                fee: fee
            )
            let cost = try #require(buying)
            let sold = try #require(selling)
            #expect((cost < middle + spread) == buysBase, "\(pair.base.symbol)")
            #expect((sold < amount) != buysBase, "\(pair.base.symbol)")
            // Nobody earns by going around: who buys and sells back has less than before.
            #expect(cost * sold > (middle - spread) * amount, "\(pair.base.symbol)")
        }
    }

    @Test("every pool is listed once, with its pair and its address")
    func listed() throws {
        let listed = SandboxUniswap.listed
        #expect(listed.count == 12 && Set(listed.map(\.address)).count == 12)
        for pair in MarketPair.all {
            let name = "\(pair.base.symbol)/\(pair.quote.symbol)"
            let own = listed.filter { $0.pair == name }
            #expect(own.first?.id.kind == .v2 && own.count >= 2, "\(name)")
            for pool in own {
                #expect(
                    Set([pool.id.token0, pool.id.token1])
                        == [pair.base.address, pair.quote.address]
                )
                #expect(pool.address == deployment.address(of: pool.id))
            }
        }
    }

    @Test("the contracts of Uniswap cannot be funded")
    func funding() {
        let pools = SandboxUniswap.genesis().pools.map { deployment.address(of: $0.pool) }
        for address in [deployment.router, deployment.quoter, deployment.v3Factory] + pools {
            #expect(!SandboxSettings.canFund(address))
        }
    }
}
