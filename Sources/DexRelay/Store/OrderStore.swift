package import Ethereum
package import ZeroEx

/// A relay's orders on disk, shared by all instances of the relay.
///
/// Every change has a number. Numbers become visible in order: a reader that has seen number n has
/// seen all below it, also if several instances commit at once.
package protocol OrderStore: Sendable {
    /// Writes a batch in one durable transaction: what it returns survives a power loss.
    ///
    /// - Parameter now: seconds since 1970, the `since` of changed orders.
    /// - Returns: the changes that were made, with their numbers, in order.
    /// - Throws: `OrderStoreError`; then nothing was written, or (`.unknown`) that cannot be told.
    ///   `.superseded` if the batch is of an earlier lease than the last one.
    func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange]

    /// The committed changes after a number, in order; at most `limit` of them.
    ///
    /// - Returns: nil if not all of them are kept any more, or if the store has not come so far:
    ///   read everything again. A store of one process keeps those of its last commits alone.
    func changes(
        after number: UInt64,
        limit: Int
    ) async throws(OrderStoreError) -> [OrderChange]?

    /// Everything that a relay keeps in memory, read at one moment.
    ///
    /// - Parameter row: gets every order that is not gone, those that ended since `goneSince`
    ///   (seconds since 1970), and those that the position names, whenever they ended: a
    ///   reorganization may undo that. They come in the order of their last change.
    func load(
        goneSince: UInt64,
        _ row: (ListedOrder) -> Void
    ) async throws(OrderStoreError) -> StoreHead

    /// The watcher's position, and the orders that it names and that have ended.
    func watched() async throws(OrderStoreError) -> WatchedState

    /// The orders of a maker that are not shown, the latest first; at most 1,000.
    func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws(OrderStoreError) -> [ListedOrder]

    /// Deletes orders that ended before a time, and changes that all readers have long seen.
    ///
    /// Orders that the position names stay.
    ///
    /// - Parameter before: seconds since 1970.
    func prune(before: UInt64) async throws(OrderStoreError)

    /// Tells when to read `changes`; ends when the store is closed.
    func wakeUps() -> AsyncStream<StoreWakeUp>

    /// Takes the lease to watch the chain, if no other instance has it, and begins its epoch: what
    /// was decided under an earlier one can no longer be written.
    ///
    /// - Returns: nil if another instance has it.
    func takeWatch() async throws(OrderStoreError) -> (any WatchLease)?

    /// The operator's decisions, if they stand in the store; nil if each instance has a file.
    var moderation: (any SharedModeration)? { get }

    /// The keys of clients, if they stand in the store; nil if they stand in a file.
    var sharedKeys: (any SharedKeys)? { get }

    /// Counts of what the store did.
    var statistics: StoreStatistics { get }

    /// Writes pending data and closes the store.
    func close() async throws(OrderStoreError)
}

extension OrderStore {
    package var moderation: (any SharedModeration)? { nil }
    package var sharedKeys: (any SharedKeys)? { nil }
}

/// The reason why a store's changes should be read.
package enum StoreWakeUp: Hashable, Sendable {
    /// Another instance may have committed.
    case changed
    /// The connection is new: compare everything.
    case reconnected
}

/// The right to watch the chain for all instances of a relay.
package protocol WatchLease: Sendable {
    /// Grows with each lease of the store; see `OrderBatch.epoch`.
    var epoch: UInt64 { get }
    /// false once it is lost, as when the connection to the store broke.
    var isHeld: Bool { get async }
    func release() async
}

/// What a watcher goes on from.
package struct WatchedState: Sendable {
    package let position: WatchPosition?
    /// The orders that the position names and that have ended, whenever that was.
    package let ended: [ListedOrder]
}

/// The newest change of a store.
package struct StoreHead: Hashable, Sendable {
    /// The number of the last change; 0 if there is none.
    package let number: UInt64
    /// The last sequence of each market's pair.
    package let sequences: [MarketKey: UInt64]
    package let position: WatchPosition?
}

/// The reason why a store did not do its work.
package enum OrderStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It cannot be opened: a wrong path, a wrong password, another program's tables.
    case unusable(place: String, reason: String)
    /// Nothing was written; trying again may help.
    case unavailable(reason: String)
    /// The connection broke during the commit: the batch was written as a whole, or not at all.
    case unknown(reason: String)
    /// Another watcher's lease has begun since the batch was decided; nothing was written.
    case superseded

    package var description: String {
        switch self {
        case .unusable(let place, let reason):
            "The relay's orders in \(place) cannot be opened: \(reason)."
        case .unavailable(let reason): "The relay's store does not answer: \(reason)."
        case .unknown(let reason):
            "The relay's store broke off during a commit: \(reason). Post the order again: a "
                + "known order is accepted without a change."
        case .superseded: "Another instance of the relay watches the chain now."
        }
    }
}
