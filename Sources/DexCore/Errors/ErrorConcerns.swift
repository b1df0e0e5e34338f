/// What an error is about, where code decides by it: set in its row, or for all of its area.
package struct ErrorConcerns: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// One venue cannot trade it, and another may.
    package static let venue = Self(rawValue: 1 << 0)
    /// The venue is not on the node's chain at all.
    package static let absentVenue = Self(rawValue: 1 << 1)
    /// The chain has no pools of Uniswap, or none of the pair: there is no price, and no fault.
    package static let absentPools = Self(rawValue: 1 << 2)
    /// The node's part failed: the venue may be there.
    package static let venueNode = Self(rawValue: 1 << 3)
    /// There is no relay, or it gave no usable answer.
    package static let relay = Self(rawValue: 1 << 4)
    /// The orders of a book, or one of them.
    package static let book = Self(rawValue: 1 << 5)
    /// The user named an order by its hash, and it is unknown.
    package static let unknownOrder = Self(rawValue: 1 << 6)
    /// The price is beyond `--max-price` or `--min-price`.
    package static let priceLimit = Self(rawValue: 1 << 7)
    /// The price is refused unless a flag allows it.
    package static let price = Self(rawValue: 1 << 8)
    /// What the market or the cost of gas does not allow, now or any more.
    package static let market = Self(rawValue: 1 << 9)
    /// One pair alone.
    package static let pair = Self(rawValue: 1 << 10)
    /// Gas costs more than is allowed for it.
    package static let gasCap = Self(rawValue: 1 << 11)
    /// What the user sent or signed before, and what became of it.
    package static let inFlight = Self(rawValue: 1 << 12)
    /// An agent's plan that does not hold any more.
    package static let movedPlan = Self(rawValue: 1 << 13)
    /// A guard that another process fired.
    package static let takenGuard = Self(rawValue: 1 << 14)
    /// A limit that names the coin of other networks.
    package static let otherCoin = Self(rawValue: 1 << 15)
    /// Logs that the node does not give.
    package static let refusedLogs = Self(rawValue: 1 << 16)
    /// No node answered, or none with a usable answer.
    package static let silence = Self(rawValue: 1 << 17)
    /// Nodes say different things of one block.
    package static let disagreement = Self(rawValue: 1 << 18)
    /// An order that expires too soon by now; others may fill the trade.
    package static let expiry = Self(rawValue: 1 << 19)
    /// A contract that is no exchange, or makes other hashes.
    package static let foreignExchange = Self(rawValue: 1 << 20)
    /// Logs that were read, of blocks that the chain may not have any more.
    package static let removedLogs = Self(rawValue: 1 << 21)
    /// Logs that were read, of which some are missing.
    package static let missingLogs = Self(rawValue: 1 << 22)
}
