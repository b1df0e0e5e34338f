import Ethereum
import Synchronization
package import ZeroEx

/// The import of orders by the relay's administrator.
extension OrderIntake {
    /// Accepts many orders, each like a posted one, for the client `import`.
    ///
    /// Left out are the fees, which may follow an earlier schedule, the distance from the market,
    /// and what is asked of one maker or one address.
    ///
    /// - Throws: `ChainError` or the store's error. Then some were accepted, and the same import can
    ///   be repeated.
    @concurrent
    package func add(_ orders: [any SignedOrder]) async throws -> BulkOutcome {
        var outcome = BulkOutcome()
        for chunk in orders.chunks(of: Self.maximumImported) {
            let outcomes = await imported(chunk)
            let isAnswered = outcomes.contains { (try? $0.get()) != nil }  // a refusal is no answer
            for (order, imported) in zip(chunk, outcomes) {
                switch imported {
                case .success(0): outcome.known += 1
                case .success: outcome.added += 1
                case .failure(let refused):
                    // One order can spoil the node's answers about it alone.
                    if let cause = refused.cause {
                        let concernsOne = (cause as? ChainError)?.mayConcernOneQuestion ?? false
                        guard concernsOne, isAnswered else { throw cause }
                    }
                    outcome.refused.append((order.hash, refused.refusals))
                }
            }
            try Task.checkCancellation()
        }
        return outcome
    }

    /// Fewer at once than a policy program's waiting questions.
    private static let maximumImported = 256

    /// The outcome of each of some imported orders, which are posts of their own.
    private func imported(_ orders: [any SignedOrder]) async -> [PendingPost.Outcome] {
        guard !orders.isEmpty else { return [] }
        let configuration = configuration
        return await withCheckedContinuation { continuation in
            let outcomes = ImportOutcomes(count: orders.count) {
                continuation.resume(returning: $0)
            }
            var posts: [PendingPost] = []
            for (place, order) in orders.enumerated() {
                do throws(OrderRefusals) {
                    try checkTerms(of: order, configuration)
                } catch {
                    outcomes.settle(place, .failure(RefusedPost(index: 0, refusals: error)))
                    continue
                }
                let known = book.read { $0.listing(order.hash) }
                let part = PendingPost.Order(index: 0, PostedOrder(order))
                posts.append(
                    PendingPost(
                        PendingPost.Posted(
                            id: queue.nextID(),
                            client: "import",
                            isImport: true,
                            fresh: PostAdmission.isAccepted(known?.state) ? [] : [part],
                            unsigned: [part]
                        ) { outcomes.settle(place, $0) }
                    )
                )
            }
            queue.enter(posts, findRoom: true)
        }
    }
}

/// Collects the outcomes of orders that are settled on any thread, in any order.
private final class ImportOutcomes: Sendable {
    private let left: Mutex<(outcomes: [PendingPost.Outcome?], count: Int)>
    private let done: @Sendable ([PendingPost.Outcome]) -> Void

    /// - Parameter done: called once, when all are settled.
    init(count: Int, done: @escaping @Sendable ([PendingPost.Outcome]) -> Void) {
        left = Mutex((Array(repeating: nil, count: count), count))
        self.done = done
    }

    func settle(_ place: Int, _ outcome: PendingPost.Outcome) {
        let all = left.withLock { left -> [PendingPost.Outcome]? in
            left.outcomes[place] = outcome
            left.count -= 1
            return left.count == 0 ? left.outcomes.compactMap { $0 } : nil
        }
        if let all { done(all) }
    }
}
