import Synchronization

/// Joins the work of many callers: what comes while a batch is under way makes the next batch.
///
/// One batch is under way at a time. A caller that is alone waits for no other: there is no timer.
final class BatchQueue<Element: Sendable, Output: Sendable>: Sendable {
    enum Failure: Error, Hashable {
        /// So much waits already that this would be too much.
        case full
        /// The caller was cancelled before its batch began.
        case cancelled
    }

    /// The most weight of a batch; a heavier element is a batch of its own.
    private let mostTogether: Int
    /// The most weight that waits for the next batches.
    private let mostWaiting: Int
    private let work: @Sendable ([Element]) async -> [Output]
    private let state = Mutex(State())

    private typealias Continuation = CheckedContinuation<Result<Output, Failure>, Never>

    private struct Waiter {
        let id: UInt64
        let element: Element
        let weight: Int
        let continuation: Continuation
    }

    private struct State {
        var waiting: [Waiter] = []
        var weight = 0
        var isRunning = false
        var lastID: UInt64 = 0
    }

    /// - Parameter work: gives one output for each element, in their order.
    init(
        mostTogether: Int,
        mostWaiting: Int,
        work: @escaping @Sendable ([Element]) async -> [Output]
    ) {
        self.mostTogether = mostTogether
        self.mostWaiting = mostWaiting
        self.work = work
    }

    /// The weight that waits for the next batches.
    var waiting: Int {
        state.withLock { $0.weight }
    }

    /// Waits for an element's turn and for its output.
    ///
    /// Once its batch has begun, a cancelled caller still waits for the output: it is done all the
    /// same, and the caller should know.
    func submit(_ element: Element, weight: Int = 1) async throws(Failure) -> Output {
        let id = state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(
                    Waiter(
                        id: id,
                        element: element,
                        weight: weight,
                        continuation: continuation
                    )
                )
            }
        } onCancel: {
            leave(id)
        }
        return try result.get()
    }

    private func enter(_ waiter: Waiter) {
        let (refusal, starts) = state.withLock { state -> (Failure?, Bool) in
            // Under the lock: a later cancellation finds the waiter.
            if Task.isCancelled { return (.cancelled, false) }
            let (weight, overflow) = state.weight.addingReportingOverflow(waiter.weight)
            if overflow || weight > mostWaiting { return (.full, false) }
            state.waiting.append(waiter)
            state.weight = weight
            let starts = !state.isRunning
            state.isRunning = true
            return (nil, starts)
        }
        if let refusal { waiter.continuation.resume(returning: .failure(refusal)) }
        // A task of its own: a caller that leaves must not cancel the work of the others.
        if starts { Task { await run() } }
    }

    private func leave(_ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            let waiter = state.waiting.remove(at: index)
            state.weight -= waiter.weight
            return waiter
        }
        waiter?.continuation.resume(returning: .failure(.cancelled))
    }

    @concurrent
    private func run() async {
        while let batch = next() {
            let outputs = await work(batch.map(\.element))
            for (index, waiter) in batch.enumerated() {
                let output: Result<Output, Failure> =
                    outputs.indices.contains(index)
                    ? .success(outputs[index]) : .failure(.cancelled)
                waiter.continuation.resume(returning: output)
            }
        }
    }

    /// The next batch; nil ends the run.
    private func next() -> [Waiter]? {
        state.withLock { state in
            var count = 0
            var weight = 0
            for waiter in state.waiting {
                guard count == 0 || weight + waiter.weight <= mostTogether else { break }
                count += 1
                weight += waiter.weight
            }
            guard count > 0 else {
                state.isRunning = false
                return nil
            }
            let batch = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.weight -= weight
            return batch
        }
    }
}
