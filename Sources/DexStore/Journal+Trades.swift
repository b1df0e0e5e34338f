package import Ethereum
import GRDB
package import ZeroEx

extension Journal {
    /// Fills and cancels of an account's orders, and fills that it took, by block and log.
    package func trades(
        chainID: UInt64,
        exchange: Address,
        account: Address
    ) throws(JournalError) -> [MinedTrades] {
        let chain = try integer(chainID, "the chain id")
        return try readTrades(
            "t.chain_id = ? AND t.exchange = ? AND (t.maker = ? OR t.taker = ?)",
            [chain, exchange, account, account]
        )
    }

    /// Fills and cancels of one order, by block and log.
    package func trades(
        of order: OrderHash,
        chainID: UInt64
    ) throws(JournalError) -> [MinedTrades] {
        let chain = try integer(chainID, "the chain id")
        return try readTrades("t.chain_id = ? AND t.order_hash = ?", [chain, order])
    }

    /// Fills of all accounts under one contract in a range of blocks, by block and log.
    package func trades(
        chainID: UInt64,
        exchange: Address,
        blocks: ClosedRange<UInt64>
    ) throws(JournalError) -> [MinedTrades] {
        try readTrades(
            "t.chain_id = ? AND t.exchange = ? AND m.block BETWEEN ? AND ?",
            [
                try integer(chainID, "the chain id"), exchange,
                try integer(blocks.lowerBound, "the block"),
                try integer(blocks.upperBound, "the block"),
            ]
        )
    }

    /// Records trades of any sender's transactions; what is known of arrivals stays unless more is.
    package func note(_ mined: [MinedTrades]) throws(JournalError) {
        try write { database in
            for transaction in mined { try Self.insert(transaction, in: database) }
        }
    }

    /// Replaces the known trades of a range of blocks with those in the chain's logs.
    ///
    /// The same trades as before write nothing.
    ///
    /// - Parameter scan: all blocks whose logs are now read; nil leaves that unchanged.
    package func replace(
        _ range: TradeRange,
        with mined: [MinedTrades],
        scan: KeptRange?
    ) throws(JournalError) {
        let chain = try integer(range.chainID, "the chain id")
        let first = try integer(range.blocks.lowerBound, "the block number")
        let last = try integer(range.blocks.upperBound, "the block number")
        let whose = range.onlyMaker ? "maker = ?1" : "(maker = ?1 OR taker = ?1)"
        let values: StatementArguments = [range.account, chain, range.exchange, first, last]
        try write { database in
            let known = try Self.trades(
                "t.chain_id = ?2 AND t.exchange = ?3 AND \(whose) AND m.block BETWEEN ?4 AND ?5",
                values,
                in: database
            )
            let isScanKnown = try scan == nil || scan == Self.scan(range.target, in: database)
            if isScanKnown, Self.isSame(known, as: mined) { return }
            try database.execute(
                sql: """
                    DELETE FROM trades WHERE chain_id = ?2 AND exchange = ?3 AND \(whose)
                        AND transaction_hash IN (SELECT hash FROM trade_transactions
                            WHERE chain_id = ?2 AND block BETWEEN ?4 AND ?5)
                    """,
                arguments: values
            )
            for transaction in mined { try Self.insert(transaction, in: database) }
            try database.execute(
                sql: """
                    DELETE FROM trade_transactions WHERE chain_id = ? AND NOT EXISTS (
                        SELECT 1 FROM trades t WHERE t.chain_id = trade_transactions.chain_id
                            AND t.transaction_hash = trade_transactions.hash)
                    """,
                arguments: [chain]
            )
            if let scan {
                let subject = try Self.madeRow(of: .trades(range.target), in: database)
                for known in try Self.ranges(of: subject, in: database) {
                    try Self.replace(known, with: nil, of: subject, in: database)
                }
                try Self.replace(nil, with: scan, of: subject, in: database)
            }
        }
    }

    /// The blocks whose logs are read for an account; nil if none.
    package func scan(
        chainID: UInt64,
        exchange: Address,
        account: Address
    ) throws(JournalError) -> KeptRange? {
        let target = WatchTarget(chainID: chainID, exchange: exchange, account: account)
        return try read { try Self.scan(target, in: $0) }
    }

    private static func scan(_ target: WatchTarget, in database: Database) throws -> KeptRange? {
        try ranges(of: row(of: .trades(target), in: database), in: database).last
    }

    /// Writing the trades would change nothing; a time that is not told leaves the known one.
    private static func isSame(_ known: [MinedTrades], as mined: [MinedTrades]) -> Bool {
        let mined = mined.filter { !$0.trades.isEmpty }
        guard known.count == mined.count else { return false }
        let byHash = Dictionary(known.map { ($0.transaction, $0) }) { first, _ in first }
        return mined.allSatisfy { transaction in
            guard var before = byHash[transaction.transaction] else { return false }
            var after = transaction
            after.time = after.time ?? before.time
            // By block and log, as they are read.
            before.trades.sort { $0.logIndex < $1.logIndex }
            after.trades.sort { $0.logIndex < $1.logIndex }
            return before == after
        }
    }

    /// The gas cost of an account's mined transactions without a fill or cancel.
    ///
    /// - Parameters:
    ///   - since: the earliest signing time, in seconds since 1970; nil is all.
    ///   - hasRollupFee: the chain takes a fee beside gas: without it a cost is unknown.
    package func otherGas(
        chainID: UInt64,
        sender: Address,
        since: UInt64?,
        hasRollupFee: Bool
    ) throws(JournalError) -> GasSum {
        let chain = try integer(chainID, "the chain id")
        let first = try integer(since ?? 0, "the time")
        return try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT r.gas_used, r.gas_price, r.rollup_fee FROM receipts r
                    JOIN transactions t ON t.hash = r.hash
                    WHERE t.chain_id = ? AND t.sender = ? AND t.created >= ?
                        AND t.status <> 'forgotten'
                        AND NOT EXISTS (SELECT 1 FROM trade_transactions m
                            WHERE m.chain_id = t.chain_id AND m.hash = t.hash)
                    """,
                arguments: [chain, sender, first]
            )
            return try rows.reduce(into: GasSum()) { sum, row in
                let used: UInt64 = try row.value("gas_used")
                let rollupFee: Wei? = try row.value("rollup_fee")
                guard let price: Wei = try row.value("gas_price"),
                    rollupFee != nil || !hasRollupFee
                else {
                    sum.add(nil)
                    return
                }
                guard let cost = price.multiplied(by: UInt256(used))?.adding(rollupFee ?? .zero)
                else {
                    throw JournalError.damagedRow(
                        "a transaction whose gas costs more ether than there is",
                        isOfChain: false
                    )
                }
                sum.add(cost)
            }
        }
    }

    // MARK: Rows

    /// Replaces the known trades of a transaction.
    static func insert(_ mined: MinedTrades, in database: Database) throws {
        guard !mined.trades.isEmpty else { return }
        // In another block, after a reorganization, its logs have other indices.
        try database.execute(
            sql: """
                DELETE FROM trade_transactions
                WHERE chain_id = ? AND hash = ? AND block_hash <> ?
                """,
            arguments: [
                try integer(mined.chainID, "the chain id"), mined.transaction, mined.blockHash,
            ]
        )
        try mined.merge(into: database, ["time": "COALESCE(excluded.time, time)"])
        for trade in mined.trades {
            let row = Kept(trade) { row in
                row["chain_id"] = try integer(mined.chainID, "the chain id")
                row["transaction_hash"] = mined.transaction
                row["exchange"] = mined.exchange
            }
            try row.merge(
                into: database,
                ["taker_arrived": arrived("taker"), "maker_arrived": arrived("maker")]
            )
        }
    }

    /// What is proven, else what was known, else what is new.
    private static func arrived(_ whose: String) -> String {
        """
        COALESCE(NULLIF(excluded.\(whose)_arrived, '\(TradeArrival.unknown)'),
            \(whose)_arrived, excluded.\(whose)_arrived)
        """
    }

    /// Removes the trades of a transaction that is in no block.
    static func removeTrades(of hash: TransactionHash, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM trade_transactions WHERE hash = ?",
            arguments: [hash]
        )
    }

    private func readTrades(
        _ condition: String,
        _ arguments: StatementArguments
    ) throws(JournalError) -> [MinedTrades] {
        try read { try Self.trades(condition, arguments, in: $0) }
    }

    private static func trades(
        _ condition: String,
        _ arguments: StatementArguments,
        in database: Database
    ) throws -> [MinedTrades] {
        let rows = try MinedTrades.fetchAll(
            database,
            sql: """
                SELECT t.*, m.sender, m.block, m.block_hash, m.time, m.gas_used, m.gas_price,
                    m.rollup_fee
                FROM trades t JOIN trade_transactions m
                    ON m.chain_id = t.chain_id AND m.hash = t.transaction_hash
                WHERE \(condition) ORDER BY m.block, t.log_index, t.order_hash
                """,
            arguments: arguments
        )
        return rows.reduce(into: []) { mined, next in
            if mined.last?.transaction == next.transaction {
                mined[mined.count - 1].trades += next.trades
            } else {
                mined.append(next)
            }
        }
    }
}
