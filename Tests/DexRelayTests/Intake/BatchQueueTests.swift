import Testing

@testable import DexRelay

@Suite struct BatchQueueTests {
    /// A queue that doubles numbers, notes its batches, and holds each until the gate opens.
    private func queue(
        _ gate: Gate,
        _ batches: Collected<[Int]>,
        mostTogether: Int = 100,
        mostWaiting: Int = 1_000
    ) -> BatchQueue<Int, Int> {
        BatchQueue(mostTogether: mostTogether, mostWaiting: mostWaiting) { numbers in
            batches.append(numbers)
            await gate.pass()
            return numbers.map { $0 * 2 }
        }
    }

    private func wait(for count: Int, in queue: BatchQueue<Int, Int>) async {
        while queue.waiting < count { await Task.yield() }
    }

    @Test("a lone caller gets its own output at once, in a batch of its own")
    func alone() async throws {
        let gate = Gate()
        gate.open()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches)
        #expect(try await queue.submit(4) == 8)
        #expect(try await queue.submit(5) == 10)
        #expect(batches.values == [[4], [5]])
    }

    @Test("what comes while a batch is under way is one batch, and each gets its own output")
    func joined() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches)
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            group.addTask { (0, try await queue.submit(0)) }
            await gate.waitForArrivals(1)
            for number in 1...40 { group.addTask { (number, try await queue.submit(number)) } }
            await wait(for: 40, in: queue)
            gate.open()
            for try await (number, output) in group { #expect(output == number * 2) }
        }
        #expect(batches.values.map(\.count) == [1, 40])
        #expect(batches.values.last?.sorted() == Array(1...40))
    }

    @Test("a batch has at most so much weight, and a heavier element is one of its own")
    func weights() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches, mostTogether: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await queue.submit(0) }
            await gate.waitForArrivals(1)
            var weight = 0
            for heaviness in [4, 6, 50, 1] {
                group.addTask { _ = try await queue.submit(heaviness, weight: heaviness) }
                weight += heaviness
                await wait(for: weight, in: queue)
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(batches.values == [[0], [4, 6], [50], [1]])
        #expect(queue.waiting == 0)
    }

    @Test("beyond the bound a caller is refused at once, and the others are served")
    func full() async throws {
        let gate = Gate()
        let queue = queue(gate, Collected(), mostWaiting: 3)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await queue.submit(0) }
            await gate.waitForArrivals(1)
            for number in 1...3 { group.addTask { try await queue.submit(number) } }
            await wait(for: 3, in: queue)
            await #expect(throws: BatchQueue<Int, Int>.Failure.full) {
                try await queue.submit(9)
            }
            await #expect(throws: BatchQueue<Int, Int>.Failure.full) {
                try await queue.submit(9, weight: Int.max)
            }
            gate.open()
            var outputs: Set<Int> = []
            for try await output in group { outputs.insert(output) }
            #expect(outputs == [0, 2, 4, 6])
        }
    }

    @Test("a caller that leaves before its batch frees its place; in a batch it gets its output")
    func cancelled() async throws {
        let gate = Gate()
        let batches = Collected<[Int]>()
        let queue = queue(gate, batches, mostWaiting: 1)
        let underWay = Task { try await queue.submit(1) }
        await gate.waitForArrivals(1)
        let waiting = Task { try await queue.submit(2) }
        await wait(for: 1, in: queue)
        waiting.cancel()
        await #expect(throws: BatchQueue<Int, Int>.Failure.cancelled) { try await waiting.value }
        #expect(queue.waiting == 0)
        underWay.cancel()
        let next = Task { try await queue.submit(3) }
        await wait(for: 1, in: queue)
        gate.open()
        #expect(try await underWay.value == 2)
        #expect(try await next.value == 6)
        #expect(batches.values == [[1], [3]])
    }

    @Test("a caller that is cancelled already never enters")
    func cancelledBefore() async {
        let queue = queue(Gate(), Collected())
        let started = Gate()
        let task = Task {
            await started.pass()
            return try await queue.submit(1)
        }
        await started.waitForArrivals(1)
        task.cancel()
        started.open()
        await #expect(throws: BatchQueue<Int, Int>.Failure.cancelled) { try await task.value }
        #expect(queue.waiting == 0)
    }

    @Test("work that gives too few outputs leaves nobody waiting for ever")
    func tooFew() async throws {
        let gate = Gate()
        let queue = BatchQueue<Int, Int>(mostTogether: 10, mostWaiting: 10) { _ in
            await gate.pass()
            return []
        }
        gate.open()
        await #expect(throws: BatchQueue<Int, Int>.Failure.cancelled) { try await queue.submit(1) }
    }
}
