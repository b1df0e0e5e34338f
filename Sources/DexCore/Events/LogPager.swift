import DexStore
import Ethereum

/// The logs of a range of blocks, in chunks that the node allows, or from the journal as far as it
/// has them.
///
/// Nodes limit the range or the answer, each in its own way: `LogPageSize` learns how. A chunk is
/// kept once the next one is asked for: one that its reader refuses is not.
struct LogPager {
    struct Page: Sendable {
        let blocks: ClosedRange<UInt64>
        let logs: [Log]
        /// All of its logs are the journal's, and their times those that were noted.
        let isKept: Bool
    }

    private struct Place: Hashable {
        let block: UInt64
        let index: UInt64
    }

    /// A page of the node, before it is kept: as far as it is old, and as far as it is new.
    private struct Pending {
        let filters: [EventFilter]
        var old: (range: KeptRange, logs: [Log])?
        var new: (blocks: ClosedRange<UInt64>, logs: [Log])?
        var times: [UInt64: UInt64] = [:]
    }

    private let session: Session
    private let blocks: ClosedRange<UInt64>
    private let filters: (_ from: BlockTag, _ to: BlockTag) -> [LogFilter]
    private let store: EventStore?
    /// The filters by their contracts.
    private let parts: [EventFilter]
    private var coverage: EventCoverage?
    private var isCovered = false
    /// Pages are kept by `keep` alone, since they are checked together.
    private let isHeld: Bool
    private var pending: [Pending] = []
    /// Blocks of the page whose times the journal lacks.
    private var untimed: Set<UInt64> = []
    /// The range is long enough for a progress line.
    private let isLong: Bool
    /// The first unread block; nil at the end.
    private var start: UInt64?
    private var failures = 0
    /// Blocks in the next request.
    private var size: LogPageSize

    /// Consecutive failures other than refusals before it gives up.
    private static let maximumFailures = 4

    /// - Parameters:
    ///   - store: where logs are kept; nil asks the node for all.
    ///   - coverage: what is kept of these filters; nil finds it out.
    ///   - isHeld: chunks are checked together: nothing is kept before `keep`.
    ///   - filters: the filters for a range of blocks; each chunk is one request.
    init(
        session: Session,
        blocks: ClosedRange<UInt64>,
        store: EventStore? = nil,
        coverage: EventCoverage? = nil,
        isHeld: Bool = false,
        filters: @escaping (_ from: BlockTag, _ to: BlockTag) -> [LogFilter]
    ) {
        self.session = session
        self.blocks = blocks
        self.filters = filters
        self.store = store
        self.coverage = coverage
        self.isHeld = isHeld
        let chainID = session.network.chainID
        parts = filters(.number(blocks.lowerBound), .number(blocks.upperBound))
            .flatMap { $0.parts(chainID: chainID) }
        size = session.logPages.size
        isLong = blocks.upperBound - blocks.lowerBound >= size.size
        start = blocks.lowerBound
    }

    /// The next chunk; nil after the last.
    ///
    /// - Throws: `DexError`: exit 4, `logs-refused`, if the node refuses even one block; or the
    ///   journal cannot be read or written.
    mutating func next() async throws(DexError) -> Page? {
        untimed = []
        if !isHeld { try keep() }
        try await cover()
        while let first = start {
            let (same, open) =
                coverage?.start(of: first...blocks.upperBound, parts)
                ?? (first...blocks.upperBound, parts)
            // The journal's as well: readers bound the logs of a page.
            let (sum, overflow) = first.addingReportingOverflow(size.size - 1)
            let piece = first...(overflow ? same.upperBound : min(sum, same.upperBound))
            guard let known = try kept(piece, besides: open) else { continue }
            var found: (logs: [Log], end: Block?) = ([], nil)
            if !open.isEmpty {
                do throws(ChainError) {
                    found = try await read(piece, of: Set(open))
                } catch {
                    try shrink(after: error, blocks: piece)
                    continue
                }
                // Logs of other blocks make the answer untrusted.
                guard found.logs.allSatisfy({ $0.blockNumber.map(piece.contains) ?? true }) else {
                    throw DexError(
                        ChainError.nonsense("it returns logs of blocks that were not asked for")
                    )
                }
                failures = 0
                // A shorter one says nothing of what the node allows.
                if piece.upperBound < same.upperBound {
                    size.answer(
                        piece.upperBound - piece.lowerBound + 1,
                        left: blocks.upperBound - piece.upperBound
                    )
                    session.logPages.note(size)
                }
                showProgress(piece.upperBound)
                if let page = pending(piece, of: open, found.logs, end: found.end) {
                    pending.append(page)
                }
            }
            start = piece.upperBound == blocks.upperBound ? nil : piece.upperBound + 1
            return Page(blocks: piece, logs: found.logs + known, isKept: open.isEmpty)
        }
        return nil
    }

    /// Keeps the times of blocks with the logs of the last page.
    ///
    /// - Parameter times: seconds since 1970.
    /// - Throws: `DexError` if the journal cannot be written.
    mutating func note(_ times: [UInt64: UInt64]) throws(DexError) {
        if !pending.isEmpty { pending[pending.count - 1].times = times }
        let known = times.filter { untimed.contains($0.key) }
        guard let store, !known.isEmpty else { return }
        let parts = parts
        try journaled(try store.journal.noteEventTimes(known, of: parts))
    }

    /// Runs a check of what was read in some blocks; `forgetRemoved` if it fails.
    ///
    /// - Throws: `DexError`, that of the check; or the journal cannot be read or written.
    func checked<Value>(
        _ blocks: ClosedRange<UInt64>,
        _ check: () async throws(DexError) -> Value
    ) async throws(DexError) -> Value {
        do {
            return try await check()
        } catch {
            try await forgetRemoved(after: error, in: blocks)
            throw error
        }
    }

    /// Forgets kept logs of blocks that the chain does not have, and of those where some are
    /// missing, so that the next reading asks for them again.
    ///
    /// - Parameter error: of what was read; other ones than `reorganized` and `logs-incomplete` say
    ///   nothing about it.
    func forgetRemoved(
        after error: DexError,
        in blocks: ClosedRange<UInt64>
    ) async throws(DexError) {
        let isIncomplete = error.code == ReadError.logsIncomplete(block: 0).code
        guard let store, isIncomplete || error.code == ReadError.reorganized.code else { return }
        session.recentLogs.forget()
        for part in parts {
            let logs = try journaled(try store.journal.events(part, blocks: blocks)).logs
            let found = try await session.chain.blocks(Set(logs.compactMap(\.blockNumber)))
            let isWrong = logs.contains { log in
                log.blockNumber.flatMap { found[$0] }?.hash != log.blockHash
            }
            guard isWrong || isIncomplete else { continue }
            let kept = try journaled(
                try store.journal.eventRanges(covering: [part], touching: blocks)
            )
            for range in kept { try journaled(try store.journal.forgetEvents(range)) }
        }
    }

    // MARK: The journal

    /// Keeps the pages that were read.
    ///
    /// - Throws: `DexError` if the journal cannot be written.
    mutating func keep() throws(DexError) {
        let pages = pending
        pending = []
        guard let store else { return }
        for page in pages {
            if let (blocks, logs) = page.new, let head = store.head {
                session.recentLogs
                    .note(logs, of: page.filters, in: blocks, times: page.times, at: head.hash)
            }
            guard let (range, logs) = page.old else { continue }
            try journaled(
                try store.journal.keepEvents(range, of: page.filters, logs: logs, times: page.times)
            )
        }
    }

    /// Finds out what is kept.
    private mutating func cover() async throws(DexError) {
        guard let store, !isCovered else { return }
        isCovered = true
        guard !store.isRenewed else {
            session.recentLogs.forget()
            return coverage = EventCoverage()
        }
        var known = coverage ?? EventCoverage()
        if coverage == nil {
            var batch = ReadBatch()
            let question = try EventCoverage.ask(parts, touching: blocks, store.journal, in: &batch)
            if !question.isEmpty {
                let answers = try await batch.send(to: session.chain)
                known = try EventCoverage(question, answers, session, store.journal)
            }
        }
        if let head = store.head { known.add(session.recentLogs, of: parts, at: head) }
        coverage = known
    }

    /// The kept logs of the filters that the node is not asked for; nil if some were forgotten
    /// meanwhile, as by what was kept of this reading or by another process.
    private mutating func kept(
        _ piece: ClosedRange<UInt64>,
        besides open: [EventFilter]
    ) throws(DexError) -> [Log]? {
        guard let store, open.count < parts.count else { return [] }
        var logs: [Log] = []
        for part in parts where !open.contains(part) {
            let events = try journaled(try store.journal.events(part, blocks: piece))
            logs += events.logs
            for rest in BlockSpans([piece]).subtracting(events.kept).ranges {
                guard let head = store.head,
                    let recent = session.recentLogs.logs(part, in: rest, at: head.hash)
                else {
                    coverage?.remove(piece, of: part)
                    return nil
                }
                logs += recent
            }
        }
        untimed = Set(logs.lazy.filter { $0.blockTimestamp == nil }.compactMap(\.blockNumber))
        return logs
    }

    /// What of a page will be kept; nil if nothing, as where the node contradicts itself.
    private func pending(
        _ piece: ClosedRange<UInt64>,
        of open: [EventFilter],
        _ logs: [Log],
        end: Block?
    ) -> Pending? {
        guard let store else { return nil }
        var page = Pending(filters: open)
        if let end, piece.contains(end.number) {
            let old = logs.filter { $0.blockNumber.map { $0 <= end.number } ?? true }
            guard Self.agree(old, with: end) else { return nil }
            page.old = (KeptRange(first: piece.lowerBound, last: WatchedBlock(end)), old)
        }
        let first = max(piece.lowerBound, store.settled.map { $0 + 1 } ?? 0)
        if let head = store.head, first <= piece.upperBound, piece.upperBound <= head.number {
            let new = logs.filter { $0.blockNumber.map { $0 >= first } ?? true }
            if Self.agree(new, with: head) { page.new = (first...piece.upperBound, new) }
        }
        return page.old == nil && page.new == nil ? nil : page
    }

    /// Whether logs all have a place, one log at each, and one block of each number.
    private static func agree(_ logs: [Log], with block: Block) -> Bool {
        var hashes = [block.number: block.hash]
        var places: [Place: Log] = [:]
        return logs.allSatisfy { log in
            guard let number = log.blockNumber, let index = log.logIndex,
                let hash = log.blockHash, log.transactionHash != nil
            else { return false }
            let same = places.updateValue(log, forKey: Place(block: number, index: index))
            let known = hashes.updateValue(hash, forKey: number)
            return known ?? hash == hash && same ?? log == log
        }
    }

    // MARK: The node

    /// The logs of some filters, with the last block that will be kept of them.
    private func read(
        _ piece: ClosedRange<UInt64>,
        of open: Set<EventFilter>
    ) async throws(ChainError) -> (logs: [Log], end: Block?) {
        var batch = ReadBatch()
        let asked = filters(.number(piece.lowerBound), .number(piece.upperBound))
            .compactMap { $0.asking(open, chainID: session.network.chainID) }
        let slots = asked.map { batch.add(.logs($0)) }
        let last = store?.settled.map { min($0, piece.upperBound) }
        let end = last.flatMap { last in
            last >= piece.lowerBound ? batch.add(.block(.number(last))) : nil
        }
        let answers = try await session.chain.read(batch)
        var logs: [Log] = []
        for slot in slots { logs += try answers[slot].get() }
        // nil: the page is not kept.
        return (logs, end.flatMap { (try? answers[$0].get()) ?? nil })
    }

    private mutating func shrink(
        after error: ChainError,
        blocks: ClosedRange<UInt64>
    ) throws(DexError) {
        let length = blocks.upperBound - blocks.lowerBound + 1
        switch error {
        // Shorter answers would be as different.
        case .rateLimited, .disagreement: throw DexError(error)
        // A broken or slow answer may be too long.
        case .unreachable, .badStatus, .nonsense, .tooFewAnswers:
            failures += 1
            guard failures < Self.maximumFailures, length > 1 else { throw DexError(error) }
        default:
            // A missing method does not depend on the length.
            let isUnknown = if case .rpc(code: -32_601, _) = error { true } else { false }
            guard length > 1, !isUnknown else {
                throw ReadError.logsRefused(block: blocks.lowerBound, error)
            }
        }
        size.refuse(
            length,
            named: LogPageSize.named(in: error.reason, from: blocks.lowerBound, length: length)
        )
        session.logPages.note(size)
    }

    private func showProgress(_ last: UInt64) {
        guard isLong else { return }
        session.environment.progress("read the logs up to block \(last) of \(blocks.upperBound)")
    }
}
