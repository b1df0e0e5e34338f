package import Ethereum
package import ZeroEx

/// The unfinished records of a chain, and those whose outcome was never reported.
package struct JournalUnfinished: Hashable, Sendable {
    /// Transactions whose end the chain has not shown, by account and nonce; as `unsettled`.
    package let transactions: [JournalTransaction]
    /// Reserved nonces without a signed transaction, including lapsed ones.
    package let reservations: [JournalReservation]
    /// Commands that did not report their outcome: they were killed, or still run.
    package let intents: [JournalOpenIntent]
    /// Signed orders whose acceptance by a relay is unknown, the oldest first.
    package let orders: [JournalOrder]

    /// What belongs to one intent.
    ///
    /// - Parameter hashes: of the orders that were signed for it.
    package func of(_ intent: Int64, orders hashes: Set<OrderHash>) -> JournalUnfinished {
        JournalUnfinished(
            transactions: transactions.filter { $0.intent == intent },
            reservations: reservations.filter { $0.intent == intent },
            intents: intents.filter { $0.id == intent },
            orders: orders.filter { hashes.contains($0.hash) }
        )
    }
}

/// A reserved nonce without a signed transaction.
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
    /// The process that took it still runs.
    package let isHeld: Bool
}

/// A command that did not report its outcome.
package struct JournalOpenIntent: Hashable, Sendable {
    package let id: Int64
    package let account: Address
    /// The command, such as `market-buy`.
    package let command: String
    /// Seconds since 1970.
    package let created: UInt64
    /// The purposes of what was signed for it, in order: `approve`, `fill`, `order`.
    package let signed: [String]
    /// It was to end in an order.
    package let placesOrder: Bool
    /// Its process still runs.
    package let isHeld: Bool
}
