package import Ethereum

/// What `dex orders --mine` shows: the account's orders by journal, relay and chain together.
package struct OwnOrdersState: Sendable {
    /// One order and everything that happened to it.
    package struct Row: Sendable {
        package let order: OrdersState.Row
        /// Seconds since 1970 when it was signed here; nil where it was not.
        package let signed: UInt64?
        /// The relay that took it, by the journal; nil where none did.
        package let relay: String?
        /// Nobody learnt whether the relay took it.
        package let isInDoubt: Bool
        /// Fills and cancels, the oldest first, as far as the logs are read.
        package let events: [OwnOrderEvent]
    }

    package let account: Address
    package let block: UInt64
    /// Seconds since 1970 of that block.
    package let timestamp: UInt64
    package let rows: [Row]
    package let dropped: [OrderbookState.Dropped]
    /// What could not be read, in sentences.
    package let warnings: [String]
}
