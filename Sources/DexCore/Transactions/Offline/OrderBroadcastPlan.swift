import ZeroEx

/// A signed order of a file, checked against the chain, and the relays that get it.
package struct OrderBroadcastPlan: Sendable {
    package let row: OrdersState.Row
    package let block: UInt64
    /// Every relay's part.
    package let targets: [RelayTarget]
    package let warnings: [String]

    /// The relays that get it.
    package var relays: [String] { targets.filter { $0.part == .posts }.map(\.relay) }

    /// The relays that have it already.
    package var having: [String] { targets.filter { $0.part == .hasIt }.map(\.relay) }

    /// No relay lacks it: there is nothing to post.
    package var isPosted: Bool { relays.isEmpty && !having.isEmpty }
}

/// What became of an order of a file.
package struct OrderBroadcastOutcome: OperationOutcome {
    package let plan: OrderBroadcastPlan
    /// Each relay's answer; empty if nothing was posted.
    package let postings: [RelayPosting]

    package var transactions: [SentTransaction] { [] }

    package var warnings: [String] {
        if plan.isPosted, postings.isEmpty {
            return [
                "It stands on \(plan.having.joined(separator: ", ")) already: nothing was posted."
            ]
        }
        return OrderStep.warnings(postings, plan.row.order.hash)
    }

    package var error: DexError? {
        postings.areUnconfirmed ? OutcomeError.orderUnconfirmed : nil
    }
}
