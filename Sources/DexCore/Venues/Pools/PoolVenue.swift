package import Ethereum
package import ZeroEx

/// Uniswap's pools, read from the chain alone.
package struct PoolVenue: QuotedVenue {
    package let source: any LiquiditySource

    package init(_ source: any LiquiditySource) { self.source = source }

    /// The pools of a network's chain; nil where none are known.
    package init?(
        _ network: Network,
        chain: any ChainClient,
        tokens: TokenMap,
        now: @escaping @Sendable () -> UInt64
    ) {
        let source = PoolSource(network, chain: chain, tokens: tokens, now: now)
        guard let source else { return nil }
        self.init(source)
    }

    package var id: VenueID { .pools }

    /// Half of the usual: everyone sees a trade before it is mined.
    package var usualSlippage: UInt64 { TradeSettings.usualSlippage / 2 }

    package func nodes(_ network: Network) -> UInt64? { network.quorum }

    package func check(_ order: MarketOrder) async throws(DexError) {
        try await order.admits.pools()
    }

    /// Compared with pools, it is compared with their mean alone, which one block cannot move.
    package func gap(in reference: PriceReference, for side: TradeSide) -> String? {
        guard case .pools(let pools, let instead) = reference,
            case .missing(let reason) = pools.mean
        else { return reference.gap(for: side) }
        return "\(instead) \(reason)"
    }
}
