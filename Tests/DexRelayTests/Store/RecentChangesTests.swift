import Testing
import ZeroEx

@testable import DexRelay

/// The changes that a store of one process keeps in memory.
@Suite struct RecentChangesTests {
    private func changes(_ numbers: some Sequence<UInt64>) -> [OrderChange] {
        numbers.map { number in
            OrderChange(number: number, pairSequence: number, order: SampleOrders.order(number))
        }
    }

    private func read(_ recent: RecentChanges, after number: UInt64, limit: Int = 9) -> [UInt64]? {
        recent.after(number, limit: limit).map { $0.map(\.number) }
    }

    @Test("it gives what follows a number, nothing at the end, and nil where it cannot know")
    func reading() {
        var recent = RecentChanges(after: 10)
        #expect(read(recent, after: 10) == [])
        #expect(read(recent, after: 9) == nil)
        #expect(read(recent, after: 11) == nil)
        #expect(read(recent, after: .max) == nil)
        recent.append([], at: 1)
        recent.append(changes(11...13), at: 1)
        recent.append(changes(14...14), at: 2)
        #expect(read(recent, after: 9) == nil)
        #expect(read(recent, after: 10) == [11, 12, 13, 14])
        #expect(read(recent, after: 12) == [13, 14])
        #expect(read(recent, after: 10, limit: 2) == [11, 12])
        #expect(read(recent, after: 14) == [])
        #expect(read(recent, after: 15) == nil)
        #expect(recent.last == 14)
    }

    @Test("a gap means that what came before it is not all known")
    func gap() {
        var recent = RecentChanges(after: 0)
        recent.append(changes(1...2), at: 1)
        recent.append(changes(5...6), at: 2)
        #expect(read(recent, after: 2) == nil)
        #expect(read(recent, after: 3) == nil)
        #expect(read(recent, after: 4) == [5, 6])
    }

    @Test("old changes are forgotten, and the bound holds; a batch is kept whole")
    func bound() {
        let minimum = UInt64(RecentChanges.minimum)
        var recent = RecentChanges(after: 0)
        recent.append(changes(1...5), at: 1)
        recent.prune(before: 1)
        #expect(read(recent, after: 0) == [1, 2, 3, 4, 5])
        recent.append(changes(6...7), at: 3)
        recent.prune(before: 2)
        #expect(read(recent, after: 4) == nil)
        #expect(read(recent, after: 5) == [6, 7])
        recent.prune(before: 100)
        #expect(read(recent, after: 7) == [])
        for number in 8...8 + 3 * minimum {
            recent.append(changes(number...number), at: 4)
        }
        let last = recent.last
        #expect(read(recent, after: last - minimum, limit: .max)?.count == Int(minimum))
        #expect(read(recent, after: last - 2 * minimum - 1) == nil)
        recent.append(changes(last + 1...last + 5 * minimum), at: 4)
        #expect(read(recent, after: last, limit: .max)?.count == Int(5 * minimum))
        #expect(read(recent, after: last - 1) == nil)
        recent.append(changes([recent.last + 1]), at: 4)
        #expect(read(recent, after: last) == nil)
        #expect(read(recent, after: recent.last - minimum, limit: .max)?.count == Int(minimum))
    }
}
