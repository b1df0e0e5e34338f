package import Ethereum
import GRDB

extension Journal {
    /// The ranges of blocks whose trades are kept, ascending and apart from each other.
    package func marketRanges(_ place: MarketPlace) throws(JournalError) -> [MarketRange] {
        try read { try Self.ranges(place, in: $0) }
    }

    /// Replaces the fills of a range of blocks, and notes that it was read.
    package func keepMarket(
        _ range: MarketRange,
        of place: MarketPlace,
        fills: [MarketFill]
    ) throws(JournalError) {
        try write { database in
            try MarketFill.of(place).within(range.blocks).deleteAll(database)
            for fill in fills where range.blocks.contains(fill.block) {
                try Kept(fill, of: place).insert(database)
            }
            try Self.note(range, of: place, in: database)
        }
    }

    /// Notes that a range was read; it becomes one with those that it touches.
    static func note(
        _ range: MarketRange,
        of place: MarketPlace,
        in database: Database
    ) throws {
        var merged = range
        for known in try ranges(place, in: database) where known.touches(merged) {
            merged = merged.merging(known)
            try remove(known, of: place, in: database)
        }
        try Kept(merged, of: place).insert(database)
    }

    /// Forgets a range and its trades, as after a reorganization.
    package func forgetMarket(
        _ range: MarketRange,
        of place: MarketPlace
    ) throws(JournalError) {
        try write { database in
            try MarketFill.of(place).within(range.blocks).deleteAll(database)
            try KeptPoolTrade.of(place).within(range.blocks).deleteAll(database)
            try Self.remove(range, of: place, in: database)
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
        try read { database in
            var fills = try MarketFill.of(place).within(blocks)
            if let (one, other) = tokens {
                let (maker, taker) = (Column("maker_token"), Column("taker_token"))
                fills = fills.filter(
                    (maker == one && taker == other) || (maker == other && taker == one)
                )
            }
            return try fills.order(Column("block").desc, Column("log_index").desc).limit(limit)
                .fetchAll(database).reversed()
        }
    }

    static func ranges(_ place: MarketPlace, in database: Database) throws -> [MarketRange] {
        try MarketRange.of(place).order(Column("first")).fetchAll(database)
    }

    static func remove(
        _ range: MarketRange,
        of place: MarketPlace,
        in database: Database
    ) throws {
        let first = try integer(range.blocks.lowerBound, "the block")
        try MarketRange.of(place).filter(Column("first") == first).deleteAll(database)
    }
}

extension MarketPlace: EncodableRecord {
    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["exchange"] = contract
    }
}

/// A row of `market_ranges`, of a place.
extension MarketRange: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "market_ranges" }

    init(row: Row) throws {
        self.init(blocks: try row.blocks(), lastHash: try row.value("last_hash"))
    }

    func encode(to row: inout PersistenceContainer) throws {
        try row.set(blocks)
        row["last_hash"] = lastHash
    }
}

/// A row of `market_fills`, of a place.
extension MarketFill: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "market_fills" }

    init(row: Row) throws {
        self.init(
            block: try row.value("block"),
            logIndex: try row.value("log_index"),
            time: try row.value("time"),
            transaction: try row.value("transaction_hash"),
            orderHash: try row.value("order_hash"),
            maker: try row.value("maker"),
            taker: try row.value("taker"),
            makerToken: try row.value("maker_token"),
            takerToken: try row.value("taker_token"),
            makerAmount: try row.value("maker_amount"),
            takerAmount: try row.value("taker_amount")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["block"] = try integer(block, "the block")
        row["log_index"] = try integer(logIndex, "the log index")
        row["time"] = try integer(time, "the time")
        row["transaction_hash"] = transaction
        row["order_hash"] = orderHash
        row["maker"] = maker
        row["taker"] = taker
        row["maker_token"] = makerToken
        row["taker_token"] = takerToken
        row["maker_amount"] = makerAmount
        row["taker_amount"] = takerAmount
    }
}
