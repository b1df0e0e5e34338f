package import Ethereum
package import ZeroEx

/// The state of an order on a relay.
package enum ListingState: String, Hashable, Sendable, CaseIterable {
    /// In the book.
    case shown
    /// Its maker lacks balance or allowance; it is shown again when funds return.
    case dormant
    /// The operator's policy keeps it out of the book; its maker was told that it was accepted.
    case hidden
    case filled, cancelled, expired
    /// Removed by the relay: the book was full, or its token is no longer carried.
    case removed

    /// It can come back only if a reorganization undoes its end, or if it is posted again.
    package var isGone: Bool {
        switch self {
        case .shown, .dormant, .hidden: false
        case .filled, .cancelled, .expired, .removed: true
        }
    }
}

/// An order with the relay's data about it: a row of its store.
package struct ListedOrder: Hashable, Sendable {
    package let hash: OrderHash
    package let version: ProtocolVersion
    package let maker: Address
    package let direction: PairDirection
    /// The order in the relay's wire form.
    package let body: [UInt8]
    /// Seconds since 1970, at most 2^63 - 1.
    package let receivedAt: UInt64
    package var state: ListingState
    package var standing: OrderStanding
    /// The time of the last change of `state`, in seconds since 1970.
    package var since: UInt64
    /// The number of its last change.
    package var change: UInt64 = 0
    /// It was hidden before it ended, so it comes back hidden; false while it has not ended.
    package var wasHidden = false

    /// Takes an update's state and standing over.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: false if it changes nothing, or expects another state.
    package mutating func take(_ update: OrderBatch.Update, at now: UInt64) -> Bool {
        guard update.expected ?? state == state,
            update.state != state || update.standing != standing
        else { return false }
        if update.state != state { since = now }
        if !update.state.isGone {
            wasHidden = false
        } else if !state.isGone {
            wasHidden = state == .hidden
        }
        state = update.state
        standing = update.standing
        return true
    }
}

/// A committed change of one order.
///
/// Every instance of a relay applies the same changes in the order of their numbers.
package struct OrderChange: Hashable, Sendable {
    /// Counts all changes of a store from 1, without gaps.
    package let number: UInt64
    /// Counts the changes of a market's pair in either direction from 1, without gaps.
    package let pairSequence: UInt64
    /// The order as of this change; its `change` is `number`.
    package let order: ListedOrder
    /// nil if the order is new to the store.
    package var previous: ListingState?

    package var market: MarketKey {
        MarketKey(version: order.version, pair: order.direction.unordered)
    }
}

/// A pair of tokens in the orders of one protocol version, whichever token is given.
package struct MarketKey: Hashable, Sendable {
    package let version: ProtocolVersion
    /// `PairDirection.unordered`.
    package let pair: PairDirection

    package init(version: ProtocolVersion, pair: PairDirection) {
        self.version = version
        self.pair = pair.unordered
    }
}

/// What one transaction of a store writes.
package struct OrderBatch: Sendable {
    /// New orders, or orders that come back: a gone one is replaced, another one is left as it is.
    package var added: [ListedOrder] = []
    /// New states of stored orders; one that is not stored, or is in that state with that standing
    /// already, makes no change.
    package var updated: [Update] = []
    /// The block up to which the watcher has followed the chain; nil leaves it.
    package var position: WatchPosition?
    /// The epoch of the lease under which a watcher decided this; nil for all others.
    ///
    /// If another lease has begun since, nothing of the batch is written.
    package var epoch: UInt64?

    package struct Update: Hashable, Sendable {
        package let hash: OrderHash
        package let state: ListingState
        package let standing: OrderStanding
        /// The state from which this change was decided; nil changes any.
        ///
        /// If the store has another one, no change is made.
        package var expected: ListingState?
    }
}

/// The blocks that a watcher has followed, the oldest first; at most 64 and the head.
package struct WatchPosition: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let number: UInt64
        package let hash: BlockHash
        /// Seconds since 1970.
        package let time: UInt64
        /// The orders that its logs touched.
        package let touched: [OrderHash]
    }

    package let steps: [Step]

    package var head: Step? { steps.last }

    /// The orders that any of the blocks touched.
    package var touched: Set<OrderHash> { Set(steps.lazy.flatMap(\.touched)) }
}
