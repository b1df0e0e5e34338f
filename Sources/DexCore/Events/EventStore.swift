import DexStore
import Ethereum

/// The place where logs are kept, so that a node is asked once for each, whoever needs it: old ones
/// in the journal, the newest in the session's memory.
struct EventStore: Sendable {
    let journal: Journal
    /// The latest block that the journal keeps; nil if it keeps none, as on a young chain.
    let settled: UInt64?
    /// The latest block, by which the newest logs are known; nil asks the node for them.
    let head: Block?
    /// Every log is asked of the node, and replaces what is kept.
    let isRenewed: Bool

    init(_ journal: Journal, head: Block, isRenewed: Bool = false) {
        self.journal = journal
        settled = Reorganization.settled(below: head.number)
        self.head = head
        self.isRenewed = isRenewed
    }

    /// - Parameter head: the latest block, or one below it.
    init(_ journal: Journal, head: UInt64) {
        self.journal = journal
        settled = Reorganization.settled(below: head)
        self.head = nil
        isRenewed = false
    }
}

/// The blocks whose logs are kept of some filters, as far as the chain still has them.
struct EventCoverage: Hashable, Sendable {
    private var spans: [EventFilter: BlockSpans] = [:]

    /// The reads that say it.
    struct Question {
        fileprivate let filters: [EventFilter]
        fileprivate let ranges: [EventRange]
        fileprivate let ends: [ReadSlot<Block?>]

        /// Nothing is kept.
        var isEmpty: Bool { ranges.isEmpty }
    }

    /// Blocks of which the same filters are kept, and the others.
    typealias Piece = (blocks: ClosedRange<UInt64>, open: [EventFilter])

    /// Nothing is kept.
    init() {}

    /// All that was asked about, as if the chain still had it.
    init(assuming question: Question) {
        for kept in question.ranges { add(kept, of: question.filters) }
    }

    /// Asks for the blocks with which the kept ranges end.
    ///
    /// - Parameter blocks: ranges that neither overlap nor touch them are left alone.
    /// - Throws: `DexError` if the journal cannot be read.
    static func ask(
        _ filters: [EventFilter],
        touching blocks: ClosedRange<UInt64>,
        _ journal: Journal,
        in batch: inout ReadBatch
    ) throws(DexError) -> Question {
        let ranges = try journaled(try journal.eventRanges(covering: filters, touching: blocks))
        return Question(
            filters: filters,
            ranges: ranges,
            ends: ranges.map { batch.add(.block(.number($0.range.last.number))) }
        )
    }

    /// Forgets the ranges that a reorganization changed.
    ///
    /// - Throws: `DexError`: exit 4 if the node does not answer, or the journal cannot be written.
    init(
        _ question: Question,
        _ answers: ReadAnswers,
        _ session: Session,
        _ journal: Journal
    ) throws(DexError) {
        for (kept, end) in zip(question.ranges, question.ends) {
            let block = try answers.value(end)
            if Reorganization.removed(kept.range.last.hash, block, session) {
                try journaled(try journal.forgetEvents(kept))
                continue
            }
            add(kept, of: question.filters)
        }
    }

    private mutating func add(_ kept: EventRange, of filters: [EventFilter]) {
        for filter in filters where kept.filter.covers(filter) {
            spans[filter, default: BlockSpans()].insert(kept.range.blocks)
        }
    }

    /// Adds what is known beside the journal: the newest logs.
    mutating func add(_ recent: RecentLogs, of filters: [EventFilter], at head: Block) {
        for filter in filters {
            for blocks in recent.blocks(filter, at: head.hash) {
                spans[filter, default: BlockSpans()].insert(blocks)
            }
        }
    }

    /// Notes that blocks of a filter are kept no longer.
    mutating func remove(_ blocks: ClosedRange<UInt64>, of filter: EventFilter) {
        spans[filter]?.remove(blocks)
    }

    /// Blocks that are not kept of all of some filters.
    func unread(_ filters: [EventFilter], in blocks: ClosedRange<UInt64>) -> BlockSpans {
        var unread = BlockSpans()
        for filter in filters {
            let open = BlockSpans([blocks]).subtracting(spans[filter] ?? BlockSpans())
            for range in open.ranges { unread.insert(range) }
        }
        return unread
    }

    /// The longest start of some blocks in which the same filters are kept, and the others.
    func start(
        of blocks: ClosedRange<UInt64>,
        _ filters: [EventFilter]
    ) -> Piece {
        var last = blocks.upperBound
        var open: [EventFilter] = []
        for filter in filters {
            let next = (spans[filter] ?? BlockSpans()).ranges
                .first { $0.upperBound >= blocks.lowerBound }
            if let next, next.contains(blocks.lowerBound) {
                last = min(last, next.upperBound)
            } else {
                open.append(filter)
                if let next { last = min(last, next.lowerBound - 1) }
            }
        }
        return (blocks.lowerBound...last, open)
    }

    /// Blocks in pieces of which the same filters are kept, ascending.
    func pieces(of blocks: ClosedRange<UInt64>, _ filters: [EventFilter]) -> [Piece] {
        var pieces = [start(of: blocks, filters)]
        while let last = pieces.last?.blocks.upperBound, last < blocks.upperBound {
            pieces.append(start(of: last + 1...blocks.upperBound, filters))
        }
        return pieces
    }
}

extension LogFilter {
    /// The filter for each of its contracts, which are kept apart.
    func parts(chainID: UInt64) -> [EventFilter] {
        (addresses.isEmpty ? [nil] : addresses.map(Optional.some)).map { contract in
            EventFilter(chainID: chainID, contract: contract, topics: topics)
        }
    }

    /// The same without the contracts that are kept; nil if nothing is left to ask for.
    func asking(_ open: Set<EventFilter>, chainID: UInt64) -> LogFilter? {
        let left = parts(chainID: chainID).filter(open.contains)
        guard !left.isEmpty else { return nil }
        var filter = self
        filter.addresses = left.compactMap(\.contract)
        return filter
    }
}
