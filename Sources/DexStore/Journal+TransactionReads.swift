package import Ethereum
import GRDB

extension Journal {
    /// An account's transactions whose end the chain has not shown, by nonce.
    ///
    /// They include refused ones, which may still be mined, and replaced ones of whose nonce no
    /// mined transaction is known.
    package func unsettled(
        chainID: UInt64,
        sender: Address
    ) throws(JournalError) -> [JournalTransaction] {
        let chain = try integer(chainID, "the chain id")
        return try fetch(
            "t.chain_id = ? AND t.sender = ? "
                + "AND \(JournalSchema.open) ORDER BY t.nonce, t.id",
            [chain, sender, chain]
        )
    }

    /// Transactions of a chain, the newest first.
    package func transactions(
        chainID: UInt64,
        sender: Address?,
        limit: Int
    ) throws(JournalError) -> [JournalTransaction] {
        let chain = try integer(chainID, "the chain id")
        return try fetch(
            "t.chain_id = ? AND (? IS NULL OR t.sender = ?) AND t.raw IS NOT NULL "
                + "ORDER BY t.id DESC LIMIT ?",
            [chain, sender, sender, limit]
        )
    }

    /// Our transactions with one nonce of an account, the oldest first.
    package func transactions(
        chainID: UInt64,
        sender: Address,
        nonce: UInt64
    ) throws(JournalError) -> [JournalTransaction] {
        let chain = try integer(chainID, "the chain id")
        let number = try integer(nonce, "the nonce")
        return try fetch(
            "t.chain_id = ? AND t.sender = ? AND t.nonce = ? AND t.raw IS NOT NULL ORDER BY t.id",
            [chain, sender, number]
        )
    }

    /// An account's mined transactions of a purpose without a trade in the journal, the oldest first.
    package func unbooked(
        _ purpose: String,
        chainID: UInt64,
        sender: Address
    ) throws(JournalError) -> [TransactionHash] {
        let chain = try integer(chainID, "the chain id")
        return try fetch(
            "t.chain_id = ? AND t.sender = ? AND t.purpose = ? AND t.status = 'mined' "
                + "AND t.hash NOT IN (SELECT hash FROM trade_transactions WHERE chain_id = ?) "
                + "ORDER BY t.id",
            [chain, sender, purpose, chain]
        ).map(\.hash)
    }

    /// One transaction; nil if we did not send it.
    package func transaction(
        _ hash: TransactionHash
    ) throws(JournalError) -> JournalTransaction? {
        try fetch("t.hash = ?", [hash]).first
    }

    /// The mined transaction of an account with the highest nonce.
    package func lastMined(
        chainID: UInt64,
        sender: Address
    ) throws(JournalError) -> JournalTransaction? {
        let chain = try integer(chainID, "the chain id")
        return try fetch(
            "t.chain_id = ? AND t.sender = ? AND t.status IN ('mined', 'reverted') "
                + "ORDER BY t.nonce DESC LIMIT 1",
            [chain, sender]
        ).first
    }

    /// What was signed for an intent, the oldest first.
    func transactions(of intent: Int64) throws(JournalError) -> [JournalTransaction] {
        try fetch("t.intent = ? AND t.raw IS NOT NULL ORDER BY t.id", [intent])
    }

    private func fetch(
        _ condition: String,
        _ arguments: StatementArguments
    ) throws(JournalError) -> [JournalTransaction] {
        try read { try Self.fetch(condition, arguments, in: $0) }
    }

    static func fetch(
        _ condition: String,
        _ arguments: StatementArguments,
        in database: Database
    ) throws -> [JournalTransaction] {
        try JournalTransaction.fetchAll(
            database,
            sql: """
                SELECT t.*, r.block AS block, p.hash AS predecessor, a.id AS plan
                FROM transactions t
                LEFT JOIN agent_plans a ON a.intent = t.intent
                LEFT JOIN receipts r ON r.hash = t.hash
                LEFT JOIN transactions p ON p.successor = t.hash WHERE \(condition)
                """,
            arguments: arguments
        )
    }
}
