package import Ethereum
import FoundationEssentials
import GRDB

extension Journal {
    /// Makes signed bytes durable; only then may they be broadcast.
    ///
    /// - Parameter file: the signed file's text, if they are not to be sent; nil if they are.
    /// - Throws: `JournalError.reservationLost` if the reservation lapsed: these bytes must
    ///   then never be broadcast.
    package func record(
        raw: [UInt8],
        hash: TransactionHash,
        for reservation: NonceReservation,
        file: String? = nil,
        now: UInt64
    ) throws(JournalError) {
        let time = try integer(now, "the time")
        try write { database in
            try Self.forgetDead(hash, in: database)
            try database.execute(
                sql: """
                    UPDATE transactions SET status = ?, raw = ?, hash = ?, changed = ?
                    WHERE id = ? AND status = 'reserved'
                    """,
                arguments: [
                    Self.signedStage(file), Data(raw), hash, time, reservation.id,
                ]
            )
            guard database.changesCount == 1 else {
                throw JournalError.reservationLost(nonce: reservation.nonce)
            }
            try Self.keep(file, of: hash, in: database)
        }
    }

    /// Records an act of ours on a transaction.
    ///
    /// Nothing changes if the act is no longer possible, or if the journal has no such transaction.
    package func note(
        _ act: TransactionLife.Act,
        _ hash: TransactionHash,
        now: UInt64
    ) throws(JournalError) {
        let time = try integer(now, "the time")
        try write { database in
            let row = try Self.fetch("t.hash = ?", [hash], in: database).first
            guard let row else { return }
            var life = TransactionLife(row)
            guard life.note(act), life.stage != row.stage else { return }
            try Self.enter(life.stage, hash, time, in: database)
        }
    }

    /// Records a transaction's stage from what a node showed.
    ///
    /// A transaction in no block loses its receipt and fills; the number of its former block stays.
    package func mark(
        _ hash: TransactionHash,
        as stage: TransactionStage,
        now: UInt64
    ) throws(JournalError) {
        let time = try integer(now, "the time")
        try write { database in try Self.enter(stage, hash, time, in: database) }
    }

    private static func enter(
        _ stage: TransactionStage,
        _ hash: TransactionHash,
        _ time: Int64,
        in database: Database
    ) throws {
        if !stage.isInBlock {
            // Its effects are undone: its receipt and fills no longer count.
            try database.execute(
                sql: """
                    UPDATE transactions SET taken_from = COALESCE(
                        (SELECT block FROM receipts WHERE hash = ?), taken_from)
                    WHERE hash = ?
                    """,
                arguments: [hash, hash]
            )
            try database.execute(sql: "DELETE FROM receipts WHERE hash = ?", arguments: [hash])
        }
        switch stage {
        case .planned, .signed, .held, .broadcast, .pooled, .dropped, .reorganized, .mined,
            .confirmed, .reverted:
            try reclaimNonce(of: hash, in: database)
        case .replaced, .refused, .forgotten: break
        }
        try database.execute(
            sql: "UPDATE transactions SET status = ?, changed = ? WHERE hash = ?",
            arguments: [stage, time, hash]
        )
        if !stage.isInBlock { try removeTrades(of: hash, in: database) }
        if stage == .refused { try unlink(hash, in: database) }
    }

    /// Makes signed bytes durable that replace a transaction with the same nonce, and links the
    /// two.
    ///
    /// Both are one change; only then may the bytes be broadcast.
    ///
    /// - Parameter file: as for a new nonce.
    /// - Throws: `JournalError.notReplaceable` if the other one already has a successor, or
    ///   can no longer be mined.
    package func record(
        raw: [UInt8],
        hash: TransactionHash,
        replacing old: TransactionHash,
        intent: Int64,
        purpose: String,
        file: String? = nil,
        now: UInt64
    ) throws(JournalError) {
        let time = try integer(now, "the time")
        try write { database in
            try Self.forgetDead(hash, in: database)
            // The link comes first: it frees the nonce for the successor.
            try database.execute(
                sql: """
                    UPDATE transactions SET successor = ?, changed = ?
                    WHERE hash = ? AND successor IS NULL AND status IN (\(JournalSchema.unsettled))
                        AND (status <> 'refused' OR NOT EXISTS (
                            SELECT 1 FROM transactions AS o
                            WHERE o.chain_id = transactions.chain_id
                                AND o.sender = transactions.sender
                                AND o.nonce = transactions.nonce AND o.successor IS NULL
                                AND o.status IN (\(JournalSchema.live))
                        ))
                    """,
                arguments: [hash, time, old]
            )
            guard database.changesCount == 1 else { throw JournalError.notReplaceable(old) }
            try database.execute(
                sql: """
                    INSERT INTO transactions (intent, chain_id, sender, nonce, purpose, status,
                        lease, hash, raw, created, changed)
                    SELECT ?, chain_id, sender, nonce, ?, ?, 0, ?, ?, ?, ?
                    FROM transactions WHERE hash = ?
                    """,
                arguments: [
                    intent, purpose, Self.signedStage(file), hash, Data(raw), time, time, old,
                ]
            )
            try Self.keep(file, of: hash, in: database)
        }
    }

    /// Records a receipt and its events of an exchange, and marks the transaction as mined.
    package func record(
        _ receipt: TransactionReceipt,
        trades: MinedTrades?
    ) throws(JournalError) {
        let hash = receipt.transactionHash
        try write { database in
            // After a reorganization the same transaction has another receipt: the later one
            // counts.
            try database.execute(sql: "DELETE FROM receipts WHERE hash = ?", arguments: [hash])
            try receipt.insert(database)
            if let trades, !trades.trades.isEmpty {
                try Self.insert(trades, in: database)
            } else if !receipt.succeeded {
                try Self.removeTrades(of: hash, in: database)
            } else {
                // Those of the same block are known by more than its events.
                try database.execute(
                    sql: "DELETE FROM trade_transactions WHERE hash = ? AND block_hash <> ?",
                    arguments: [hash, receipt.blockHash]
                )
            }
            try Self.reclaimNonce(of: hash, in: database)
            try database.execute(
                sql: "UPDATE transactions SET status = ? WHERE hash = ?",
                arguments: [receipt.succeeded ? "mined" : "reverted", hash]
            )
            // A refused or replaced transaction with the same nonce can no longer be mined.
            try database.execute(
                sql: """
                    UPDATE transactions SET status = 'replaced'
                    WHERE hash <> ? AND (status = 'refused'
                            OR successor IS NOT NULL AND status IN (\(JournalSchema.unsettled)))
                        AND (chain_id, sender, nonce) = (
                            SELECT chain_id, sender, nonce FROM transactions WHERE hash = ?
                        )
                    """,
                arguments: [hash, hash]
            )
        }
    }

    /// Removes the transactions, trades, watch records and copies of a chain that restarted, such as
    /// a sandbox after a reset.
    package func forgetTransactions(chainID: UInt64) throws(JournalError) {
        let chain = try integer(chainID, "the chain id")
        try write { database in
            try database.execute(
                sql: "DELETE FROM transactions WHERE chain_id = ? AND status = 'reserved'",
                arguments: [chain]
            )
            try database.execute(
                sql: "UPDATE transactions SET status = 'forgotten' WHERE chain_id = ?",
                arguments: [chain]
            )
            for table in [
                "trades", "trade_transactions", "watches", "event_subjects", "activity",
                "activity_gaps",
            ] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE chain_id = ?",
                    arguments: [chain]
                )
            }
        }
    }

    /// Removes the dead row of a transaction that is signed again.
    ///
    /// Signatures are deterministic: the same call with a freed nonce is the same transaction.
    static func forgetDead(_ hash: TransactionHash, in database: Database) throws {
        let dead = "hash = ? AND status NOT IN (\(JournalSchema.live))"
        try database.execute(
            sql: """
                DELETE FROM receipts
                WHERE hash IN (SELECT hash FROM transactions WHERE \(dead))
                """,
            arguments: [hash]
        )
        try database.execute(sql: "DELETE FROM transactions WHERE \(dead)", arguments: [hash])
    }

    /// Gives a transaction that turns up after it was given up its nonce back.
    ///
    /// A transaction signed with that nonce meanwhile gets it as its successor. A reservation of
    /// the nonce is removed, so it can no longer be signed with.
    private static func reclaimNonce(of hash: TransactionHash, in database: Database) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT chain_id, sender, nonce FROM transactions
                WHERE hash = ? AND successor IS NULL AND status NOT IN (\(JournalSchema.live))
                """,
            arguments: [hash]
        )
        guard let row else { return }
        let slot: StatementArguments = [
            try row.value("chain_id") as Int64, try row.value("sender") as Address,
            try row.value("nonce") as Int64,
        ]
        try database.execute(
            sql: """
                DELETE FROM transactions
                WHERE chain_id = ? AND sender = ? AND nonce = ? AND status = 'reserved'
                """,
            arguments: slot
        )
        guard let held = try Self.holder(slot, in: database),
            let holder: TransactionHash = try held.value("hash")
        else { return }
        // It replaces only one: the first of its own predecessors.
        var first = hash
        while let before = try TransactionHash.fetchOne(
            database,
            sql: "SELECT hash FROM transactions WHERE successor = ?",
            arguments: [first]
        ) { first = before }
        try database.execute(
            sql: "UPDATE transactions SET successor = ? WHERE hash = ?",
            arguments: [first, holder]
        )
    }

    /// The row of a transaction or a reservation that holds a nonce; nil if the nonce is free.
    ///
    /// - Parameter slot: the chain id, the sender and the nonce.
    static func holder(_ slot: StatementArguments, in database: Database) throws -> Row? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT hash FROM transactions
                WHERE chain_id = ? AND sender = ? AND nonce = ? AND successor IS NULL
                    AND status IN (\(JournalSchema.live))
                """,
            arguments: slot
        )
    }

    /// Unlinks a transaction that was never sent: its predecessor gets its successor, if any.
    private static func unlink(_ hash: TransactionHash, in database: Database) throws {
        let next = try TransactionHash.fetchOne(
            database,
            sql: "SELECT successor FROM transactions WHERE hash = ?",
            arguments: [hash]
        )
        try database.execute(
            sql: "UPDATE transactions SET successor = NULL WHERE hash = ?",
            arguments: [hash]
        )
        try database.execute(
            sql: "UPDATE transactions SET successor = ? WHERE successor = ?",
            arguments: [next, hash]
        )
    }
}
