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

    /// The reads of what the node is asked for of one piece.
    private struct Question {
        let logs: [ReadSlot<[Log]>]
        /// The last block that will be kept of it; nil if none will.
        let end: ReadSlot<Block?>?
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
                    var batch = ReadBatch()
                    let question = ask(piece, of: open, in: &batch)
                    found = try Self.found(question, in: try await session.chain.read(batch))
                } catch {
                    try shrink(after: error, blocks: piece)
                    continue
                }
                do throws(ChainError) {
                    try Self.check(found.logs, of: piece)
                } catch {
                    throw DexError(error)
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
                try take(found, piece, of: open)
            }
            start = piece.upperBound == blocks.upperBound ? nil : piece.upperBound + 1
            return Page(blocks: piece, logs: found.logs + known, isKept: open.isEmpty)
        }
        return nil
    }

    /// All blocks at once, never in pieces: what is not kept is asked for in one request, which
    /// also asks whether the chain still has what is kept.
    ///
    /// It is kept by `keep` alone. What the node refuses teaches nothing about the pages of others.
    ///
    /// - Returns: the logs by block and index; they are fresh if the node returned all of them now.
    /// - Throws: `DexError`: exit 4, `logs-refused`, if the node does not give them at once; the
    ///   node's failure if it does not answer; or the journal cannot be read or written.
    mutating func whole() async throws(DexError) -> (logs: [Log], isFresh: Bool) {
        start = nil
        while true {
            var batch = ReadBatch()
            let stored = try question(in: &batch)
            // That the chain has it all is asked in the same request.
            var assumed = stored.map(EventCoverage.init(assuming:)) ?? coverage ?? EventCoverage()
            addRecent(to: &assumed)
            let pieces = assumed.pieces(of: blocks, parts)
            let questions = pieces.map { ask($0.blocks, of: $0.open, in: &batch) }
            let answers: ReadAnswers
            do throws(ChainError) {
                answers = try await session.chain.read(batch)
            } catch {
                throw refused(error)
            }
            if let stored, let store {
                var known = try EventCoverage(stored, answers, session, store.journal)
                addRecent(to: &known)
                coverage = known
                // Of other blocks than were assumed more has to be asked.
                guard known == assumed else { continue }
            } else {
                coverage = assumed
            }
            var logs: [Log] = []
            for (piece, question) in zip(pieces, questions) {
                let found: (logs: [Log], end: Block?)
                do throws(ChainError) {
                    found = try Self.found(question, in: answers)
                    try Self.check(found.logs, of: piece.blocks)
                } catch {
                    throw refused(error)
                }
                try take(found, piece.blocks, of: piece.open)
                logs += found.logs
            }
            if let known = try kept(pieces) {
                let isFresh = pieces.allSatisfy { $0.open.count == parts.count }
                return ((logs + known).sorted { $0.isBefore($1) }, isFresh)
            }
            pending = []
        }
    }

    /// The kept logs of some pieces; nil if some were forgotten meanwhile.
    private mutating func kept(_ pieces: [EventCoverage.Piece]) throws(DexError) -> [Log]? {
        var logs: [Log] = []
        for piece in pieces {
            guard let known = try kept(piece.blocks, besides: piece.open) else { return nil }
            logs += known
        }
        return logs
    }

    private func refused(_ error: ChainError) -> DexError {
        error.isUnanswered
            ? DexError(error) : ReadError.logsRefused(block: blocks.lowerBound, error)
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
    /// - Parameter error: of what was read; one that concerns neither removed nor missing logs says
    ///   nothing about it.
    func forgetRemoved(
        after error: DexError,
        in blocks: ClosedRange<UInt64>
    ) async throws(DexError) {
        let isIncomplete = error.concerns(.missingLogs)
        guard let store, isIncomplete || error.concerns(.removedLogs) else { return }
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
        var batch = ReadBatch()
        var known = store.isRenewed ? EventCoverage() : coverage ?? EventCoverage()
        if let question = try question(in: &batch), !question.isEmpty {
            let answers = try await batch.send(to: session.chain)
            known = try EventCoverage(question, answers, session, store.journal)
        }
        addRecent(to: &known)
        coverage = known
    }

    /// Asks what is kept; nil if that is known, or every log is asked of the node.
    private func question(
        in batch: inout ReadBatch
    ) throws(DexError) -> EventCoverage.Question? {
        guard let store, coverage == nil, !store.isRenewed else { return nil }
        return try EventCoverage.ask(parts, touching: blocks, store.journal, in: &batch)
    }

    /// Adds the newest logs that are known; where every log is asked of the node, it forgets them.
    private func addRecent(to known: inout EventCoverage) {
        guard let store else { return }
        if store.isRenewed {
            session.recentLogs.forget()
        } else if let head = store.head {
            known.add(session.recentLogs, of: parts, at: head)
        }
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

    /// Takes an answer of the node for a piece, to be kept.
    ///
    /// - Throws: `DexError`, `logs-incomplete`, if it lacks a log that the node returned before at
    ///   the same latest block.
    private mutating func take(
        _ found: (logs: [Log], end: Block?),
        _ piece: ClosedRange<UInt64>,
        of open: [EventFilter]
    ) throws(DexError) {
        if let head = store?.head,
            let block = session.recentLogs.missing(found.logs, of: open, in: piece, at: head.hash)
        {
            // Which of the two answers is wrong is unknown: the next reading asks for both.
            session.recentLogs.forget()
            throw ReadError.logsIncomplete(block: block)
        }
        if let page = pending(piece, of: open, found.logs, end: found.end) { pending.append(page) }
    }

    /// The part of a page that will be kept; nil if the node contradicts itself in it.
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
        var places: [LogNumbers: Log] = [:]
        return logs.allSatisfy { log in
            guard let number = log.blockNumber, log.logIndex != nil,
                let hash = log.blockHash, log.transactionHash != nil
            else { return false }
            let same = places.updateValue(log, forKey: LogNumbers(log))
            let known = hashes.updateValue(hash, forKey: number)
            return known ?? hash == hash && same ?? log == log
        }
    }

    // MARK: The node

    /// Asks for the logs of some filters, with the last block that will be kept of them.
    private func ask(
        _ piece: ClosedRange<UInt64>,
        of open: [EventFilter],
        in batch: inout ReadBatch
    ) -> Question {
        guard !open.isEmpty else { return Question(logs: [], end: nil) }
        let asked = filters(.number(piece.lowerBound), .number(piece.upperBound))
            .compactMap { $0.asking(Set(open), chainID: session.network.chainID) }
        let last = store?.settled.map { min($0, piece.upperBound) }
        return Question(
            logs: asked.map { batch.add(.logs($0)) },
            end: last.flatMap { last in
                last >= piece.lowerBound ? batch.add(.block(.number(last))) : nil
            }
        )
    }

    private static func found(
        _ question: Question,
        in answers: ReadAnswers
    ) throws(ChainError) -> (logs: [Log], end: Block?) {
        var logs: [Log] = []
        var places: [LogNumbers: Log] = [:]
        for slot in question.logs {
            // A node may repeat a log, and two filters may have one.
            logs += try answers[slot].get().filter { log in
                log.logIndex == nil || places.updateValue(log, forKey: LogNumbers(log)) != log
            }
        }
        // nil: the page is not kept.
        return (logs, question.end.flatMap { (try? answers[$0].get()) ?? nil })
    }

    /// Logs of other blocks make an answer untrusted.
    private static func check(
        _ logs: [Log],
        of piece: ClosedRange<UInt64>
    ) throws(ChainError) {
        guard logs.allSatisfy({ $0.blockNumber.map(piece.contains) ?? true }) else {
            throw .nonsense("it returns logs of blocks that were not asked for")
        }
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
