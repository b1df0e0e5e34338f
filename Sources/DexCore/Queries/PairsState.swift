package import ZeroEx

/// What `dex pairs` shows.
package struct PairsState: Sendable {
    package struct Row: Sendable {
        /// In the order in which people quote them: QUOTE is WETH or a stable coin where one is.
        package let pair: Pair
        package let details: RelayTokenPair
        /// Both tokens are in the map.
        package let isKnown: Bool
    }

    package let relay: String
    package let rows: [Row]
}
