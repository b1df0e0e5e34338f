import DexStore
import Ethereum
import ZeroEx

/// Follows the chain for an account, one reading at a time.
///
/// What a reading finds is durable together with how far it came, or neither is.
struct WatchFollower {
    let session: Session
    let journal: any WatchJournal
    let subject: WatchSubject
    let settings: WatchSettings
    /// Who is told of what is found.
    let sinks: [String]
    let tell: @Sendable (WatchStatus) -> Void
    private var orders: WatchedOrders
    private var isBehind = false

    init(
        session: Session,
        journal: any Journal & WatchJournal,
        subject: WatchSubject,
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
    }

    /// Reads what happened since the last time, and notes it.
    ///
    /// - Parameter start: where to begin; nil is where the last reading stopped.
    /// - Throws: `DexError`: not reachable, another chain, `logs-refused`, `logs-incomplete`,
    ///   `reorganized`, or the journal cannot be read or written; exit 2, `block-ahead`.
    mutating func advance(from start: WatchStart?) async throws(DexError) {
        do throws(DexError) {
            if try await !read(from: start) { orders.reset() }
        } catch {
            orders.reset()
            throw error
        }
    }

    /// - Returns: false where another process was faster, and nothing was noted; the next reading
    ///   begins where that one came to.
    private mutating func read(from start: WatchStart?) async throws(DexError) -> Bool {
        var cursor = try attempt { () throws(JournalError) in
            try journal.watchCursor(subject)
        }
        let last = start == nil || start == .journal ? cursor?.recent.last : nil
        let asked = Self.startingBlock(start)
        let number = last?.number ?? asked
        let head = try await ChainHead.read(
            session,
            extra: number.map { [.block(.number($0))] } ?? []
        )
        let answered = try head.extra.first.map { answer throws(DexError) in
            try Self.block(answer)
        }
        if let start {
            cursor = try begin(start, cursor, head: head.block, block: answered ?? nil)
            tell(.begun(next: cursor?.next ?? 0))
        }
        guard var cursor else { return true }
        var known = cursor.recent
        var rewound: UInt64?
        if let last, answered??.hash != last.hash {
            known = try await canonical(known, upTo: head.block.number)
            if last.number > head.block.number,
                known.last
                    == cursor.recent.last(where: {
                        $0.number <= head.block.number
                    })
            {
                // It has no other blocks, only fewer.
                if !isBehind {
                    tell(.nodeBehind(latest: head.block.number, read: last.number))
                }
                isBehind = true
                return true
            }
            rewound = known.last?.number ?? cursor.first
        }
        isBehind = false
        let first = firstBlock(cursor, known: known, head: head.block)
        let isNew = known.last?.hash != head.block.hash || known.count != cursor.recent.count
        cursor.recent = Self.remembered(known, head.block)
        cursor.next = max(cursor.first, head.block.number.addingSaturating(1))
        try await orders.update(head: head.block, since: cursor.since)
        let range = isNew && first <= head.block.number ? first...head.block.number : nil
        let changes = try await changes(in: range, head: head.block)
        guard !changes.isEmpty || isNew || start != nil else { return true }
        let step = WatchStep(
            subject: subject,
            cursor: cursor,
            changes: changes,
            sinks: sinks,
            now: session.environment.now()
        )
        let isNoted = try attempt { () throws(JournalError) in try journal.record(step) }
        if isNoted, let rewound { tell(.rewound(to: rewound)) }
        return isNoted
    }

    // MARK: The beginning

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
                throw DexError(
                    .usage,
                    code: "block-ahead",
                    message: "The chain has no block \(number) yet: its latest is \(head.number).",
                    hint: "Name an earlier block with --from."
                )
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

    // MARK: Which blocks

    /// The blocks of earlier readings that the chain still has.
    private func canonical(
        _ blocks: [WatchedBlock],
        upTo head: UInt64
    ) async throws(DexError) -> [WatchedBlock] {
        let blocks = blocks.filter { $0.number <= head }
        var batch = ReadBatch()
        for block in blocks { _ = batch.add(.block(.number(block.number))) }
        let answers = try await batch.send(to: session.chain)
        var known: [WatchedBlock] = []
        for (block, answer) in zip(blocks, answers.results) {
            guard try Self.block(answer)?.hash == block.hash else { break }
            known.append(block)
        }
        return known
    }

    private func firstBlock(
        _ cursor: WatchCursor,
        known: [WatchedBlock],
        head: Block
    ) -> UInt64 {
        var first = cursor.next
        if let last = known.last {
            first = min(first, last.number.addingSaturating(1))
        } else if let oldest = cursor.recent.first {
            // Nobody knows where the branches part.
            first = oldest.number - min(oldest.number, UInt64(WatchSettings.depth))
        }
        let overlapped = head.number.addingSaturating(1)
        first = min(first, overlapped - min(overlapped, WatchSettings.overlap))
        return max(cursor.first, first)
    }

    private static func remembered(_ known: [WatchedBlock], _ head: Block) -> [WatchedBlock] {
        let latest = WatchedBlock(number: head.number, hash: head.hash)
        return (known.filter { $0.number < head.number } + [latest])
            .suffix(WatchSettings.depth)
    }

    private static func block(
        _ answer: Result<ChainAnswer, ChainError>
    ) throws(DexError) -> Block? {
        do throws(ChainError) {
            return try answer.get().block()
        } catch {
            throw DexError(error)
        }
    }

    // MARK: What happened

    private mutating func changes(
        in range: ClosedRange<UInt64>?,
        head: Block
    ) async throws(DexError) -> [WatchStep.Change] {
        var seen: [WatchEvent] = []
        if let range {
            seen = try await WatchScan(session: session, subject: subject).events(blocks: range)
        }
        let keys = orders.keys.union(seen.map(\.key))
        let noted = try attempt { () throws(JournalError) in
            try journal.notedEvents(
                subject,
                keys: keys,
                from: range?.lowerBound ?? UInt64(Int64.max)
            )
        }
        let ledger = WatchLedger(noted)
        var undone: [WatchEvent] = []
        if let range {
            seen = try told(seen, ledger)
            (seen, undone) = try await placed(
                seen,
                missing: ledger.missing(seen, from: range.lowerBound),
                head: head
            )
        }
        let standing = orders.events(
            expiryNotice: settings.expiryNotice,
            funding: { ledger.funding(of: $0) }
        )
        return undone.map { .undone($0) } + ledger.changes(seen + standing)
    }

    /// Without the transfers of tokens that anybody may have made up.
    private mutating func told(
        _ seen: [WatchEvent],
        _ ledger: WatchLedger
    ) throws(DexError) -> [WatchEvent] {
        guard !settings.tellsAllTokens else { return seen }
        let own = try orders.tokens()
        return seen.filter { event in
            event.orderHash != nil || own.contains(event.token)
                || session.tokens.known(event.token) != nil || ledger.knows(event)
        }
    }

    /// The events with the times of their blocks, and those that are missing because a
    /// reorganization took them out of the chain.
    ///
    /// - Throws: `DexError`: `reorganized` where the blocks changed while the logs were read, and
    ///   `logs-incomplete` where an event is missing in a block that is still the same.
    private func placed(
        _ seen: [WatchEvent],
        missing: [WatchEvent],
        head: Block
    ) async throws(DexError) -> (seen: [WatchEvent], undone: [WatchEvent]) {
        let numbers = Set((seen + missing).map(\.place.block.number)).union([head.number])
        var batch = ReadBatch()
        let places = numbers.sorted().map { ($0, batch.add(.block(.number($0)))) }
        let answers = try await batch.send(to: session.chain)
        var blocks: [UInt64: Block] = [:]
        for (number, place) in places {
            blocks[number] = try answers.value(place) { answer throws(ChainError) in
                try answer.block()
            }
        }
        guard blocks[head.number]?.hash == head.hash else { throw TradeReader.reorganized }
        var placed: [WatchEvent] = []
        for var event in seen {
            guard let block = blocks[event.place.block.number],
                block.hash == event.place.block.hash
            else { throw TradeReader.reorganized }
            event.place = WatchEvent.Place(
                block: event.place.block,
                logIndex: event.place.logIndex,
                time: block.timestamp
            )
            placed.append(event)
        }
        for event in missing
        where blocks[event.place.block.number]?.hash == event.place.block.hash {
            throw DexError(
                .unreachable,
                code: "logs-incomplete",
                message: "The node's logs of block \(event.place.block.number) lack an event that "
                    + "they had before, and the block is the same.",
                hint: "The node may be catching up; try again, or another node with --rpc.",
                retryable: true
            )
        }
        return (placed, missing)
    }

    private func attempt<Value>(
        _ body: () throws(JournalError) -> Value
    ) throws(DexError) -> Value {
        do {
            return try body()
        } catch {
            throw DexError(error)
        }
    }
}
