/// A limit for an operation whose end depends on others: a node, a program.
struct Deadline: Sendable {
    let limit: Duration
    /// Waits, or throws as soon as it is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    /// The operation's result; nil if the limit passed first, and then the operation is cancelled.
    func result<Value: Sendable>(
        of operation: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await operation() }
            group.addTask { [sleep, limit] in
                try? await sleep(limit)  // cancelled: the operation has ended, or its caller left
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
