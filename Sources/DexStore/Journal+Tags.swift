package import Ethereum
import GRDB
package import ZeroEx

/// The user's own words for what was sent and posted.
package struct JournalTags: Sendable {
    package let transactions: [TransactionHash: String]
    package let orders: [OrderHash: String]
}

extension Journal {
    /// The tags of a chain's transactions and orders that have one.
    ///
    /// A replacement has the tag of what it replaced. An order that several intents posted has the
    /// latest one's.
    package func tags(chainID: UInt64) throws(JournalError) -> JournalTags {
        let chain = try integer(chainID, "the chain id")
        return try read { database in
            var transactions: [TransactionHash: String] = [:]
            let sent = try Row.fetchAll(
                database,
                sql: """
                    WITH RECURSIVE tagged (hash, successor, tag) AS (
                        SELECT t.hash, t.successor, i.tag FROM transactions t
                            JOIN intents i ON i.id = t.intent
                            WHERE t.chain_id = ? AND t.hash IS NOT NULL AND i.tag IS NOT NULL
                        UNION
                        SELECT t.hash, t.successor, tagged.tag FROM transactions t
                            JOIN tagged ON t.hash = tagged.successor
                    )
                    SELECT hash, tag FROM tagged
                    """,
                arguments: [chain]
            )
            for row in sent { transactions[try row.value("hash")] = try row.value("tag") as String }
            var orders: [OrderHash: String] = [:]
            let posted = try Row.fetchAll(
                database,
                sql: """
                    SELECT o.hash, i.tag FROM order_intents o JOIN intents i ON i.id = o.intent
                        WHERE i.chain_id = ? AND i.tag IS NOT NULL ORDER BY i.id
                    """,
                arguments: [chain]
            )
            for row in posted { orders[try row.value("hash")] = try row.value("tag") as String }
            return JournalTags(transactions: transactions, orders: orders)
        }
    }
}
