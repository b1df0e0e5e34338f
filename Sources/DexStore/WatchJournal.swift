package import Ethereum

/// What `dex watch` must not forget: how far it came, what it noted, and whom it told.
package protocol WatchJournal: Sendable {
    /// How far the chain was followed; nil where it never was.
    func watchCursor(_ subject: WatchTarget) throws(JournalError) -> WatchCursor?

    /// The events with these keys, those of transactions in blocks from `block` on that stand, and
    /// those of orders' funds.
    func notedEvents(
        _ subject: WatchTarget,
        keys: Set<Bytes32>,
        from block: UInt64
    ) throws(JournalError) -> [NotedEvent]

    /// Records what a reading changes, with a message for each sink, in one transaction.
    ///
    /// - Returns: false, and nothing is changed, where another reading was recorded since the
    ///   cursor was read.
    func record(_ step: WatchStep) throws(JournalError) -> Bool

    /// What a sink has not been told yet, the oldest first.
    func pendingMessages(
        _ subject: WatchTarget,
        sink: String,
        limit: Int
    ) throws(JournalError) -> [WatchMessage]

    /// Records what became of a message at a sink; counts an attempt.
    func settle(
        _ message: WatchMessage,
        sink: String,
        as state: WatchDeliveryState
    ) throws(JournalError)
}
