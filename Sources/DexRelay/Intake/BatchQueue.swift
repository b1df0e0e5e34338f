import Synchronization

/// Joins what many callers hand in: what comes while a batch is under way makes the next batch.
///
/// One batch is under way at a time. What comes alone waits for no other: there is no timer.
final class BatchQueue<Element: Sendable>: Sendable {
    /// The most weight of a batch; a heavier element is a batch of its own.
    private let maximumTogether: Int
    /// The most weight that waits for the next batches.
    private let maximumWaiting: Int
    private let weight: @Sendable (Element) -> Int
    private let work: @Sendable ([Element], BatchQueue<Element>) async -> Void
    private let state = Mutex(State())

    private struct State {
        var waiting: [Element] = []
        var weight = 0
        var isRunning = false
    }

    /// - Parameters:
    ///   - weight: how much of a batch an element is.
    ///   - work: does all that is to be done with a batch; an element may enter the queue again.
    init(
        maximumTogether: Int,
        maximumWaiting: Int,
        weight: @escaping @Sendable (Element) -> Int,
        work: @escaping @Sendable ([Element], BatchQueue<Element>) async -> Void
    ) {
        self.maximumTogether = maximumTogether
        self.maximumWaiting = maximumWaiting
        self.weight = weight
        self.work = work
    }

    /// The weight that waits for the next batches.
    var waiting: Int {
        state.withLock { $0.weight }
    }

    /// Hands elements in, in their order.
    ///
    /// - Parameter again: they find room in any case, as those that were in the queue before.
    /// - Returns: those for which there is no room, since so much waits already.
    func enter(_ elements: [Element], again: Bool = false) -> [Element] {
        guard !elements.isEmpty else { return [] }
        let (refused, starts) = state.withLock { state -> ([Element], Bool) in
            var refused: [Element] = []
            for element in elements {
                let (weight, overflow) = state.weight.addingReportingOverflow(weight(element))
                if overflow || !again && weight > maximumWaiting {
                    refused.append(element)
                } else {
                    state.waiting.append(element)
                    state.weight = weight
                }
            }
            let starts = !state.isRunning && !state.waiting.isEmpty
            if starts { state.isRunning = true }
            return (refused, starts)
        }
        // A task of its own: a caller that leaves must not cancel the work of the others.
        if starts { Task { await run() } }
        return refused
    }

    /// Takes out the first element that waits and fulfils a condition; nil if none does.
    func withdraw(where matches: (Element) -> Bool) -> Element? {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: matches) else { return nil }
            let element = state.waiting.remove(at: index)
            state.weight -= weight(element)
            return element
        }
    }

    @concurrent
    private func run() async {
        while let batch = next() { await work(batch, self) }
    }

    /// The next batch; nil ends the run.
    private func next() -> [Element]? {
        state.withLock { state in
            var count = 0
            var sum = 0
            for element in state.waiting {
                let weight = weight(element)
                guard count == 0 || sum + weight <= maximumTogether else { break }
                count += 1
                sum += weight
            }
            guard count > 0 else {
                state.isRunning = false
                return nil
            }
            state.weight -= sum
            guard count < state.waiting.count else {
                let batch = state.waiting
                state.waiting = []
                return batch
            }
            let batch = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            return batch
        }
    }
}
