package import Ethereum

/// What a relay asks of orders and clients beyond the rules of the protocol; nil is no limit.
package struct RelayLimits: Hashable, Sendable {
    // MARK: Orders

    /// Seconds from now to an order's expiry.
    package var longestLife: UInt64?
    /// How much worse than the pair's best order a price may be, in basis points.
    package var maximumBasisPointsFromBest: UInt32?
    /// The sum of a maker's open orders that give a token, as a multiple of what it owns of it.
    package var maximumTimesOwned: UInt64? = 3
    /// Base units of a token that an order must give or take at least.
    package var minimumAmounts: [Address: UInt256] = [:]
    /// How long a post whose maker seems unfunded waits for the node's next block, in
    /// milliseconds: the node may be behind the maker's.
    package var fundsPatience: Int = 0

    // MARK: Clients

    /// Posted orders a second of one address, on average; bursts are `postBurst`.
    package var postsPerSecond: Int?
    package var postBurst = 100
    /// Proxies whose X-Forwarded-For is believed.
    package var trustedProxies: [AddressRange] = []
    /// WebSocket connections of one address.
    package var maximumConnectionsOfAddress = 64
    package var maximumConnections = 4_096
    package var maximumSubscriptionsOfConnection = 64
    /// Subscriptions a second of one connection, on average; `subscribeBurst` at once.
    ///
    /// Each may ask for a snapshot.
    package var subscribesPerSecond = 4
    /// Bytes of one message of a client.
    package var maximumMessageBytes = 16 * 1_024
    /// Bytes that wait for a reader; beyond them its connection is closed with 1013.
    package var maximumUnsentBytes = 4 * 1_024 * 1_024

    package init() {}

    /// All that a connection may have, and each once more.
    var subscribeBurst: Int { 2 * maximumSubscriptionsOfConnection }
    /// Subscriptions a second of one address, on average: those of a few connections.
    var subscribesOfAddress: Int { 4 * subscribesPerSecond }
    /// Subscriptions of one address at once: all of a few connections, and some of each that it may
    /// have.
    var subscribeBurstOfAddress: Int {
        4 * max(subscribeBurst, maximumConnectionsOfAddress)
    }
}
