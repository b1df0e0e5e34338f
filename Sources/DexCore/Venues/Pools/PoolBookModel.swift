import Ethereum
import ZeroEx

/// `dex orderbook` and `dex price` without a relay: the pools of a pair as a book.
package struct PoolBookModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The pools now.
    ///
    /// - Parameters:
    ///   - pairText: may name the chain's coin, which counts as its wrapped token.
    ///   - depth: the maximum number of levels per side; nil is all.
    /// - Throws: `DexError`, as `PoolBookReader.read`, and for a pair that is none.
    package func load(
        pairText: String,
        depth: Int? = nil
    ) async throws(DexError) -> PoolBookState {
        try await load(try await pair(pairText), depth: depth)
    }

    /// A network without pools is reported before any token.
    private func pair(_ text: String) async throws(DexError) -> Pair {
        guard session.network.pools != nil else {
            throw NetworkError.noPools(network: session.network.name)
        }
        return try await MarketPair(session: session).pair(text)
    }

    private func load(_ pair: Pair, depth: Int?) async throws(DexError) -> PoolBookState {
        PoolBookState(
            try await PoolBookReader(session: session).read(pair),
            nodes: session.network.quorum,
            depth: depth
        )
    }

    /// The best prices of the pools, as `dex price` without an amount shows them.
    ///
    /// - Throws: `DexError`, as `load`.
    package func price(pairText: String) async throws(DexError) -> PriceState {
        try await price(of: try await pair(pairText))
    }

    /// The same of a pair whose tokens are known.
    func price(of pair: Pair) async throws(DexError) -> PriceState {
        let state = try await load(pair, depth: nil)
        return PriceState(
            pair: state.pair,
            block: state.book.block.number,
            bid: state.bid,
            ask: state.ask,
            mid: state.mid,
            quote: nil,
            pools: state
        )
    }

    /// The pools now, and then whenever their prices or liquidity changed.
    ///
    /// The node is asked at half the block time. A transient failure is reported as progress and
    /// retried; any other ends the watch. The watch ends without an error when its task is
    /// cancelled.
    ///
    /// - Parameter show: shows the pools; false ends the watch.
    package func watch(
        pairText: String,
        depth: Int? = nil,
        show: (PoolBookState) async -> Bool
    ) async throws(DexError) {
        let pair = try await pair(pairText)
        let environment = session.environment
        var last: PoolBookState?
        repeat {
            do throws(DexError) {
                let state = try await load(pair, depth: depth)
                if Task.isCancelled { return }
                if let last, last.isSame(as: state) { continue }
                last = state
                if await !show(state) { return }
            } catch {
                if Task.isCancelled { return }
                // The first reading must succeed, so that a wrong address is reported at once.
                guard last != nil, error.retryable else { throw error }
                environment.progress(error.message)
            }
        } while await environment.hasSlept(session.network.watchInterval)
    }
}

/// The source of the prices that a reading command shows of a pair: `--via`.
package enum BookVenue: String, Hashable, Sendable, CaseIterable {
    /// The relay's orders.
    case book
    /// Uniswap's pools.
    case pools

    /// Where nothing is named: the relay's book, where there is a relay; else the pools, where
    /// there are some.
    package init(of network: Network) {
        self = network.isOfPools(hasRelay: !network.relays.isEmpty) ? .pools : .book
    }
}
