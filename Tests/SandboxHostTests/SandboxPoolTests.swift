import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import SandboxHost

/// The pools beside the books.
@Suite struct SandboxPoolTests {
    private static let start: UInt64 = 1_700_000_040

    private func markets(seed: UInt64) throws -> [SandboxMarket] {
        let accounts = try SandboxAccounts(seed: seed)
        return SandboxDeployment.all().map { venue in
            SandboxMarket(
                venue: venue,
                seed: seed,
                start: Self.start,
                orders: nil,
                accounts: accounts
            )
        }
    }

    /// As the contracts of a seed's chain say.
    private func pools(seed: UInt64) async throws -> [ConstantPool] {
        let chain = try SandboxChain(
            genesis: .sandbox(
                markets(seed: seed),
                accounts: SandboxAccounts(seed: seed),
                start: Self.start
            ),
            configuration: ChainConfiguration(now: { Self.start }, recoverer: Secp256k1())
        )
        return try await .read(chain, SandboxPools.all.map(\.address))
    }

    /// What the book asks for an amount, with the takers' fees in the sold token; nil if it has
    /// less.
    private func price(
        of amount: UInt256,
        _ bought: Address,
        for sold: Address,
        in market: SandboxMarket
    ) -> UInt256? {
        let orders = market.orders.filter {
            $0.draft.makerToken == bought && $0.draft.takerToken == sold && $0.draft.taker == .zero
        }.sorted {
            $0.draft.takerAmount * $1.draft.makerAmount < $1.draft.takerAmount
                * $0.draft.makerAmount
        }
        var left = amount
        var paid = UInt256.zero
        for order in orders {
            let draft = order.draft
            let open = draft.takerAmount - order.filled
            let part = min(left, open * draft.makerAmount / draft.takerAmount)
            paid += part * (draft.takerAmount + draft.fees.takerFee) / draft.makerAmount
            left -= part
        }
        return left == .zero ? paid : nil
    }

    @Test("each pair has a pool, in the market's tokens, at the middle of its book")
    func pairs() async throws {
        let pools = try await pools(seed: 1)
        #expect(pools.count == MarketPair.all.count)
        #expect(pools.map(\.address) == (1...5).map { GenesisSwap.pool($0) })
        for pair in MarketPair.all {
            let pool = try #require(
                pools.first {
                    $0.joins(pair.base.address, pair.quote.address)
                }
            )
            let reserves = [pool.firstReserve, pool.secondReserve]
            let isBaseFirst = pool.first == pair.base.address
            let middle = pair.quoteAmount(reserves[isBaseFirst ? 0 : 1], price: pair.mid)
            #expect(reserves[isBaseFirst ? 1 : 0] == middle, "\(pair.base.symbol)")
        }
    }

    /// What is bought with what, an amount that is better at the pool, and one that is better at
    /// the book.
    private static let cases: [(TokenDefinition, TokenDefinition, UInt256, UInt256)] = {
        let unit = UInt256(1_000_000_000_000_000_000)
        return [
            (SandboxTokens.zrx, SandboxTokens.weth, 60_000 * unit, 100 * unit),
            (SandboxTokens.dai, SandboxTokens.weth, 45_000 * unit, 1_000 * unit),
            (SandboxTokens.weth, SandboxTokens.usdc, 22 * unit, 1 * unit),
            (SandboxTokens.weth, SandboxTokens.mkr, 40 * unit, unit / 5),
            (SandboxTokens.link, SandboxTokens.weth, 2_200 * unit, 50 * unit),
        ]
    }()

    @Test(
        "of each pair one size is better at the pool and one at the book, on v4",
        arguments: [1, 2, 3] as [UInt64]
    )
    func sizes(seed: UInt64) async throws {
        let pools = try await pools(seed: seed)
        for (bought, sold, atPool, atBook) in Self.cases {
            let pool = try #require(
                pools.first { $0.joins(bought.address, sold.address) }
            )
            // v1's fees are in ZRX, and not in these prices.
            let market = try #require(markets(seed: seed).first { $0.venue.version == .v4 })
            for (amount, isAtPool) in [(atPool, true), (atBook, false)] {
                let there = try #require(pool.input(for: amount, selling: sold.address))
                // A book with less than that is no match for the pool.
                let here = price(of: amount, bought.address, for: sold.address, in: market) ?? .max
                #expect((there < here) == isAtPool, "\(bought.symbol) \(amount): \(there) \(here)")
            }
        }
    }
}
