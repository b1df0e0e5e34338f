/// The settings of 0x's Swap API on a network.
package struct SwapSettings: Hashable, Sendable {
    /// The base URL of the API: `https://api.0x.org`; empty for a sandbox that does not run.
    package var api: String
    /// The file of the API's key, below the home folder or absolute; nil: only the environment
    /// has it.
    package var keyFile: String?
    /// Which venues a market order takes if its command names none.
    package var via: VenueChoice

    package init(api: String, keyFile: String? = nil, via: VenueChoice = .best) {
        self.api = api
        self.keyFile = keyFile
        self.via = via
    }
}

/// The venues that a market order may take: `--via`.
package enum VenueChoice: String, Hashable, Sendable, CaseIterable {
    /// The one that brings or saves more.
    case best
    /// The relay's book only.
    case book
    /// The swap API only.
    case swap
    /// Uniswap's pools only.
    case pools

    /// The choice of one venue alone.
    init(_ venue: VenueID) { self = VenueChoice(rawValue: venue.rawValue) ?? .best }

    /// The venues that it may ask.
    package var venues: Set<VenueID> {
        VenueID(rawValue: rawValue).map { [$0] } ?? Set(VenueID.allCases)
    }
}
