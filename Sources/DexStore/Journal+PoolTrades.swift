package import Ethereum
import FoundationEssentials
import GRDB
import Uniswap

extension Journal {
    /// The most trades that are kept of one pool: about 40 MB.
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
        let first = try integer(range.blocks.lowerBound, "the block")
        let last = try integer(range.blocks.upperBound, "the block")
        try write { database in
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
                let key = try arguments(of: place)
                try Self.removePoolTrades(of: place, first, last, in: database)
                for trade in trades where range.blocks.contains(trade.block) {
                    try statement.execute(arguments: try trade.row(of: place))
                }
                try Self.note(range, key, in: database)
                try Self.prune(place, key, most: most, in: database)
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
        let values: StatementArguments = [
            try integer(pool.chainID, "the chain id"), Data(pool.contract.bytes),
            try integer(min(blocks.lowerBound, UInt64(Int64.max)), "the block"),
            try integer(min(blocks.upperBound, UInt64(Int64.max)), "the block"), limit,
        ]
        return try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT block, log_index, time, transaction_hash, recipient, sells_token0, sold,
                        bought, sqrt_price, reserve0, reserve1
                    FROM pool_trades
                    WHERE chain_id = ? AND pool = ? AND block BETWEEN ? AND ?
                    ORDER BY block DESC, log_index DESC LIMIT ?
                    """,
                arguments: values
            )
            var trades: [KeptPoolTrade] = []
            while let row = try rows.next() { trades.append(try KeptPoolTrade(row: row)) }
            return trades.reversed()
        }
    }

    static func removePoolTrades(
        of pool: MarketPlace,
        _ first: Int64,
        _ last: Int64,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                DELETE FROM pool_trades
                WHERE chain_id = ? AND pool = ? AND block BETWEEN ? AND ?
                """,
            arguments: [
                try integer(pool.chainID, "the chain id"), Data(pool.contract.bytes), first, last,
            ]
        )
    }

    /// Forgets the oldest blocks of a pool, so that at most so many trades are left.
    private static func prune(
        _ pool: MarketPlace,
        _ key: StatementArguments,
        most: Int,
        in database: Database
    ) throws {
        let cut = try Int64.fetchOne(
            database,
            sql: """
                SELECT block FROM pool_trades WHERE chain_id = ? AND pool = ?
                ORDER BY block DESC, log_index DESC LIMIT 1 OFFSET ?
                """,
            arguments: [
                try integer(pool.chainID, "the chain id"), Data(pool.contract.bytes), most,
            ]
        )
        guard let cut else { return }
        try removePoolTrades(of: pool, 0, cut, in: database)
        let block = UInt64(clamping: cut)
        for range in try ranges(key, in: database) where range.blocks.lowerBound <= block {
            try removeRange(range, key, in: database)
            guard range.blocks.upperBound > block else { continue }
            let rest = (block + 1)...range.blocks.upperBound
            try insert(MarketRange(blocks: rest, lastHash: range.lastHash), key, in: database)
        }
    }
}

extension KeptPoolTrade {
    fileprivate func row(of pool: MarketPlace) throws -> StatementArguments {
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
            sellsToken0 ? 1 : 0, Data(short: sold), Data(short: bought), sqrtPrice, reserves?.0,
            reserves?.1,
        ]
    }

    fileprivate init(row: Row) throws {
        let mark: PoolMark?
        if let price = row[8] as Data? {
            mark = .sqrtPrice(try UInt256(short: price))
        } else if let one = row[9] as Data?, let other = row[10] as Data?,
            let reserve0 = try UInt256(short: one).uint128,
            let reserve1 = try UInt256(short: other).uint128
        {
            mark = .reserves(reserve0, reserve1)
        } else {
            mark = nil
        }
        self.init(
            block: UInt64(clamping: row[0] as Int64),
            logIndex: UInt64(clamping: row[1] as Int64),
            time: UInt64(clamping: row[2] as Int64),
            transaction: TransactionHash(try UInt256(short: row[3]).word),
            recipient: Address(truncating: try UInt256(short: row[4]).word),
            sellsToken0: (row[5] as Int64) == 1,
            sold: try UInt256(short: row[6]),
            bought: try UInt256(short: row[7]),
            after: mark
        )
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
