/// How the chain is watched.
package struct WatchSettings: Hashable, Sendable {
    /// Milliseconds between two looks; nil is half the network's block time.
    package var interval: UInt64?
    /// Seconds before its expiry from which on an order is said to expire soon.
    package var expiryNotice: UInt64
    /// Transfers of tokens that are neither in the token map nor in an own order are told too.
    package var tellsAllTokens: Bool

    /// Blocks that are read again each time: behind a load balancer the node that is asked for the
    /// logs may not have the blocks yet that another one told of.
    static let overlap: UInt64 = 12
    /// How many latest blocks of readings are kept, and how far behind the oldest of them is read
    /// again where the chain has none of them any more.
    static let depth = 128

    package init(
        interval: UInt64? = nil,
        expiryNotice: UInt64 = 900,
        tellsAllTokens: Bool = false
    ) {
        self.interval = interval
        self.expiryNotice = expiryNotice
        self.tellsAllTokens = tellsAllTokens
    }
}

/// Where watching begins.
package enum WatchStart: Hashable, Sendable {
    /// Where it stopped; where it never began, behind the latest block.
    case journal
    /// Behind the latest block; what happened before it is not told.
    case latest
    /// At a block; what was told already is not told again.
    case block(UInt64)
}

/// What is told of watching itself, beside the events.
package enum WatchStatus: Hashable, Sendable {
    /// The first block that is read.
    case begun(next: UInt64)
    /// The chain changed behind this block, and is read again from there.
    case rewound(to: UInt64)
    /// The node's latest block, and the one that was read before.
    case nodeBehind(latest: UInt64, read: UInt64)
    /// A reading failed; it is tried again.
    case failing(DexError)
    /// The relay could not be asked for own orders; those of the journal are watched.
    case relayFailing(String)
    /// What was paid in ether from this block on is not told: the node does not tell it.
    case etherUntold(from: UInt64, reason: String)
    /// What was paid in ether is told again, from this block on.
    case etherTold(from: UInt64)
    /// What failed answers again.
    case recovered
    /// A sink did not take a message; it is tried again.
    case undelivered(sink: String, reason: String)
    /// A sink takes messages again.
    case deliveredAgain(sink: String)
    /// A sink did not take a message, which is given up.
    case givenUp(sink: String, message: String, reason: String)
}

/// Who is told, in the order in which they are.
package enum WatchSinkName: String, CaseIterable, Sendable {
    /// Standard output.
    case terminal
    /// Notifications of the desktop.
    case desktop
    /// A command of the user's.
    case command
    /// A service of the user's.
    case webhook
}
