import Ethereum
import GRDB

extension Journal {
    /// The ranges of blocks whose activity is kept, ascending and apart from each other.
    package func activityRanges(_ place: ActivityPlace) throws(JournalError) -> [KeptRange] {
        try read { database in
            try Self.ranges(of: Self.row(of: .activity(place), in: database), in: database)
        }
    }

    /// The kept blocks whose payments in ether are not known.
    package func activityGaps(_ place: ActivityPlace) throws(JournalError) -> ActivityGaps {
        try read { try Self.gaps(place, in: $0) }
    }

    /// Replaces what is kept of a range of blocks, and notes that it was read.
    ///
    /// Payments in ether that were read before stay in blocks where the node no longer reports
    /// them.
    ///
    /// - Parameter maximum: beyond so many events, the subject with the most of them loses its oldest
    ///   blocks.
    package func keepActivity(
        _ step: ActivityStep,
        of place: ActivityPlace,
        maximum: UInt64 = maximumEvents
    ) throws(JournalError) {
        try write { database in
            let blocks = step.range.blocks
            let subject = try Self.madeRow(of: .activity(place), in: database)
            let ranges = try Self.ranges(of: subject, in: database)
            let gaps = try Self.gaps(place, in: database)
            var known = BlockSpans(ranges.map(\.blocks)).subtracting(gaps.blocks)
            known = known.clamped(to: blocks)
            let rows = try ActivityRecord.of(place).within(blocks)
            let kept = try rows.filter(Column("position") < 0).fetchAll(database).filter { record in
                known.contains(record.block.number) && step.unread.contains(record.block.number)
            }
            try Self.deleteEvents(of: .activity(place), subject, in: blocks, database)
            var places: Set<[Int64]> = []
            for record in step.records + kept where blocks.contains(record.block.number) {
                let number = try integer(record.block.number, "the block")
                // What is read now has the better claim to a place.
                guard places.insert([number, record.position]).inserted else { continue }
                try Kept(record, of: place).insert(database)
            }
            var unread = gaps.blocks
            unread.remove(blocks)
            for range in step.unread.subtracting(known).ranges { unread.insert(range) }
            try Self.save(unread, reason: step.reason ?? gaps.reason, of: place, in: database)
            try Self.count(places.count, of: subject, in: database)
            try Self.note(step.range, of: subject, in: database)
            try Self.prune(maximum, in: database)
        }
    }

    /// Forgets what is kept of a range above its anchor, as after a reorganization, or all of it.
    ///
    /// - Parameter isAnchored: the anchor is still part of the chain.
    package func forgetActivity(
        _ range: KeptRange,
        of place: ActivityPlace,
        isAnchored: Bool
    ) throws(JournalError) {
        try write { database in
            guard let subject = try Self.row(of: .activity(place), in: database),
                let gone = try Self.forget(
                    range,
                    of: subject,
                    isAnchored: isAnchored,
                    in: database
                )
            else { return }
            try Self.deleteEvents(of: .activity(place), subject, in: gone, database)
            let gaps = try Self.gaps(place, in: database)
            var rest = gaps.blocks
            rest.remove(gone)
            try Self.save(rest, reason: gaps.reason, of: place, in: database)
        }
    }

    /// What is kept of an account from a time on, the latest first.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - limit: at most so many.
    package func activity(
        _ place: ActivityPlace,
        since: UInt64,
        limit: Int
    ) throws(JournalError) -> [ActivityRecord] {
        try read { database in
            try ActivityRecord.of(place).filter(Column("time") >= Int64(clamping: since))
                .order(Column("block").desc, Column("position").desc).limit(limit)
                .fetchAll(database)
        }
    }

    // MARK: Rows

    private static func gaps(
        _ place: ActivityPlace,
        in database: Database
    ) throws -> ActivityGaps {
        let gaps = try ActivityGaps.of(place).order(Column("first")).fetchAll(database)
        return ActivityGaps(
            blocks: BlockSpans(gaps.flatMap(\.blocks.ranges)),
            reason: gaps.last?.reason
        )
    }

    private static func save(
        _ blocks: BlockSpans,
        reason: String?,
        of place: ActivityPlace,
        in database: Database
    ) throws {
        try ActivityGaps.of(place).deleteAll(database)
        for range in blocks.ranges {
            try Kept(ActivityGaps(blocks: BlockSpans([range]), reason: reason), of: place)
                .insert(database)
        }
    }
}

extension ActivityPlace: EncodableRecord {
    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["account"] = account
    }
}

/// A row of `activity_gaps`, of an account: one range.
extension ActivityGaps: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "activity_gaps" }

    init(row: Row) throws {
        self.init(blocks: BlockSpans([try row.blocks()]), reason: try row.value("reason"))
    }

    func encode(to row: inout PersistenceContainer) throws {
        for range in blocks.ranges {
            try row.set(range.lowerBound...min(range.upperBound, UInt64(Int64.max)))
        }
        row["reason"] = reason
    }
}

/// A row of `activity`, of an account.
extension ActivityRecord: FetchableRecord, EncodableRecord, TableRecord {
    static var databaseTableName: String { "activity" }

    init(row: Row) throws {
        self.init(
            kind: try row.value("kind"),
            block: try row.block(),
            position: try row.value("position"),
            time: try row.value("time"),
            transaction: try row.value("transaction_hash"),
            isOwn: try row.value("own"),
            succeeded: try row.value("succeeded"),
            token: try row.value("token"),
            amount: try row.value("amount"),
            otherToken: try row.value("other_token"),
            otherAmount: try row.value("other_amount"),
            counterparty: try row.value("counterparty"),
            orderHash: try row.value("order_hash"),
            function: try row.value("function"),
            gas: try row.value("gas")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["kind"] = kind
        try row.set(block)
        row["position"] = position
        row["time"] = try integer(time, "the time")
        row["transaction_hash"] = transaction
        row["own"] = isOwn
        row["succeeded"] = succeeded
        row["token"] = token
        row["amount"] = amount
        row["other_token"] = otherToken
        row["other_amount"] = otherAmount
        row["counterparty"] = counterparty
        row["order_hash"] = orderHash
        row["function"] = function
        row["gas"] = gas
    }
}
