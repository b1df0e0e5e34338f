import DexStore
import Ethereum
import Synchronization

/// The logs of the newest blocks, which a reorganization may still change: each feature of a command
/// gets them from here, as long as the latest block is the same.
///
/// Below `Reorganization.depth` the journal has them.
final class RecentLogs: Sendable {
    private struct Known {
        var blocks = BlockSpans()
        var logs: [Log] = []
    }

    private struct State {
        /// The latest block when they were read.
        var head: BlockHash?
        var known: [EventFilter: Known] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// More logs are not kept in memory.
    private static let maximum = 50_000

    /// Keeps the logs of some blocks, of each of some filters.
    ///
    /// - Parameters:
    ///   - times: of blocks, in seconds since 1970, as far as they are known.
    ///   - head: the latest block.
    func note(
        _ logs: [Log],
        of filters: [EventFilter],
        in blocks: ClosedRange<UInt64>,
        times: [UInt64: UInt64],
        at head: BlockHash
    ) {
        state.withLock { state in
            if state.head != head { state = State(head: head) }
            for filter in filters {
                let own = logs.filter(filter.pattern.matches)
                guard state.count + own.count <= Self.maximum else { return }
                var known = state.known[filter] ?? Known()
                // The same blocks may have been read by two features at once.
                known.logs.removeAll { $0.blockNumber.map(blocks.contains) ?? true }
                known.logs += own.map { log in
                    var log = log
                    log.blockTimestamp = log.blockNumber.flatMap { times[$0] }
                    return log
                }
                known.blocks.insert(blocks)
                state.count += known.logs.count - (state.known[filter]?.logs.count ?? 0)
                state.known[filter] = known
            }
        }
    }

    /// Forgets all, as where the chain has other blocks than their logs say.
    func forget() { state.withLock { $0 = State() } }

    /// The blocks whose logs of a filter are known.
    func blocks(_ filter: EventFilter, at head: BlockHash) -> [ClosedRange<UInt64>] {
        state.withLock { state in
            guard state.head == head else { return [] }
            return state.known.filter { $0.key.covers(filter) }.flatMap(\.value.blocks.ranges)
        }
    }

    /// The logs of a filter in some blocks, by block and log, each once; nil if not all are known.
    ///
    /// Where several answers have them, one that is short does not hide a log of another.
    func logs(
        _ filter: EventFilter,
        in blocks: ClosedRange<UInt64>,
        at head: BlockHash
    ) -> [Log]? {
        state.withLock { state in
            let covering = state.known.filter { $0.key.covers(filter) }.values
            let spans = BlockSpans(covering.flatMap(\.blocks.ranges))
            guard state.head == head, spans.clamped(to: blocks).ranges == [blocks] else {
                return nil
            }
            let pattern = filter.pattern
            var places: Set<LogNumbers> = []
            return covering.flatMap(\.logs).filter { log in
                (log.blockNumber.map(blocks.contains) ?? false) && pattern.matches(log)
                    && places.insert(LogNumbers(log)).inserted
            }.sorted { $0.isBefore($1) }
        }
    }

    /// The first block with a log that is known and that an answer for some filters lacks; nil if it
    /// has all of them.
    func missing(
        _ logs: [Log],
        of filters: [EventFilter],
        in blocks: ClosedRange<UInt64>,
        at head: BlockHash
    ) -> UInt64? {
        state.withLock { state in
            guard state.head == head else { return nil }
            let patterns = filters.map(\.pattern)
            let own = state.known.values.lazy.flatMap(\.logs).filter { log in
                (log.blockNumber.map(blocks.contains) ?? false)
                    && patterns.contains { $0.matches(log) }
            }
            let known = Array(own)
            // None in pages of old blocks, whose logs need not be looked at.
            guard !known.isEmpty else { return nil }
            let places = Set(logs.map(LogNumbers.init))
            return known.filter { !places.contains(LogNumbers($0)) }.compactMap(\.blockNumber).min()
        }
    }
}

/// The block of a log and its index there, by which two answers are compared; nil where a node does
/// not say it.
struct LogNumbers: Hashable {
    let block: UInt64?
    let index: UInt64?

    init(_ log: Log) { (block, index) = (log.blockNumber, log.logIndex) }
}
