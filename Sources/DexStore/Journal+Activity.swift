import Ethereum
import GRDB
import ZeroEx

extension Journal {
    /// The ranges of blocks whose activity is kept, ascending and apart from each other.
    package func activityRanges(_ place: ActivityPlace) throws(JournalError) -> [ActivityRange] {
        let key = try arguments(of: place)
        return try read { try Self.activityRanges(key, in: $0) }
    }

    /// The kept blocks whose payments in ether are not known.
    package func activityGaps(_ place: ActivityPlace) throws(JournalError) -> ActivityGaps {
        let key = try arguments(of: place)
        return try read { try Self.activityGaps(key, in: $0) }
    }

    /// Replaces what is kept of a range of blocks, and notes that it was read.
    ///
    /// Payments in ether that were read before stay in blocks where the node no longer reports
    /// them.
    package func keepActivity(
        _ step: ActivityStep,
        of place: ActivityPlace
    ) throws(JournalError) {
        let key = try arguments(of: place)
        try write { database in
            let blocks = step.range.blocks
            let ranges = try Self.activityRanges(key, in: database)
            let gaps = try Self.activityGaps(key, in: database)
            var known = BlockSpans(ranges.map(\.blocks)).subtracting(gaps.blocks)
            known = known.clamped(to: blocks)
            let kept = try Self.activity(key, blocks, in: database).filter { record in
                record.position < 0 && known.contains(record.block.number)
                    && step.unread.contains(record.block.number)
            }
            try Self.removeActivity(key, blocks, in: database)
            var places: Set<[Int64]> = []
            for record in step.records + kept where blocks.contains(record.block.number) {
                let number = try integer(record.block.number, "the block")
                // What is read now has the better claim to a place.
                guard places.insert([number, record.position]).inserted else { continue }
                try Self.insert(record, number, key, in: database)
            }
            var unread = gaps.blocks
            unread.remove(blocks)
            for range in step.unread.subtracting(known).ranges { unread.insert(range) }
            try Self.save(
                ActivityGaps(blocks: unread, reason: step.reason ?? gaps.reason),
                key,
                in: database
            )
            try Self.note(step.range, ranges, key, in: database)
        }
    }

    /// Forgets what is kept of a range above its anchor, as after a reorganization, or all of it.
    ///
    /// - Parameter isAnchored: the anchor is still part of the chain.
    package func forgetActivity(
        _ range: ActivityRange,
        of place: ActivityPlace,
        isAnchored: Bool
    ) throws(JournalError) {
        let key = try arguments(of: place)
        try write { database in
            let end = range.anchor.number
            let keepsStart = isAnchored && range.blocks.contains(end)
            if keepsStart, end == range.blocks.upperBound { return }
            let gone = (keepsStart ? end + 1 : range.first)...range.blocks.upperBound
            try Self.removeActivity(key, gone, in: database)
            try Self.removeRange(range, key, in: database)
            if keepsStart {
                try Self.insert(
                    ActivityRange(first: range.first, last: range.anchor, anchor: range.anchor),
                    key,
                    in: database
                )
            }
            let gaps = try Self.activityGaps(key, in: database)
            var rest = gaps.blocks
            rest.remove(gone)
            try Self.save(ActivityGaps(blocks: rest, reason: gaps.reason), key, in: database)
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
        let values =
            try arguments(of: place) + [
                try integer(min(since, UInt64(Int64.max)), "the time"), limit,
            ]
        return try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM activity WHERE chain_id = ? AND account = ? AND time >= ?
                    ORDER BY block DESC, position DESC LIMIT ?
                    """,
                arguments: values
            ).map { try ActivityRecord(row: $0) }
        }
    }

    // MARK: Rows

    private func arguments(of place: ActivityPlace) throws(JournalError) -> StatementArguments {
        [try integer(place.chainID, "the chain id"), place.account.lowercaseHex]
    }

    private static let whose = "chain_id = ? AND account = ?"

    private static func span(_ blocks: ClosedRange<UInt64>) throws -> StatementArguments {
        [
            try integer(blocks.lowerBound, "the block"),
            try integer(min(blocks.upperBound, UInt64(Int64.max)), "the block"),
        ]
    }

    private static func activity(
        _ key: StatementArguments,
        _ blocks: ClosedRange<UInt64>,
        in database: Database
    ) throws -> [ActivityRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM activity WHERE \(whose) AND block BETWEEN ? AND ?
                    AND position < 0
                """,
            arguments: key + span(blocks)
        ).map { try ActivityRecord(row: $0) }
    }

    private static func removeActivity(
        _ key: StatementArguments,
        _ blocks: ClosedRange<UInt64>,
        in database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM activity WHERE \(whose) AND block BETWEEN ? AND ?",
            arguments: key + span(blocks)
        )
    }

    private static func activityRanges(
        _ key: StatementArguments,
        in database: Database
    ) throws -> [ActivityRange] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM activity_ranges WHERE \(whose) ORDER BY first",
            arguments: key
        ).map { row in
            func block(_ name: String) throws -> WatchedBlock {
                WatchedBlock(
                    number: UInt64(clamping: row[name] as Int64),
                    hash: try BlockHash(hex: row["\(name)_hash"])
                )
            }
            return ActivityRange(
                first: UInt64(clamping: row["first"] as Int64),
                last: try block("last"),
                anchor: try block("anchor")
            )
        }
    }

    private static func activityGaps(
        _ key: StatementArguments,
        in database: Database
    ) throws -> ActivityGaps {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM activity_gaps WHERE \(whose) ORDER BY first",
            arguments: key
        )
        let ranges = rows.map { row in
            let first = UInt64(clamping: row["first"] as Int64)
            return first...max(first, UInt64(clamping: row["last"] as Int64))
        }
        return ActivityGaps(blocks: BlockSpans(ranges), reason: rows.last?["reason"])
    }

    private static func save(
        _ gaps: ActivityGaps,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(sql: "DELETE FROM activity_gaps WHERE \(whose)", arguments: key)
        for range in gaps.blocks.ranges {
            try database.execute(
                sql: """
                    INSERT INTO activity_gaps (chain_id, account, first, last, reason)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: key + span(range) + [gaps.reason]
            )
        }
    }

    /// Notes a range, merged with those that it overlaps or touches.
    private static func note(
        _ range: ActivityRange,
        _ ranges: [ActivityRange],
        _ key: StatementArguments,
        in database: Database
    ) throws {
        var merged = range
        for known in ranges {
            let isApart =
                known.blocks.upperBound.addingSaturating(1) < merged.first
                || merged.blocks.upperBound.addingSaturating(1) < known.first
            guard !isApart else { continue }
            let later = known.blocks.upperBound > merged.blocks.upperBound ? known : merged
            merged = ActivityRange(
                first: min(known.first, merged.first),
                last: later.last,
                anchor: later.anchor
            )
            try removeRange(known, key, in: database)
        }
        try insert(merged, key, in: database)
    }

    private static func removeRange(
        _ range: ActivityRange,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(
            sql: "DELETE FROM activity_ranges WHERE \(whose) AND first = ?",
            arguments: key + [try integer(range.first, "the block")]
        )
    }

    private static func insert(
        _ range: ActivityRange,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO activity_ranges
                    (chain_id, account, first, last, last_hash, anchor, anchor_hash)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: key + [
                try integer(range.first, "the block"),
                try integer(range.last.number, "the block"), range.last.hash.hex,
                try integer(range.anchor.number, "the block"), range.anchor.hash.hex,
            ]
        )
    }

    private static func insert(
        _ record: ActivityRecord,
        _ number: Int64,
        _ key: StatementArguments,
        in database: Database
    ) throws {
        let what: StatementArguments = [
            record.kind.rawValue, record.transaction?.hex, record.isOwn, record.succeeded,
            record.token?.lowercaseHex, record.amount?.description,
            record.otherToken?.lowercaseHex, record.otherAmount?.description,
            record.counterparty?.lowercaseHex, record.orderHash?.hex, record.function,
            record.gas?.description,
        ]
        try database.execute(
            sql: """
                INSERT INTO activity (chain_id, account, block, position, block_hash, time, kind,
                    transaction_hash, own, succeeded, token, amount, other_token, other_amount,
                    counterparty, order_hash, function, gas)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: key + [
                number, record.position, record.block.hash.hex,
                try integer(record.time, "the time"),
            ] + what
        )
    }
}

extension ActivityRecord {
    fileprivate init(row: Row) throws {
        let name: String = row["kind"]
        guard let kind = Kind(rawValue: name) else {
            throw JournalError.outOfRange("the activity \(name)")
        }
        func address(_ column: String) throws -> Address? {
            try (row[column] as String?).map { try Address(lenient: $0) }
        }
        func amount(_ column: String) throws -> UInt256? {
            try (row[column] as String?).map { try UInt256(column: $0) }
        }
        self.init(
            kind: kind,
            block: WatchedBlock(
                number: UInt64(clamping: row["block"] as Int64),
                hash: try BlockHash(hex: row["block_hash"])
            ),
            position: row["position"],
            time: UInt64(clamping: row["time"] as Int64),
            transaction: try (row["transaction_hash"] as String?).map {
                try TransactionHash(hex: $0)
            },
            isOwn: row["own"],
            succeeded: row["succeeded"],
            token: try address("token"),
            amount: try amount("amount"),
            otherToken: try address("other_token"),
            otherAmount: try amount("other_amount"),
            counterparty: try address("counterparty"),
            orderHash: try (row["order_hash"] as String?).map { try OrderHash(hex: $0) },
            function: row["function"],
            gas: try amount("gas").map { Wei($0) }
        )
    }
}
