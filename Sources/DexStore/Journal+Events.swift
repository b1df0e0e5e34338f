package import Ethereum
import FoundationEssentials
import GRDB

/// Blocks whose logs are kept of a filter.
package struct EventRange: Hashable, Sendable {
    package let filter: EventFilter
    package let range: KeptRange

    package init(filter: EventFilter, range: KeptRange) {
        self.filter = filter
        self.range = range
    }
}

/// The store of what the chain said: logs, with the blocks that were read of each filter.
extension Journal {
    /// What is kept of the filters that cover one of some, as far as it overlaps or touches some
    /// blocks.
    package func eventRanges(
        covering filters: [EventFilter],
        touching blocks: ClosedRange<UInt64>
    ) throws(JournalError) -> [EventRange] {
        let wide = blocks.lowerBound - min(blocks.lowerBound, 1)
        let end = blocks.upperBound.addingSaturating(1)
        return try read { database in
            var found: [EventRange] = []
            for (row, filter) in try Self.covering(filters, in: database) {
                for range in try Self.ranges(of: row, in: database)
                where range.blocks.overlaps(wide...end) {
                    found.append(EventRange(filter: filter, range: range))
                }
            }
            return found
        }
    }

    /// The kept logs of a filter in some blocks, by block and log, each once, and the blocks of
    /// which they are all: others may have been forgotten since they were asked for.
    ///
    /// A log's `blockTimestamp` is the block's time as far as it was noted.
    package func events(
        _ filter: EventFilter,
        blocks: ClosedRange<UInt64>
    ) throws(JournalError) -> (logs: [Log], kept: BlockSpans) {
        try read { database in
            let sources = try Self.covering([filter], in: database)
            let pattern = filter.pattern
            var logs: [Log] = []
            var kept = BlockSpans()
            for (row, _) in sources {
                for range in try Self.ranges(of: row, in: database) { kept.insert(range.blocks) }
                let rows = try EventRow.of(row).within(blocks)
                    .order(Column("block"), Column("log_index")).fetchCursor(database)
                while let log = try rows.next()?.log {
                    if pattern.matches(log) { logs.append(log) }
                }
            }
            kept = kept.clamped(to: blocks)
            guard sources.count > 1 else { return (logs, kept) }
            logs.sort { $0.isBefore($1) }
            var previous: Log?
            let each = logs.filter { log in
                defer { previous = log }
                return previous.map { $0.isBefore(log) } ?? true
            }
            return (each, kept)
        }
    }

    /// Replaces the logs of a range of blocks, of each of some filters, and notes that it was read.
    ///
    /// - Parameters:
    ///   - logs: at their places in the range; those of no filter are left out.
    ///   - times: of blocks, in seconds since 1970, as far as they are known.
    ///   - maximum: beyond so many, the subject with the most of them loses its oldest blocks.
    package func keepEvents(
        _ range: KeptRange,
        of filters: [EventFilter],
        logs: [Log],
        times: [UInt64: UInt64] = [:],
        maximum: UInt64 = maximumEvents
    ) throws(JournalError) {
        try write { database in
            for filter in filters {
                let subject = try Self.madeRow(of: .logs(filter), in: database)
                try Self.deleteEvents(of: .logs(filter), subject, in: range.blocks, database)
                let own = logs.filter(filter.pattern.matches)
                try Self.insert(own, times, of: subject, range, database)
                try Self.note(range, of: subject, in: database)
            }
            try Self.prune(maximum, in: database)
        }
    }

    /// Notes the times of blocks, in seconds since 1970, in the logs of some filters that have none.
    package func noteEventTimes(
        _ times: [UInt64: UInt64],
        of filters: [EventFilter]
    ) throws(JournalError) {
        try write { database in
            let statement = try database.makeStatement(
                sql: """
                    UPDATE events SET time = ? WHERE subject = ? AND block = ? AND time IS NULL
                    """
            )
            for (row, _) in try Self.covering(filters, in: database) {
                for (block, time) in times {
                    try statement.execute(
                        arguments: [
                            try integer(time, "the time"), row, try integer(block, "the block"),
                        ]
                    )
                }
            }
        }
    }

    /// Forgets a range and its logs, as after a reorganization.
    package func forgetEvents(_ gone: EventRange) throws(JournalError) {
        try write { database in
            guard let subject = try Self.row(of: .logs(gone.filter), in: database),
                let blocks = try Self.forget(
                    gone.range,
                    of: subject,
                    isAnchored: false,
                    in: database
                )
            else { return }
            try Self.deleteEvents(of: .logs(gone.filter), subject, in: blocks, database)
        }
    }

    /// Forgets all logs of a chain but those of some filters, as where a node left some out.
    ///
    /// - Parameter block: logs up to this one stay; nil forgets every range from its start.
    package func forgetEvents(
        chainID: UInt64,
        above block: WatchedBlock?,
        besides filters: [EventFilter]
    ) throws(JournalError) {
        let chain = try integer(chainID, "the chain id")
        try write { database in
            let rows = try EventSubjectRow.filter(Column("chain_id") == chain).fetchAll(database)
            for row in rows {
                guard case .logs(let filter) = row.subject, !filters.contains(filter) else {
                    continue
                }
                for range in try Self.ranges(of: row.id, in: database) {
                    if let block, range.blocks.upperBound <= block.number { continue }
                    let rest = block.flatMap { range.upTo($0) }
                    let first = rest.map { $0.last.number + 1 } ?? range.first
                    let gone = first...range.blocks.upperBound
                    try Self.replace(range, with: rest, of: row.id, in: database)
                    try Self.deleteEvents(of: row.subject, row.id, in: gone, database)
                }
            }
        }
    }

    // MARK: Rows

    /// The filters of which something is kept and that cover one of some.
    private static func covering(
        _ filters: [EventFilter],
        in database: Database
    ) throws -> [(row: Int64, filter: EventFilter)] {
        let chains = try Set(filters.map(\.chainID)).map { try integer($0, "the chain id") }
        let rows = try EventSubjectRow.filter(chains.contains(Column("chain_id")))
            .order(Column("id")).fetchAll(database)
        return rows.compactMap { row in
            guard case .logs(let known) = row.subject, filters.contains(where: known.covers) else {
                return nil
            }
            return (row.id, known)
        }
    }

    private static func insert(
        _ logs: [Log],
        _ times: [UInt64: UInt64],
        of subject: Int64,
        _ range: KeptRange,
        _ database: Database
    ) throws {
        // A busy pool has tens of thousands in a day: the statement is made once.
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO events (subject, block, log_index, block_hash, time,
                    transaction_hash, contract, topics, data)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        var inserted = 0
        for log in logs {
            guard let block = log.blockNumber, range.blocks.contains(block),
                let index = log.logIndex, let hash = log.blockHash,
                let transaction = log.transactionHash
            else { continue }
            try statement.execute(
                arguments: [
                    subject, try integer(block, "the block"), try integer(index, "the log index"),
                    Data(hash.word.bytes), try times[block].map { try integer($0, "the time") },
                    Data(transaction.word.bytes), Data(log.address.bytes),
                    Data(packing: log.topics.flatMap(\.bytes)), Data(packing: log.data),
                ]
            )
            inserted += database.changesCount
        }
        try count(inserted, of: subject, in: database)
    }
}

extension Log {
    /// Whether it comes first in the chain: by block, then by its index there.
    package func isBefore(_ other: Log) -> Bool {
        (blockNumber ?? 0, logIndex ?? 0) < (other.blockNumber ?? 0, other.logIndex ?? 0)
    }
}
