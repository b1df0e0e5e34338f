package import Ethereum
import GRDB

/// Blocks of which all is kept, and the blocks that show whether the chain still has them.
package struct KeptRange: Hashable, Sendable {
    package let first: UInt64
    /// The last block; another hash there means that the chain was reorganized.
    package let last: WatchedBlock
    /// A block of the range, up to which it stays valid after a shallow reorganization.
    package let anchor: WatchedBlock

    /// - Parameter anchor: nil is the last block.
    package init(first: UInt64, last: WatchedBlock, anchor: WatchedBlock? = nil) {
        self.first = first
        self.last = last
        self.anchor = anchor ?? last
    }

    /// Blocks whose last one was not read: no hash shows whether the chain still has it.
    package init(_ blocks: ClosedRange<UInt64>) {
        self.init(
            first: blocks.lowerBound,
            last: WatchedBlock(number: blocks.upperBound, hash: Self.unknown)
        )
    }

    /// The hash of a block that was not read.
    package static let unknown = BlockHash(.zero)

    package var blocks: ClosedRange<UInt64> { first...max(first, last.number) }

    /// Both as one, with the blocks of the later end; nil if they neither overlap nor touch.
    func merging(_ other: KeptRange) -> KeptRange? {
        guard first <= other.blocks.upperBound.addingSaturating(1),
            other.first <= blocks.upperBound.addingSaturating(1)
        else { return nil }
        let later = other.blocks.upperBound > blocks.upperBound ? other : self
        return KeptRange(first: min(first, other.first), last: later.last, anchor: later.anchor)
    }

    /// The part up to a block; nil without one, or if nothing lies above it.
    func upTo(_ block: WatchedBlock) -> KeptRange? {
        guard blocks.contains(block.number), block.number < blocks.upperBound else { return nil }
        return KeptRange(first: first, last: block)
    }

    /// The part above a block; nil without one.
    func above(_ block: UInt64) -> KeptRange? {
        guard blocks.upperBound > block else { return nil }
        let first = max(first, block.addingSaturating(1))
        return KeptRange(first: first, last: last, anchor: anchor.number < first ? last : anchor)
    }
}

/// A row of `event_ranges`, of a subject.
extension KeptRange: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "event_ranges" }

    init(row: Row) throws {
        self.init(
            first: try row.value("first"),
            last: try row.block("last", hash: "last_hash"),
            anchor: try row.block("anchor", hash: "anchor_hash")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["first"] = try integer(first, "the block")
        row["last"] = try integer(last.number, "the block")
        row["last_hash"] = last.hash
        row["anchor"] = try integer(anchor.number, "the block")
        row["anchor_hash"] = anchor.hash
    }
}

/// The one rule of what is kept: ranges that touch are one, and what a reorganization changed or
/// what is too much is forgotten with its blocks.
extension Journal {
    /// The most logs and records of activity that are kept, of all subjects together: about 130 MB.
    package static let maximumEvents: UInt64 = 500_000

    /// The row of a subject; nil if nothing is kept of it.
    static func row(of subject: EventSubject, in database: Database) throws -> Int64? {
        try EventSubjectRow
            .filter(
                Column("chain_id") == integer(subject.chainID, "the chain id")
                    && Column("name") == subject.name
            )
            .select(Column("id"), as: Int64.self).fetchOne(database)
    }

    /// The row of a subject, which is made if it has none.
    static func madeRow(of subject: EventSubject, in database: Database) throws -> Int64 {
        if let known = try row(of: subject, in: database) { return known }
        try database.execute(
            sql: "INSERT INTO event_subjects (chain_id, name, events) VALUES (?, ?, 0)",
            arguments: [try integer(subject.chainID, "the chain id"), subject.name]
        )
        return database.lastInsertedRowID
    }

    /// The kept ranges of a subject, ascending and apart from each other.
    static func ranges(of subject: Int64?, in database: Database) throws -> [KeptRange] {
        guard let subject else { return [] }
        return try KeptRange.filter(Column("subject") == subject).order(Column("first"))
            .fetchAll(database)
    }

    /// Notes that a range was read; it becomes one with those that it overlaps or touches.
    static func note(_ range: KeptRange, of subject: Int64, in database: Database) throws {
        var merged = range
        for known in try ranges(of: subject, in: database) {
            guard let both = merged.merging(known) else { continue }
            merged = both
            try replace(known, with: nil, of: subject, in: database)
        }
        try replace(nil, with: merged, of: subject, in: database)
    }

    /// Forgets a range, or what is above its anchor, as after a reorganization.
    ///
    /// - Parameter isAnchored: the anchor is still part of the chain.
    /// - Returns: the blocks that are no longer kept; nil if all are.
    static func forget(
        _ range: KeptRange,
        of subject: Int64,
        isAnchored: Bool,
        in database: Database
    ) throws -> ClosedRange<UInt64>? {
        if isAnchored, range.anchor.number == range.blocks.upperBound { return nil }
        let rest = isAnchored ? range.upTo(range.anchor) : nil
        try replace(range, with: rest, of: subject, in: database)
        return (rest.map { $0.last.number + 1 } ?? range.first)...range.blocks.upperBound
    }

    /// Deletes what is kept of a subject in some blocks, but not that they were read.
    static func deleteEvents(
        of subject: EventSubject,
        _ row: Int64,
        in blocks: ClosedRange<UInt64>,
        _ database: Database
    ) throws {
        let gone =
            switch subject {
            case .logs: try EventRow.of(row).within(blocks).deleteAll(database)
            case .activity(let place):
                try ActivityRecord.of(place).within(blocks).deleteAll(database)
            // Trades are no copies: with them goes what else is known of them.
            case .trades: 0
            }
        if gone > 0 { try count(-gone, of: row, in: database) }
    }

    /// Notes how many more are kept of a subject.
    static func count(_ change: Int, of subject: Int64, in database: Database) throws {
        try database.execute(
            sql: "UPDATE event_subjects SET events = max(0, events + ?) WHERE id = ?",
            arguments: [change, subject]
        )
    }

    /// Forgets the oldest blocks of the subject with the most events until at most so many are left.
    static func prune(_ maximum: UInt64, in database: Database) throws {
        while true {
            let rows = try EventSubjectRow.order(Column("events").desc, Column("id"))
                .fetchAll(database)
            let sum = rows.reduce(UInt64(0)) { $0.addingSaturating($1.events) }
            guard sum > maximum, let largest = rows.first else { return }
            // Half a block would be a lie: all of the last one goes.
            let last = Int(clamping: min(sum - maximum, largest.events)) - 1
            let cut: UInt64?
            let count: Int
            switch largest.subject {
            case .logs:
                let logs = EventRow.of(largest.id)
                cut = try block(at: last, logs, by: "log_index", in: database)
                count = cut == nil ? try logs.fetchCount(database) : 0
            case .activity(let place):
                let records = try ActivityRecord.of(place)
                cut = try block(at: last, records, by: "position", in: database)
                count = cut == nil ? try records.fetchCount(database) : 0
            case .trades: (cut, count) = (nil, 0)
            }
            guard let cut else {
                // Damage: there are fewer than the row says.
                try self.count(count - Int(clamping: largest.events), of: largest.id, in: database)
                continue
            }
            try deleteEvents(of: largest.subject, largest.id, in: 0...cut, database)
            try trim(largest.id, to: cut, in: database)
        }
    }

    /// The block of the row at an index, from the oldest on; nil if there are fewer.
    private static func block<Record>(
        at index: Int,
        _ rows: QueryInterfaceRequest<Record>,
        by position: String,
        in database: Database
    ) throws -> UInt64? {
        try rows.order(Column("block"), Column(position)).limit(1, offset: index)
            .select(Column("block"), as: UInt64.self).fetchOne(database)
    }

    /// Forgets a subject's blocks up to one.
    private static func trim(_ subject: Int64, to block: UInt64, in database: Database) throws {
        for range in try ranges(of: subject, in: database) where range.first <= block {
            try replace(range, with: range.above(block), of: subject, in: database)
        }
    }

    /// Replaces one range of a subject by another; nil is none.
    static func replace(
        _ range: KeptRange?,
        with other: KeptRange?,
        of subject: Int64,
        in database: Database
    ) throws {
        if let range {
            let first = try integer(range.first, "the block")
            try KeptRange.filter(Column("subject") == subject && Column("first") == first)
                .deleteAll(database)
        }
        if let other { try Kept(other) { $0["subject"] = subject }.insert(database) }
    }
}
