package import Ethereum

/// What a journal holds of a chain that did not come to its end, or whose end nobody was told.
package struct JournalUnfinished: Hashable, Sendable {
    /// What may still be mined, by account and nonce.
    package let transactions: [JournalTransaction]
    /// Nonces that were taken and with which nothing is signed, lapsed ones as well.
    package let reservations: [JournalReservation]
    /// Commands that did not tell how they ended: they were killed, or still run.
    package let intents: [JournalOpenIntent]
    /// Signed orders of which nobody learnt whether a relay took them, the oldest first.
    package let orders: [JournalOrder]

    package init(
        transactions: [JournalTransaction],
        reservations: [JournalReservation],
        intents: [JournalOpenIntent],
        orders: [JournalOrder]
    ) {
        self.transactions = transactions
        self.reservations = reservations
        self.intents = intents
        self.orders = orders
    }
}

/// A nonce that was taken and with which nothing is signed.
package struct JournalReservation: Hashable, Sendable {
    /// The row in the journal.
    package let id: Int64
    package let intent: Int64
    package let sender: Address
    package let nonce: UInt64
    package let purpose: String
    /// When it lapses, in seconds since 1970.
    package let lease: UInt64
    /// Seconds since 1970.
    package let created: UInt64
    /// The process that took it still lives.
    package let isHeld: Bool
}

/// A command that did not tell how it ended.
package struct JournalOpenIntent: Hashable, Sendable {
    package let id: Int64
    package let account: Address
    /// `market-buy`.
    package let command: String
    /// Seconds since 1970.
    package let created: UInt64
    /// The purposes of what was signed for it, in order: `approve`, `fill`, `order`.
    package let signed: [String]
    /// Its process still lives.
    package let isHeld: Bool
}
