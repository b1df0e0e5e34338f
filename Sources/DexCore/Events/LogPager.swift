import DexStore
import Ethereum

/// The logs of a range of blocks, in chunks that the node allows, or from the journal as far as it
/// has them.
///
/// Nodes limit the range or the answer, each in its own way: `LogPageSize` learns how. A chunk of
/// old blocks is kept once the next one is asked for: one that its reader refuses is not.
struct LogPager {
    struct Page: Sendable {
        let blocks: ClosedRange<UInt64>
        let logs: [Log]
        /// All of its logs are the journal's, and their times those that were noted.
        let isKept: Bool
        /// Logs of some filters are the journal's.
        let hasKept: Bool
    }

    private struct Place: Hashable {
        let block: UInt64
        let index: UInt64
    }

    /// A page of the node, before it is kept.
    private struct Pending {
        let range: KeptRange
        let filters: [EventFilter]
        let logs: [Log]
        var times: [UInt64: UInt64] = [:]
    }

    private let session: Session
    private let blocks: ClosedRange<UInt64>
    private let filters: (_ from: BlockTag, _ to: BlockTag) -> [LogFilter]
    private let store: EventStore?
    /// The filters by their contracts.
    private let parts: [EventFilter]
    private var coverage: EventCoverage?
    private var pending: Pending?
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
    ///   - filters: the filters for a range of blocks; each chunk is one request.
    init(
        session: Session,
        blocks: ClosedRange<UInt64>,
        store: EventStore? = nil,
        coverage: EventCoverage? = nil,
        filters: @escaping (_ from: BlockTag, _ to: BlockTag) -> [LogFilter]
    ) {
        self.session = session
        self.blocks = blocks
        self.filters = filters
        self.store = store
        self.coverage = coverage
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
        try keep()
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
                tell(piece.upperBound)
                pending = pending(piece, of: open, found.logs, end: found.end)
            }
            start = piece.upperBound == blocks.upperBound ? nil : piece.upperBound + 1
            return Page(
                blocks: piece,
                logs: found.logs + known,
                isKept: open.isEmpty,
                hasKept: !known.isEmpty
            )
        }
        return nil
    }

    /// Keeps the times of blocks with the logs of the last page.
    ///
    /// - Parameter times: seconds since 1970.
    /// - Throws: `DexError` if the journal cannot be written.
    mutating func note(_ times: [UInt64: UInt64]) throws(DexError) {
        pending?.times = times
        let known = times.filter { untimed.contains($0.key) }
        guard let store, !known.isEmpty else { return }
        let parts = parts
        try journaled(try store.journal.noteEventTimes(known, of: parts))
    }

    /// Forgets what is kept of a page: its blocks are others than the chain's.
    ///
    /// - Throws: `DexError` if the journal cannot be read or written.
    func forget(_ page: Page) throws(DexError) {
        guard let store else { return }
        let parts = parts
        let ranges = try journaled(
            try store.journal.eventRanges(covering: parts, touching: page.blocks)
        )
        for range in ranges { try journaled(try store.journal.forgetEvents(range)) }
    }

    // MARK: The journal

    private mutating func keep() throws(DexError) {
        untimed = []
        guard let store, let page = pending else { return }
        pending = nil
        try journaled(
            try store.journal.keepEvents(
                page.range,
                of: page.filters,
                logs: page.logs,
                times: page.times
            )
        )
    }

    /// Finds out what is kept.
    private mutating func cover() async throws(DexError) {
        guard let store, coverage == nil else { return }
        var batch = ReadBatch()
        let question = try EventCoverage.ask(parts, touching: blocks, store.journal, in: &batch)
        guard !question.isEmpty else { return coverage = EventCoverage() }
        let answers = try await batch.send(to: session.chain)
        coverage = try EventCoverage(question, answers, session, store.journal)
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
            guard events.kept == BlockSpans([piece]) else {
                coverage?.remove(piece, of: part)
                return nil
            }
            logs += events.logs
        }
        untimed = Set(logs.lazy.filter { $0.blockTimestamp == nil }.compactMap(\.blockNumber))
        return logs
    }

    /// What of a page will be kept; nil if none of it is old enough, or the node contradicts itself.
    private func pending(
        _ piece: ClosedRange<UInt64>,
        of open: [EventFilter],
        _ logs: [Log],
        end: Block?
    ) -> Pending? {
        guard let end, piece.contains(end.number) else { return nil }
        var hashes = [end.number: end.hash]
        var places: [Place: Log] = [:]
        var old: [Log] = []
        for log in logs where log.blockNumber.map({ $0 <= end.number }) ?? true {
            guard let block = log.blockNumber, let index = log.logIndex,
                let hash = log.blockHash, log.transactionHash != nil
            else { return nil }
            let place = Place(block: block, index: index)
            let (known, same) = (
                hashes.updateValue(hash, forKey: block), places.updateValue(log, forKey: place)
            )
            guard known ?? hash == hash, same ?? log == log else { return nil }
            old.append(log)
        }
        let last = WatchedBlock(number: end.number, hash: end.hash)
        return Pending(
            range: KeptRange(first: piece.lowerBound, last: last),
            filters: open,
            logs: old
        )
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

    private func tell(_ last: UInt64) {
        guard isLong else { return }
        session.environment.progress("read the logs up to block \(last) of \(blocks.upperBound)")
    }
}
