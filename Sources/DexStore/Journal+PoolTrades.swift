package import Ethereum
import FoundationEssentials
import GRDB
import Uniswap

extension Journal {
    /// The most trades that are kept of one pool: about 30 MB.
    package static let mostPoolTrades = 200_000

    /// Replaces the trades of several pools in a range of blocks, and notes that it was read of
    /// each.
    ///
    /// - Parameters:
    ///   - trades: by the pool's contract, none for a pool that was not traded with.
    ///   - most: the oldest trades beyond so many of a pool are forgotten with their blocks.
    package func keepPools(
        _ range: MarketRange,
        chainID: UInt64,
        trades: [Address: [KeptPoolTrade]],
        most: Int = mostPoolTrades
    ) throws(JournalError) {
        try write { database in
            // A busy pool has tens of thousands in a day: the statement is made once.
            let statement = try database.makeStatement(
                sql: """
                    INSERT INTO pool_trades (chain_id, pool, block, log_index, time,
                        transaction_hash, recipient, sells_token0, sold, bought, sqrt_price,
                        reserve0, reserve1)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            for (pool, trades) in trades {
                let place = MarketPlace(chainID: chainID, contract: pool)
                try KeptPoolTrade.of(place).within(range.blocks).deleteAll(database)
                for trade in trades where range.blocks.contains(trade.block) {
                    try statement.execute(arguments: try trade.values(of: place))
                }
                try Self.note(range, of: place, in: database)
                try Self.prune(place, most: most, in: database)
            }
        }
    }

    /// The kept trades with a pool in some blocks, by block and log.
    ///
    /// - Parameter limit: at most so many, the latest ones.
    package func poolTrades(
        _ pool: MarketPlace,
        blocks: ClosedRange<UInt64>,
        limit: Int
    ) throws(JournalError) -> [KeptPoolTrade] {
        try read { database in
            try KeptPoolTrade.of(pool).within(blocks).order(KeptPoolTrade.latest).limit(limit)
                .fetchAll(database).reversed()
        }
    }

    /// Forgets the oldest blocks of a pool, so that at most so many trades are left.
    private static func prune(
        _ place: MarketPlace,
        most: Int,
        in database: Database
    ) throws {
        let trades = try KeptPoolTrade.of(place)
        let beyond = trades.order(KeptPoolTrade.latest).limit(1, offset: most)
        guard let cut = try beyond.fetchOne(database)?.block else { return }
        try trades.within(0...cut).deleteAll(database)
        for range in try ranges(place, in: database) where range.blocks.lowerBound <= cut {
            try remove(range, of: place, in: database)
            guard range.blocks.upperBound > cut else { continue }
            let rest = (cut + 1)...range.blocks.upperBound
            try Kept(MarketRange(blocks: rest, lastHash: range.lastHash), of: place)
                .insert(database)
        }
    }
}

/// A row of `pool_trades`, in few bytes.
extension KeptPoolTrade: FetchableRecord, TableRecord {
    static var databaseTableName: String { "pool_trades" }

    fileprivate static let latest = [Column("block").desc, Column("log_index").desc]

    static func of(_ pool: MarketPlace) throws -> QueryInterfaceRequest<Self> {
        let chain = try integer(pool.chainID, "the chain id")
        return filter(
            Column("chain_id") == chain && Column("pool") == Data(pool.contract.bytes)
        )
    }

    init(row: Row) throws {
        let mark: PoolMark?
        if let price: Data = try row.value("sqrt_price") {
            mark = .sqrtPrice(try UInt256(short: price))
        } else if let one: Data = try row.value("reserve0"),
            let other: Data = try row.value("reserve1"),
            let reserve0 = try UInt256(short: one).uint128,
            let reserve1 = try UInt256(short: other).uint128
        {
            mark = .reserves(reserve0, reserve1)
        } else {
            mark = nil
        }
        self.init(
            block: try row.value("block"),
            logIndex: try row.value("log_index"),
            time: try row.value("time"),
            transaction: TransactionHash(
                try UInt256(short: try row.value("transaction_hash")).word
            ),
            recipient: Address(truncating: try UInt256(short: try row.value("recipient")).word),
            sellsToken0: try row.value("sells_token0"),
            sold: try UInt256(short: try row.value("sold")),
            bought: try UInt256(short: try row.value("bought")),
            after: mark
        )
    }

    fileprivate func values(of pool: MarketPlace) throws -> StatementArguments {
        var sqrtPrice: Data?
        var reserves: (Data, Data)?
        switch after {
        case .sqrtPrice(let price): sqrtPrice = Data(short: price)
        case .reserves(let one, let other):
            reserves = (Data(short: UInt256(one)), Data(short: UInt256(other)))
        case nil: break
        }
        return [
            try integer(pool.chainID, "the chain id"), Data(pool.contract.bytes),
            try integer(block, "the block"), try integer(logIndex, "the log index"),
            try integer(time, "the time"), Data(transaction.word.bytes), Data(recipient.bytes),
            sellsToken0, Data(short: sold), Data(short: bought), sqrtPrice, reserves?.0,
            reserves?.1,
        ]
    }
}

extension Data {
    /// Big-endian, without leading zeros.
    fileprivate init(short number: UInt256) {
        self.init(number.bigEndianBytes.drop { $0 == 0 })
    }
}

extension UInt256 {
    fileprivate init(short bytes: Data) throws {
        guard let number = UInt256(bigEndian: bytes) else {
            throw JournalError.outOfRange("a number of \(bytes.count) bytes")
        }
        self = number
    }
}
