package import ZeroEx

package struct PairsState: Sendable {
    package struct Row: Sendable {
        /// In the usual direction: QUOTE is WETH or a stable coin if the pair has one.
        package let pair: Pair
        package let details: RelayTokenPair
        /// Both tokens are in the map.
        package let isKnown: Bool
    }

    package let relay: String
    package let rows: [Row]
    /// The relays that are left out; sentences.
    package var warnings: [String] = []
}
