import Ethereum

/// Waits for the node's next block, for posts whose makers seem unfunded.
///
/// The node may be behind the maker's. One reader asks for all that wait, and nothing is asked
/// while nobody waits.
actor NextBlock {
    private let latest: @Sendable () async throws(ChainError) -> BlockHash
    private let sleep: @Sendable (Duration) async throws -> Void
    private var waiters: [UInt64: Waiter] = [:]
    private var lastID: UInt64 = 0
    private var isReading = false

    private struct Waiter {
        let continuation: CheckedContinuation<Bool, Never>
        /// The first block that was seen while it waits.
        var block: BlockHash?
        var roundsLeft: Int
    }

    /// The time between two questions, in milliseconds.
    static let interval = 200
    /// The most posts that wait.
    static let maximumWaiting = 256

    init(
        latest: @escaping @Sendable () async throws(ChainError) -> BlockHash,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.latest = latest
        self.sleep = sleep
    }

    /// The posts that wait.
    var count: Int { waiters.count }

    /// Waits until there is another block, or this long.
    ///
    /// - Returns: false at once if too many wait already, and if the caller was cancelled.
    func wait(milliseconds: Int) async -> Bool {
        guard waiters.count < Self.maximumWaiting else { return false }
        lastID &+= 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else {
                    continuation.resume(returning: false)
                    return
                }
                waiters[id] = Waiter(
                    continuation: continuation,
                    roundsLeft: max(1, milliseconds / Self.interval)
                )
                guard !isReading else { return }
                isReading = true
                // A task of its own: a caller that leaves must not cancel it for the others.
                Task { await run() }
            }
        } onCancel: {
            Task { await leave(id) }
        }
    }

    private func leave(_ id: UInt64) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: false)
    }

    private func run() async {
        while !waiters.isEmpty {
            await look()
            try? await sleep(.milliseconds(Self.interval))  // nobody cancels this task
            for (id, waiter) in waiters {
                waiters[id]?.roundsLeft -= 1
                if waiter.roundsLeft <= 1 { end(id) }
            }
        }
        isReading = false
    }

    private func look() async {
        let deadline = Deadline(limit: .milliseconds(5 * Self.interval), sleep: sleep)
        let answer = await deadline.result { [latest] in
            await Result { () async throws(ChainError) in try await latest() }
        }
        guard case .success(let block) = answer else { return }
        for (id, waiter) in waiters {
            guard let first = waiter.block else {
                waiters[id]?.block = block
                continue
            }
            if first != block { end(id) }
        }
    }

    private func end(_ id: UInt64) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: true)
    }
}
