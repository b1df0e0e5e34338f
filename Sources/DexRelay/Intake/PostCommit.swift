import Logging
import ZeroEx

/// Commits posts together: one decision about all, then one write to disk.
struct PostCommit: Sendable {
    private let parts: PostQueue.Parts

    init(_ parts: PostQueue.Parts) {
        self.parts = parts
    }

    /// Answers posts that passed all else.
    func settle(_ posts: [PendingPost]) async {
        guard !posts.isEmpty else { return }
        for (post, outcome) in zip(posts, await results(of: posts.map(\.audited))) {
            post.answer(outcome)
        }
    }

    /// For each post how many of its orders came into the book, or why it was refused.
    private func results(
        of posts: [[AuditedOrder]]
    ) async -> [Result<Int, OrderIntake.RefusedPost>] {
        let configuration = parts.live.current
        let (refusals, admitted) = parts.book.read { index in
            PostAdmission.decision(on: posts, index, configuration, parts.holdings)
        }
        let written: Set<OrderHash>
        do throws(OrderStoreError) {
            written = try await write(admitted)
        } catch {
            parts.logger.error("Orders cannot be stored: \(error)")
            let refusal: OrderRefusal =
                if case .unknown = error { .storeUnsure } else { .storeUnavailable }
            return zip(posts, refusals).map { post, refused in
                .failure(
                    refused
                        ?? OrderIntake.RefusedPost(post.first?.index ?? 0, refusal, cause: error)
                )
            }
        }
        // An order of several posts counts for the first.
        var left = written
        return zip(posts, refusals).map { post, refused in
            if let refused { return .failure(refused) }
            return .success(post.count { left.remove($0.entry.hash) != nil })
        }
    }

    /// - Returns: the orders that came into the book.
    private func write(_ admitted: PostAdmission) async throws(OrderStoreError) -> Set<OrderHash> {
        guard !admitted.added.isEmpty || !admitted.revived.isEmpty else { return [] }
        let now = parts.now()
        var batch = OrderBatch()
        batch.added = admitted.added.map { order in
            ListedOrder(
                hash: order.entry.hash,
                version: parts.exchangeProtocol.version,
                maker: order.entry.maker,
                direction: order.entry.direction,
                body: order.text,
                receivedAt: now,
                state: order.state,
                standing: order.standing,
                since: now
            )
        }
        batch.updated = admitted.revived.map { order in
            OrderBatch.Update(
                hash: order.entry.hash,
                state: order.state,
                standing: order.standing,
                expected: .dormant
            )
        }
        batch.updated += admitted.removed.map { entry, state in
            OrderBatch.Update(
                hash: entry.hash,
                state: .removed,
                standing: OrderStanding(fillable: .zero, isPartlyFilled: false),
                expected: state
            )
        }
        let entries = (admitted.added + admitted.revived).map(\.entry)
        let made = try await parts.ledger.commit(batch, entries: entries)
        return Set(made.lazy.filter { !$0.order.state.isGone }.map(\.order.hash))
    }
}
