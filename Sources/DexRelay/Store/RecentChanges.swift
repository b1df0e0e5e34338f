/// The latest committed changes of a store that only this process writes, in memory.
///
/// Two commits of one process may resume in the other order: who comes first reads here what the
/// other has written. Whoever missed more reads everything again.
struct RecentChanges: Sendable {
    private var kept: [(change: OrderChange, time: UInt64)] = []
    /// Every change after this number is kept.
    private var start: UInt64
    /// The number of the last change.
    private(set) var last: UInt64

    /// At least so many are kept, and the last batch whole; at most twice as many and that batch.
    static let minimum = 1_024

    /// - Parameter number: of the last change that is on disk.
    init(after number: UInt64) {
        start = number
        last = number
    }

    /// Takes what a transaction has committed.
    ///
    /// - Parameter time: seconds since 1970.
    mutating func append(_ changes: [OrderChange], at time: UInt64) {
        guard let first = changes.first, let end = changes.last else { return }
        if first.number != last &+ 1 {
            // A commit between them was reported as failed, but is on disk.
            kept = []
            start = first.number - 1
        }
        kept += changes.map { ($0, time) }
        last = end.number
        guard kept.count > 2 * Self.minimum else { return }
        forget(kept.count - max(Self.minimum, changes.count))
    }

    /// The changes after a number, at most so many; nil if not all of them are kept, or if the
    /// store has not come so far.
    func after(_ number: UInt64, limit: Int) -> [OrderChange]? {
        guard start <= number, number <= last else { return nil }
        return kept.dropFirst(Int(clamping: number - start)).prefix(max(0, limit)).map(\.change)
    }

    /// Forgets changes that were committed before a time, in seconds since 1970.
    mutating func prune(before time: UInt64) {
        forget(kept.firstIndex { $0.time >= time } ?? kept.count)
    }

    private mutating func forget(_ count: Int) {
        guard count > 0 else { return }
        start = kept[count - 1].change.number
        kept.removeFirst(count)
    }
}
