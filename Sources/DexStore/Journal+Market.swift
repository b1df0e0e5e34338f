package import Ethereum
import GRDB
import ZeroEx

extension Journal {
    /// The ranges of blocks whose trades are kept, ascending and apart from each other.
    package func marketRanges(_ place: MarketPlace) throws(JournalError) -> [MarketRange] {
        let key = try arguments(of: place)
        return try read { try Self.ranges(key, in: $0) }
    }

    /// Replaces the fills of a range of blocks, and notes that it was read.
    package func keepMarket(
        _ range: MarketRange,
        of place: MarketPlace,
        fills: [MarketFill]
    ) throws(JournalError) {
        let key = try arguments(of: place)
        let first = try integer(range.blocks.lowerBound, "the block")
        let last = try integer(range.blocks.upperBound, "the block")
        try write { database in
            try Self.removeFills(key, first, last, in: database)
            for fill in fills where range.blocks.contains(fill.block) {
                try Self.insert(fill, key, in: database)
            }
            try Self.note(range, key, in: database)
        }
    }

    /// Notes that a range was read; it becomes one with those that it touches.
    static func note(
        _ range: MarketRange,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        var merged = range
        for known in try ranges(key, in: database) where known.touches(merged) {
            merged = merged.merging(known)
            try removeRange(known, key, in: database)
        }
        try insert(merged, key, in: database)
    }

    static func insert(
        _ range: MarketRange,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO market_ranges (chain_id, exchange, first, last, last_hash)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: key + [
                try integer(range.blocks.lowerBound, "the block"),
                try integer(range.blocks.upperBound, "the block"), range.lastHash.hex,
            ]
        )
    }

    /// Forgets a range and its trades, as after a reorganization.
    package func forgetMarket(
        _ range: MarketRange,
        of place: MarketPlace
    ) throws(JournalError) {
        let key = try arguments(of: place)
        let first = try integer(range.blocks.lowerBound, "the block")
        let last = try integer(range.blocks.upperBound, "the block")
        try write { database in
            try Self.removeFills(key, first, last, in: database)
            try Self.removePoolTrades(of: place, first, last, in: database)
            try Self.removeRange(range, key, in: database)
        }
    }

    /// The kept fills of some blocks, by block and log.
    ///
    /// - Parameters:
    ///   - tokens: only those between these two tokens, in either direction; nil is all.
    ///   - limit: at most so many, the latest ones.
    package func marketFills(
        _ place: MarketPlace,
        tokens: (Address, Address)?,
        blocks: ClosedRange<UInt64>,
        limit: Int
    ) throws(JournalError) -> [MarketFill] {
        var values = try arguments(of: place)
        values += [
            try integer(min(blocks.lowerBound, UInt64(Int64.max)), "the block"),
            try integer(min(blocks.upperBound, UInt64(Int64.max)), "the block"),
        ]
        var condition = "chain_id = ? AND exchange = ? AND block BETWEEN ? AND ?"
        if let tokens {
            condition += """
                 AND ((maker_token = ? AND taker_token = ?) OR (maker_token = ? AND taker_token = ?))
                """
            let (one, other) = (tokens.0.lowercaseHex, tokens.1.lowercaseHex)
            values += [one, other, other, one]
        }
        values += [limit]
        let sql = """
            SELECT * FROM market_fills WHERE \(condition)
            ORDER BY block DESC, log_index DESC LIMIT ?
            """
        return try read { [values] database in
            try Row.fetchAll(database, sql: sql, arguments: values).reversed()
                .map { try MarketFill(row: $0) }
        }
    }

    // MARK: Rows

    func arguments(of place: MarketPlace) throws(JournalError) -> StatementArguments {
        [try integer(place.chainID, "the chain id"), place.contract.lowercaseHex]
    }

    static func ranges(
        _ key: StatementArguments,
        in database: Database
    ) throws -> [MarketRange] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT first, last, last_hash FROM market_ranges
                WHERE chain_id = ? AND exchange = ? ORDER BY first
                """,
            arguments: key
        ).map { row in
            let first = UInt64(clamping: row["first"] as Int64)
            return MarketRange(
                blocks: first...max(first, UInt64(clamping: row["last"] as Int64)),
                lastHash: try BlockHash(hex: row["last_hash"])
            )
        }
    }

    private static func removeFills(
        _ key: StatementArguments,
        _ first: Int64,
        _ last: Int64,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM market_fills
                WHERE chain_id = ? AND exchange = ? AND block BETWEEN ? AND ?
                """,
            arguments: key + [first, last]
        )
    }

    static func removeRange(
        _ range: MarketRange,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM market_ranges WHERE chain_id = ? AND exchange = ? AND first = ?",
            arguments: key + [try integer(range.blocks.lowerBound, "the block")]
        )
    }

    private static func insert(
        _ fill: MarketFill,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO market_fills (chain_id, exchange, block, log_index, time,
                    transaction_hash, order_hash, maker, taker, maker_token, taker_token,
                    maker_amount, taker_amount)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: key + [
                try integer(fill.block, "the block"), try integer(fill.logIndex, "the log index"),
                try integer(fill.time, "the time"), fill.transaction.hex, fill.orderHash.hex,
                fill.maker.lowercaseHex, fill.taker.lowercaseHex, fill.makerToken.lowercaseHex,
                fill.takerToken.lowercaseHex, fill.makerAmount.description,
                fill.takerAmount.description,
            ]
        )
    }
}

extension MarketFill {
    fileprivate init(row: Row) throws {
        self.init(
            block: UInt64(clamping: row["block"] as Int64),
            logIndex: UInt64(clamping: row["log_index"] as Int64),
            time: UInt64(clamping: row["time"] as Int64),
            transaction: try TransactionHash(hex: row["transaction_hash"]),
            orderHash: try OrderHash(hex: row["order_hash"]),
            maker: try Address(lenient: row["maker"]),
            taker: try Address(lenient: row["taker"]),
            makerToken: try Address(lenient: row["maker_token"]),
            takerToken: try Address(lenient: row["taker_token"]),
            makerAmount: try UInt256(column: row["maker_amount"]),
            takerAmount: try UInt256(column: row["taker_amount"])
        )
    }
}
