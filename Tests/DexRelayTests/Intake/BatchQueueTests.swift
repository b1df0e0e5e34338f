import DexTestSupport
import Testing

@testable import DexRelay

@Suite struct BatchQueueTests {
    /// A queue of numbers that weigh what they are, at least 1; it notes its batches, and holds each
    /// until the gate opens.
    private func queue(
        _ gate: Gate,
        _ batches: Collected<[Int]>,
        maximumTogether: Int = 1_000,
        maximumWaiting: Int = 10_000
    ) -> BatchQueue<Int> {
        BatchQueue(
            maximumTogether: maximumTogether,
            maximumWaiting: maximumWaiting,
            weight: { max(1, $0) }
        ) {
            numbers,
            _ in
            batches.append(numbers)
            await gate.pass()
        }
    }

    /// Returns once so many batches have begun.
    private func wait(for count: Int, _ batches: Collected<[Int]>) async throws {
        try await until("\(count) batches") { batches.values.count >= count }
    }

    @Test("what comes alone is a batch of its own, at once")
    func alone() async throws {
        let gate = Gate()
        gate.open()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches)
        #expect(queue.enter([4]) == [])
        try await wait(for: 1, batches)
        try await until("an empty queue") { queue.waiting == 0 }
        #expect(queue.enter([5]) == [])
        try await wait(for: 2, batches)
        #expect(batches.values == [[4], [5]])
        #expect(queue.enter([]) == [])
        #expect(queue.waiting == 0)
    }

    @Test("what comes while a batch is under way is one batch, in its order")
    func joined() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches)
        #expect(queue.enter([0]) == [])
        try await gate.waitForArrivals(1)
        for number in 1...20 { #expect(queue.enter([number]) == []) }
        #expect(queue.enter(Array(21...40)) == [])
        #expect(queue.waiting == 820)
        gate.open()
        try await wait(for: 2, batches)
        #expect(batches.values == [[0], Array(1...40)])
        #expect(queue.waiting == 0)
    }

    @Test("a batch has at most so much weight, and a heavier element is one of its own")
    func weights() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches, maximumTogether: 10)
        #expect(queue.enter([0]) == [])
        try await gate.waitForArrivals(1)
        #expect(queue.enter([4, 6, 50, 1]) == [])
        gate.open()
        try await wait(for: 4, batches)
        #expect(batches.values == [[0], [4, 6], [50], [1]])
        #expect(queue.waiting == 0)
    }

    @Test("beyond the bound elements come back at once, and the others are served")
    func full() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches, maximumWaiting: 3)
        #expect(queue.enter([0]) == [])
        try await gate.waitForArrivals(1)
        #expect(queue.enter([1, 5, 2, 1]) == [5, 1])
        #expect(queue.enter([Int.max, 1]) == [Int.max, 1])
        #expect(queue.waiting == 3)
        gate.open()
        try await wait(for: 2, batches)
        #expect(batches.values == [[0], [1, 2]])
        #expect(queue.enter([Int.max]) == [Int.max])
    }

    @Test("what is withdrawn before its batch frees its place; what is in a batch is not found")
    func withdrawn() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches, maximumWaiting: 3)
        #expect(queue.enter([1]) == [])
        try await gate.waitForArrivals(1)
        #expect(queue.enter([2]) == [])
        #expect(queue.withdraw { $0 == 1 } == nil)
        #expect(queue.withdraw { $0 == 2 } == 2)
        #expect(queue.withdraw { $0 == 2 } == nil)
        #expect(queue.waiting == 0)
        #expect(queue.enter([3]) == [])
        gate.open()
        try await wait(for: 2, batches)
        #expect(batches.values == [[1], [3]])
    }

    @Test("an element may enter the queue again from its batch")
    func again() async throws {
        let batches = Collected<[Int]>()
        let queue = BatchQueue<Int>(maximumTogether: 10, maximumWaiting: 10, weight: { _ in 1 }) {
            numbers,
            queue in
            batches.append(numbers)
            #expect(queue.enter(numbers.filter { $0 > 0 }.map { $0 - 1 }) == [])
        }
        #expect(queue.enter([2, 1]) == [])
        try await wait(for: 3, batches)
        #expect(batches.values == [[2, 1], [1, 0], [0]])
    }
}
