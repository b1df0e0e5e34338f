package import Ethereum
import GRDB
package import ZeroEx

extension Journal {
    /// The orders that we signed for an exchange and whose hash begins so, the newest first.
    ///
    /// - Parameter start: `0x` and lower-case digits.
    package func orderHashes(
        startingWith start: String,
        chainID: UInt64,
        exchange: Address,
        limit: Int
    ) throws(JournalError) -> [OrderHash] {
        let place = ExchangePlace(chainID: chainID, exchange: exchange)
        return try read { database in
            try JournalOrder.of(place).filter(sql: "hash GLOB ?", arguments: [start + "*"])
                .order(Column("created").desc, Column("hash")).limit(limit)
                .select(Column("hash"), as: OrderHash.self).fetchAll(database)
        }
    }

    /// The transactions whose hash begins so.
    ///
    /// - Parameters:
    ///   - start: `0x` and lower-case digits.
    ///   - onlyOwn: those that we signed; else also those of others that traded with us.
    package func transactionHashes(
        startingWith start: String,
        chainID: UInt64,
        onlyOwn: Bool,
        limit: Int
    ) throws(JournalError) -> [TransactionHash] {
        let chain = try integer(chainID, "the chain id")
        return try read { database in
            try TransactionHash.fetchAll(
                database,
                sql: """
                    SELECT hash FROM transactions
                    WHERE chain_id = ?1 AND raw IS NOT NULL AND hash GLOB ?2
                    UNION SELECT hash FROM trade_transactions
                    WHERE NOT ?3 AND chain_id = ?1 AND hash GLOB ?2
                    ORDER BY hash LIMIT ?4
                    """,
                arguments: [chain, start + "*", onlyOwn, limit]
            )
        }
    }
}
