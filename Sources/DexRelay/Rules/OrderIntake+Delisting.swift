import ZeroEx

/// What becomes of orders that the settings or the operator no longer carry.
extension OrderIntake {
    /// How many orders a round moved, by their new state.
    package typealias Moved = [ListingState: Int]

    /// Removes the open orders of pairs that the relay does not carry, and applies what the operator
    /// decided about orders, makers and pairs; the feed tells it.
    ///
    /// If a pair is carried again, its orders have to be posted again.
    package func delist() async throws(OrderStoreError) -> Moved {
        let configuration = configuration
        let moderation = configuration.moderation
        let (all, pairs) = book.read { index in
            let pairs = index.pairs.filter { configuration.sides(of: $0) == nil }
            return (pairs.isEmpty && moderation == Moderation() ? [] : index.all, pairs)
        }
        var changes: [(order: Listing, state: ListingState)] = []
        for order in all where !order.state.isGone {
            if pairs.contains(order.entry.direction.unordered) {
                changes.append((order, .removed))
            } else if let state = moderation.state(of: order) {
                changes.append((order, state))
            }
        }
        var moved: Moved = [:]
        for chunk in changes.chunks(of: 1_000) {
            var batch = OrderBatch()
            batch.updated = chunk.map { order, state in
                OrderBatch.Update(
                    hash: order.entry.hash,
                    state: state,
                    standing: state.isGone ? order.standing.ended : order.standing,
                    expected: order.state
                )
            }
            for change in try await ledger.commit(batch, entries: chunk.map(\.order.entry)) {
                moved[change.order.state, default: 0] += 1
            }
        }
        return moved
    }
}
