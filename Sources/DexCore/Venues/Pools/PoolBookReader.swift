import Ethereum
import Uniswap
import ZeroEx

/// Reads the pools of a pair as a book, with nothing but a node.
package struct PoolBookReader: Sendable {
    private let session: Session

    package init(session: Session) { self.session = session }

    /// The pools of a pair at the latest block, in two round trips: their states, then their ticks.
    ///
    /// - Parameter pair: the chain's coin counts as its wrapped token.
    /// - Throws: `DexError`: exit 3, `no-pools` where the network has none, another chain, or other
    ///   contracts than those of the list; exit 4, the node's failure; exit 6, `no-pool`, where the
    ///   pair has none with liquidity.
    package func read(_ pair: Pair) async throws(DexError) -> PoolBook {
        try await read(pair) { _, _ in }.book
    }

    /// What two round trips said of a pair's pools.
    struct Reading<Question> {
        let book: PoolBook
        /// The states of the first round trip.
        let market: PoolMarket
        /// The answers of the second one, and what else it asked.
        let answers: ReadAnswers
        let question: Question
    }

    /// Reads the pools, and asks more at their block in the second round trip.
    ///
    /// - Parameter asking: adds questions about the pools of the first round trip.
    func read<Question>(
        _ pair: Pair,
        asking: (PoolMarket, inout ReadBatch) -> Question
    ) async throws(DexError) -> Reading<Question> {
        guard let deployment = session.network.pools else {
            throw NetworkError.noPools(network: session.network.name)
        }
        guard let tokens = deployment.tokens(of: pair), tokens.base != tokens.quote else {
            throw DexError(LiquidityError.unpooled)
        }
        let market: PoolMarket
        do throws(LiquidityError) {
            market = try await PoolMarket.read(
                PoolCandidates(tokens.base, tokens.quote),
                deployment,
                session.chain
            )
        } catch {
            throw DexError(error)
        }
        guard !market.spots.isEmpty else { throw DexError(LiquidityError.unpooled) }
        var batch = ReadBatch()
        let head = ChainHead.ask(session, in: &batch)
        let asked = PoolDepths.ask(
            market.spots,
            deployment,
            checked: [],
            at: .number(market.block.number),
            in: &batch
        )
        let question = asking(market, &batch)
        let answers = try await batch.send(to: session.chain)
        _ = try answers.value(head)
        let depths: PoolDepths
        do throws(ChainError) {
            depths = try asked.read(answers)
        } catch {
            throw DexError(LiquidityError.chain(error))
        }
        guard !depths.pools.isEmpty else { throw DexError(LiquidityError.unpooled) }
        var addresses: [PoolID: Address] = [:]
        for pool in depths.pools.keys { addresses[pool] = deployment.address(of: pool) }
        return Reading(
            book: PoolBook(
                pair: pair,
                tokens: tokens,
                depths,
                addresses: addresses,
                at: market.block
            ),
            market: market,
            answers: answers,
            question: question
        )
    }
}

extension UniswapDeployment {
    /// A pair's tokens as the pools have them: the wrapped token for the chain's coin; nil where
    /// the coin has none.
    func tokens(of pair: Pair) -> (base: Address, quote: Address)? {
        func address(_ token: Token) -> Address? { token.isNativeCoin ? wrapped : token.address }
        guard let base = address(pair.base), let quote = address(pair.quote) else { return nil }
        return (base, quote)
    }
}
