package import Ethereum
import GRDB

extension Journal {
    /// Reserves the nonce of a refused transaction, else an account's lowest free one.
    ///
    /// A free nonce is at least the node's pending count, and always above the mined ones. The
    /// lowest comes first: a returned nonce must not block later transactions. Of refused bytes
    /// and a transaction signed later with their nonce only one can be mined. No two processes get
    /// the same nonce.
    ///
    /// - Parameters:
    ///   - pendingCount: eth_getTransactionCount at `pending`.
    ///   - now: seconds since 1970; an unsigned reservation lapses when the process that holds its
    ///     intent ends, or after `NonceReservation.lease`.
    package func reserveNonce(
        intent: Int64,
        purpose: String,
        chainID: UInt64,
        sender: Address,
        pendingCount: UInt64,
        now: UInt64
    ) throws(JournalError) -> NonceReservation {
        let chain = try integer(chainID, "the chain id")
        let pending = try integer(pendingCount, "the nonce")
        let time = try integer(now, "the time")
        return try write { database in
            // Nothing is signed with those that lapsed or whose process has ended, and a process that
            // still signs cannot record it.
            try database.execute(
                sql: """
                    DELETE FROM transactions
                    WHERE chain_id = ? AND sender = ? AND status = 'reserved'
                        AND (lease < ? OR NOT is_held(intent))
                    """,
                arguments: [chain, sender, time]
            )
            let nonce = try Self.freeNonce(
                from: pending,
                chain: chain,
                sender: sender,
                in: database
            )
            let (lease, late) = time.addingReportingOverflow(Int64(NonceReservation.lease))
            guard !late else { throw JournalError.outOfRange("the time") }
            try database.execute(
                sql: """
                    INSERT INTO transactions
                        (intent, chain_id, sender, nonce, purpose, status, lease, created, changed)
                    VALUES (?, ?, ?, ?, ?, 'reserved', ?, ?, ?)
                    """,
                arguments: [intent, chain, sender, nonce, purpose, lease, time, time]
            )
            return NonceReservation(
                id: database.lastInsertedRowID,
                nonce: UInt64(clamping: nonce)
            )
        }
    }

    /// The lowest refused nonce that nothing holds, else the lowest free one from the node's count
    /// on.
    ///
    /// It is always above the mined ones, since a node that lags must not cause a second use. A
    /// refused nonce may be below the node's count: a node may count refused bytes in its pool.
    private static func freeNonce(
        from pending: Int64,
        chain: Int64,
        sender: Address,
        in database: Database
    ) throws -> Int64 {
        let mined = try Int64.fetchOne(
            database,
            sql: """
                SELECT MAX(nonce) FROM transactions
                WHERE chain_id = ? AND sender = ? AND status IN ('mined', 'reverted')
                """,
            arguments: [chain, sender]
        )
        var minimum: Int64 = 0
        if let mined {
            let (next, overflow) = mined.addingReportingOverflow(1)
            guard !overflow else { throw JournalError.outOfRange("the nonce") }
            minimum = next
        }
        var nonce = max(pending, minimum)
        let refused = try Int64.fetchOne(
            database,
            sql: """
                SELECT MIN(nonce) FROM transactions AS t
                WHERE chain_id = ? AND sender = ? AND nonce >= ? AND nonce < ?
                    AND status = 'refused' AND NOT EXISTS (
                        SELECT 1 FROM transactions AS o
                        WHERE o.chain_id = t.chain_id AND o.sender = t.sender
                            AND o.nonce = t.nonce AND o.status IN (\(JournalSchema.live))
                    )
                """,
            arguments: [chain, sender, minimum, nonce]
        )
        if let refused { return refused }
        let held = try Int64.fetchCursor(
            database,
            sql: """
                SELECT DISTINCT nonce FROM transactions
                WHERE chain_id = ? AND sender = ? AND nonce >= ?
                    AND status IN (\(JournalSchema.live))
                ORDER BY nonce
                """,
            arguments: [chain, sender, nonce]
        )
        while let next = try held.next(), next == nonce {
            let (after, overflow) = nonce.addingReportingOverflow(1)
            guard !overflow else { throw JournalError.outOfRange("the nonce") }
            nonce = after
        }
        return nonce
    }

    /// Returns an unused nonce; nothing was signed with it.
    package func release(_ reservation: NonceReservation) throws(JournalError) {
        try change(
            "DELETE FROM transactions WHERE id = ? AND status = 'reserved'",
            [reservation.id]
        )
    }
}
