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
        let owner = account.lowercaseHex
        return try readTrades(
            "t.chain_id = ? AND t.exchange = ? AND (t.maker = ? OR t.taker = ?)",
            [chain, exchange.lowercaseHex, owner, owner]
        )
    }

    /// Fills and cancels of one order, by block and log.
    package func trades(
        of order: OrderHash,
        chainID: UInt64
    ) throws(JournalError) -> [MinedTrades] {
        let chain = try integer(chainID, "the chain id")
        return try readTrades("t.chain_id = ? AND t.order_hash = ?", [chain, order.hex])
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
                try integer(chainID, "the chain id"), exchange.lowercaseHex,
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
    /// - Parameter scan: the blocks whose logs are now read; nil leaves that unchanged.
    package func replace(
        _ range: TradeRange,
        with mined: [MinedTrades],
        scan: ClosedRange<UInt64>?
    ) throws(JournalError) {
        let chain = try integer(range.chainID, "the chain id")
        let first = try integer(range.blocks.lowerBound, "the block number")
        let last = try integer(range.blocks.upperBound, "the block number")
        let account = range.account.lowercaseHex
        let exchange = range.exchange.lowercaseHex
        let whose = range.onlyMaker ? "maker = ?1" : "(maker = ?1 OR taker = ?1)"
        try write { database in
            let known = try Self.trades(
                "t.chain_id = ?2 AND t.exchange = ?3 AND \(whose) AND m.block BETWEEN ?4 AND ?5",
                [account, chain, exchange, first, last],
                in: database
            )
            let place: StatementArguments = [chain, exchange, account]
            let isScanKnown = try scan == nil || scan == Self.scan(place, in: database)
            if isScanKnown, Self.isSame(known, as: mined) { return }
            try database.execute(
                sql: """
                    DELETE FROM trades WHERE chain_id = ?2 AND exchange = ?3 AND \(whose)
                        AND transaction_hash IN (SELECT hash FROM trade_transactions
                            WHERE chain_id = ?2 AND block BETWEEN ?4 AND ?5)
                    """,
                arguments: [account, chain, exchange, first, last]
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
            if let scan { try Self.save(scan, place, in: database) }
        }
    }

    /// The blocks whose logs are read for an account; nil if none.
    package func scan(
        chainID: UInt64,
        exchange: Address,
        account: Address
    ) throws(JournalError) -> ClosedRange<UInt64>? {
        let place: StatementArguments = [
            try integer(chainID, "the chain id"), exchange.lowercaseHex, account.lowercaseHex,
        ]
        return try read { try Self.scan(place, in: $0) }
    }

    /// - Parameter place: the chain, the exchange and the account.
    private static func scan(
        _ place: StatementArguments,
        in database: Database
    ) throws -> ClosedRange<UInt64>? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT first, last FROM scans
                WHERE chain_id = ? AND exchange = ? AND account = ?
                """,
            arguments: place
        ).map { row in
            let first = UInt64(clamping: row["first"] as Int64)
            // A damaged row must not stop the program.
            return first...max(first, UInt64(clamping: row["last"] as Int64))
        }
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
                arguments: [chain, sender.lowercaseHex, first]
            )
            return try rows.reduce(into: GasSum()) { sum, row in
                let used = UInt256(UInt64(clamping: row["gas_used"] as Int64))
                let rollupFee = try MinedTrades.rollupFee(row)
                guard let price = try MinedTrades.gasPrice(row),
                    rollupFee != nil || !hasRollupFee
                else {
                    sum.add(nil)
                    return
                }
                guard let cost = price.multiplied(by: used)?.adding(rollupFee ?? .zero) else {
                    throw JournalError.outOfRange("the cost of gas")
                }
                sum.add(cost)
            }
        }
    }

    // MARK: Rows

    /// Replaces the known trades of a transaction.
    static func insert(_ mined: MinedTrades, in database: Database) throws {
        guard !mined.trades.isEmpty else { return }
        let chain = try integer(mined.chainID, "the chain id")
        let hash = mined.transaction.hex
        // In another block, after a reorganization, its logs have other indices.
        try database.execute(
            sql: """
                DELETE FROM trade_transactions
                WHERE chain_id = ? AND hash = ? AND block_hash <> ?
                """,
            arguments: [chain, hash, mined.blockHash.hex]
        )
        try database.execute(
            sql: """
                INSERT INTO trade_transactions
                    (chain_id, hash, sender, block, block_hash, time, gas_used, gas_price,
                    rollup_fee)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (chain_id, hash) DO UPDATE SET sender = excluded.sender,
                    time = COALESCE(excluded.time, time), block = excluded.block,
                    gas_used = excluded.gas_used, gas_price = excluded.gas_price,
                    rollup_fee = excluded.rollup_fee
                """,
            arguments: [
                chain, hash, mined.sender.lowercaseHex, try integer(mined.block, "the block"),
                mined.blockHash.hex, try mined.time.map { try integer($0, "the time") },
                try integer(mined.gasUsed, "the gas"), mined.gasPrice?.description,
                mined.rollupFee?.description,
            ]
        )
        for trade in mined.trades {
            try insert(trade, exchange: mined.exchange, chain: chain, hash: hash, in: database)
        }
    }

    private static func insert(
        _ trade: MinedTrades.Trade,
        exchange: Address,
        chain: Int64,
        hash: String,
        in database: Database
    ) throws {
        let place: StatementArguments = [
            chain, hash, try integer(trade.logIndex, "the log index"), exchange.lowercaseHex,
            trade.orderHash.hex, trade.maker.lowercaseHex,
        ]
        let terms: StatementArguments =
            switch trade.event {
            case .fill(let fill):
                [
                    "fill", fill.taker.lowercaseHex, fill.feeRecipient.lowercaseHex,
                    fill.makerToken.lowercaseHex, fill.takerToken.lowercaseHex,
                    fill.makerAmount.description, fill.takerAmount.description,
                    fill.makerFee.description, fill.takerFee.description,
                ]
            case .cancel(let cancel):
                [
                    "cancel", nil, nil, cancel.makerToken.lowercaseHex,
                    cancel.takerToken.lowercaseHex, cancel.makerAmount.description,
                    cancel.takerAmount.description, nil, nil,
                ]
            }
        try database.execute(
            sql: """
                INSERT INTO trades (chain_id, transaction_hash, log_index, exchange,
                    order_hash, maker, kind, taker, fee_recipient, maker_token, taker_token,
                    maker_amount, taker_amount, maker_fee, taker_fee, taker_arrived, maker_arrived)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (chain_id, transaction_hash, log_index, order_hash) DO UPDATE SET
                    exchange = excluded.exchange, maker = excluded.maker, kind = excluded.kind,
                    taker = excluded.taker, fee_recipient = excluded.fee_recipient,
                    maker_token = excluded.maker_token, taker_token = excluded.taker_token,
                    maker_amount = excluded.maker_amount, taker_amount = excluded.taker_amount,
                    maker_fee = excluded.maker_fee, taker_fee = excluded.taker_fee,
                    taker_arrived = COALESCE(NULLIF(excluded.taker_arrived, 'unknown'),
                        taker_arrived, excluded.taker_arrived),
                    maker_arrived = COALESCE(NULLIF(excluded.maker_arrived, 'unknown'),
                        maker_arrived, excluded.maker_arrived)
                """,
            arguments: place + terms + [
                trade.takerArrival?.column, trade.makerArrival?.column,
            ]
        )
    }

    /// Removes the trades of a transaction that is in no block.
    static func removeTrades(of hash: TransactionHash, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM trade_transactions WHERE hash = ?",
            arguments: [hash.hex]
        )
    }

    /// - Parameter place: the chain, the exchange and the account.
    private static func save(
        _ scan: ClosedRange<UInt64>,
        _ place: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO scans (chain_id, exchange, account, first, last)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: place + [
                try integer(scan.lowerBound, "the block"),
                try integer(scan.upperBound, "the block"),
            ]
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
        let rows = try Row.fetchAll(
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
        var mined: [MinedTrades] = []
        for row in rows {
            let trade = try MinedTrades.Trade(row: row)
            let next = try MinedTrades(row: row, trades: [trade])
            if let last = mined.last, last.transaction == next.transaction {
                mined[mined.count - 1].trades.append(trade)
            } else {
                mined.append(next)
            }
        }
        return mined
    }
}
