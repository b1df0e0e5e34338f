package import ZeroEx

/// 0x's Swap API, which trades with pools and market makers in one call.
package struct ZeroExSwapVenue: QuotedVenue {
    package let source: any LiquiditySource

    package init(_ source: any LiquiditySource) { self.source = source }

    package var id: VenueID { .swap }
}
