package import ZeroEx

/// A relay of the network in use, with the name that may be shown.
package struct RelayMember: Sendable {
    package let name: String
    package let client: any RelayClient
    /// Its messages about new and changed orders; nil without a feed.
    package let feed: (any RelayFeed)?

    package init(name: String, client: any RelayClient, feed: (any RelayFeed)? = nil) {
        self.name = name
        self.client = client
        self.feed = feed
    }
}

extension Session {
    /// The relays of the network, in the order of the settings; empty without one.
    var relayMembers: [RelayMember] {
        guard let relay else { return [] }
        if let group = relay as? RelayGroup { return group.members }
        return [RelayMember(name: network.relayName ?? "relay", client: relay, feed: feed)]
    }

    /// The relays that gave no usable answer lately, as sentences; empty with one relay.
    var leftOutRelays: [String] {
        (relay as? RelayGroup)?.leftOut ?? []
    }
}

extension RelayAnswer {
    /// Why it is left out, as a sentence; nil if its orders count.
    package var warning: String? {
        failure.map { Self.warning(relay, $0) }
    }

    /// The sentence about a relay that is left out.
    static func warning(_ relay: String, _ error: RelayError) -> String {
        PlainText.sentence("The relay \(relay) is left out: \(error.reason)")
    }
}

extension RelayProvenance {
    /// A sentence for each relay that is left out.
    package var warnings: [String] { answers.compactMap(\.warning) }
}
