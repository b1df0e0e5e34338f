package import Ethereum

/// The result of `dex orders --mine`: the account's orders by journal, relay and chain.
package struct OwnOrdersState: Sendable {
    /// One order and all its events.
    package struct Row: Sendable {
        package let order: OrdersState.Row
        /// Seconds since 1970 when it was signed here; nil if it was not.
        package let signed: UInt64?
        /// The relay that accepted it, from the journal; nil if none did.
        package let relay: String?
        /// Its acceptance by the relay is unknown.
        package let isInDoubt: Bool
        /// Fills and cancels, the oldest first, as far as the logs are read.
        package let events: [OwnOrderEvent]
    }

    package let account: Address
    package let block: UInt64
    /// Seconds since 1970 of that block.
    package let timestamp: UInt64
    package var rows: [Row]
    package let dropped: [OrderbookState.Dropped]
    /// Notes on data that could not be read; sentences.
    package let warnings: [String]
}

extension OwnOrdersState {
    /// No orders, of which nothing was read.
    init(of account: Address) {
        self.init(
            account: account,
            block: 0,
            timestamp: 0,
            rows: [],
            dropped: [],
            warnings: []
        )
    }
}
