import DexStore
import Ethereum
import ZeroEx

/// Follows the chain for an account, one reading at a time.
///
/// The findings of a reading and its position become durable together.
struct WatchFollower {
    let session: Session
    let journal: Journal
    let subject: WatchTarget
    let settings: WatchSettings
    let sinks: [String]
    let tell: @Sendable (WatchStatus) -> Void
    var orders: WatchedOrders
    var alerts: WatchedAlerts
    private var isBehind = false
    /// The node reports ether payments.
    var reportsEtherPayments = true

    /// The latest block was old at the last reading.
    private var isStale = false

    init(
        session: Session,
        journal: Journal,
        subject: WatchTarget,
        settings: WatchSettings,
        sinks: [String],
        tell: @escaping @Sendable (WatchStatus) -> Void
    ) {
        self.session = session
        self.journal = journal
        self.subject = subject
        self.settings = settings
        self.sinks = sinks
        self.tell = tell
        orders = WatchedOrders(session: session, journal: journal, subject: subject, tell: tell)
        alerts = WatchedAlerts(session: session, journal: journal, subject: subject, tell: tell)
    }

    /// Reads and notes the events since the last reading, or of the first part of many blocks.
    ///
    /// - Parameter start: where to begin; nil continues the last reading.
    /// - Returns: false if there is more to read.
    /// - Throws: `DexError`: not reachable, another chain, `logs-refused`, `logs-incomplete`,
    ///   `reorganized`, or the journal cannot be read or written; exit 2, `block-ahead`.
    mutating func advance(from start: WatchStart?) async throws(DexError) -> Bool {
        do throws(DexError) {
            let progress = try await read(from: start)
            if progress == .overtaken { reset() }
            return progress != .more
        } catch {
            reset()
            throw error
        }
    }

    /// Forgets readings that were not recorded.
    private mutating func reset() {
        orders.reset()
        alerts.reset()
    }

    /// Says once that the latest block is old, and once that one is fresh again.
    private mutating func noteAge() {
        let stale = session.freshness.stale
        switch (isStale, stale) {
        case (false, let stale?): tell(.stale(stale))
        case (true, nil): tell(.fresh)
        default: break
        }
        isStale = stale != nil
    }

    private enum Progress {
        case done
        case more
        /// Another process was faster and nothing was noted; the next reading continues from its
        /// position.
        case overtaken
    }

    private mutating func read(from start: WatchStart?) async throws(DexError) -> Progress {
        var cursor = try journaled(try journal.watchCursor(subject))
        let last = start == nil || start == .journal ? cursor?.recent.last : nil
        let number = last?.number ?? Self.startingBlock(start)
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let block = number.map { batch.add(.block(.number($0))) }
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        let answered = try block.flatMap { slot throws(DexError) in try answers.value(slot) }
        noteAge()
        if let start {
            cursor = try begin(start, cursor, head: head, block: answered)
            tell(.begun(next: cursor?.next ?? 0))
        }
        guard var cursor else { return .done }
        var known = cursor.recent
        var rewound: UInt64?
        if let last, answered?.hash != last.hash {
            known = try await Reorganization.standing(known, upTo: head.number, session)
            if last.number > head.number,
                known.last
                    == cursor.recent.last(where: {
                        $0.number <= head.number
                    })
            {
                // It has the same blocks, only fewer.
                if !isBehind {
                    tell(.nodeBehind(latest: head.number, read: last.number))
                }
                isBehind = true
                return .done
            }
            rewound = known.last?.number ?? cursor.first
        }
        isBehind = false
        let first = firstBlock(cursor, known: known, head: head)
        let isNew = known.last?.hash != head.hash || known.count != cursor.recent.count
        try await orders.update(head: head, since: cursor.since)
        let range = isNew && first <= head.number ? first...head.number : nil
        var chunk = try await chunk(of: range, head: head)
        let reading: WatchReading
        do throws(DexError) {
            reading = try await self.reading(chunk, head: head)
        } catch {
            if let chunk { try await chunk.pages.forgetRemoved(after: error, in: chunk.blocks) }
            throw error
        }
        // One that is not reported must not count as fired.
        let checksAlerts = settings.kinds?.contains(.alert) ?? true
        let conditions = checksAlerts ? try alerts.all() : []
        var alertChanges = WatchedAlerts.ended(conditions, by: reading.changes)
        // While older blocks are read, the latest says nothing of their time.
        if reading.last.number == head.number {
            alertChanges += await alerts.changes(
                conditions,
                head: head,
                isNewBlock: isNew || start != nil
            )
        }
        guard !reading.changes.isEmpty || !alertChanges.isEmpty || isNew || start != nil else {
            return .done
        }
        cursor.recent = Self.remembered(known, reading.last)
        cursor.next = max(cursor.first, reading.last.number.addingSaturating(1))
        let step = WatchStep(
            subject: subject,
            cursor: cursor,
            changes: reading.changes,
            alerts: alertChanges,
            sinks: sinks,
            unreported: unreported(reading.changes, conditions),
            now: session.environment.now()
        )
        guard try journaled(try journal.record(step)) else { return .overtaken }
        try chunk?.pages.keep()
        if let rewound { tell(.rewound(to: rewound)) }
        return reading.last.number < head.number ? .more : .done
    }

    /// The events that the settings leave out: of other kinds, or that no alert waits for.
    private func unreported(
        _ changes: [WatchStep.Change],
        _ alerts: [JournalAlert]
    ) -> Set<Bytes32> {
        Set(
            changes.map(\.event).filter { settings.leavesOut($0, waitedForBy: alerts) }.map(\.key)
        )
    }

    /// The first blocks of a range with their logs: as many as are noted at once.
    ///
    /// For a long range that is what the node returns at once. A reorganization can move an event
    /// from one block to another, and one reading must see both, so the number is never small.
    private func chunk(
        of range: ClosedRange<UInt64>?,
        head: Block
    ) async throws(DexError) -> WatchChunk? {
        guard let range else { return nil }
        var pages = WatchScan(session: session, subject: subject)
            .pages(blocks: range, store: EventStore(journal, head: head))
        let depth = Reorganization.depth
        var logs: [Log] = []
        var last = range.upperBound
        while let page = try await pages.next() {
            logs += page.logs
            last = page.blocks.upperBound
            if last - range.lowerBound >= 2 * depth && range.upperBound - last >= depth { break }
        }
        return WatchChunk(blocks: range.lowerBound...last, logs: logs, pages: pages)
    }

    private static func startingBlock(_ start: WatchStart?) -> UInt64? {
        if case .block(let number) = start { number } else { nil }
    }

    private func begin(
        _ start: WatchStart,
        _ cursor: WatchCursor?,
        head: Block,
        block: Block?
    ) throws(DexError) -> WatchCursor {
        let behind = WatchCursor(
            first: head.number.addingSaturating(1),
            next: head.number.addingSaturating(1),
            since: head.timestamp,
            recent: [WatchedBlock(number: head.number, hash: head.hash)],
            version: cursor?.version ?? 0
        )
        switch start {
        case .journal: return cursor ?? behind
        case .latest: return behind
        case .block(let number):
            guard number <= head.number.addingSaturating(1) else {
                throw InputError.blockAhead(number, latest: head.number, option: "--from")
            }
            let reaches = cursor.map { $0.first <= number && number <= $0.next } ?? false
            return WatchCursor(
                first: reaches ? cursor?.first ?? number : number,
                next: number,
                since: min(cursor?.since ?? .max, block?.timestamp ?? head.timestamp),
                recent: [],
                version: cursor?.version ?? 0
            )
        }
    }

    // MARK: Block range

    private func firstBlock(
        _ cursor: WatchCursor,
        known: [WatchedBlock],
        head: Block
    ) -> UInt64 {
        var first = cursor.next
        if let last = known.last {
            first = min(first, last.number.addingSaturating(1))
        } else if let oldest = cursor.recent.first {
            // The fork point is unknown.
            first = Reorganization.start(below: oldest.number)
        }
        let overlapped = head.number.addingSaturating(1)
        first = min(first, overlapped - min(overlapped, Reorganization.overlap))
        return max(cursor.first, first)
    }

    private static func remembered(
        _ known: [WatchedBlock],
        _ last: WatchedBlock
    ) -> [WatchedBlock] {
        (known.filter { $0.number < last.number } + [last]).suffix(Int(Reorganization.depth))
    }
}
