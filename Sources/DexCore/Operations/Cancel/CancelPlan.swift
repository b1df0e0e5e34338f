package import Ethereum

/// The plan of a cancel: the orders that end; without an open one there is nothing to sign.
package struct CancelPlan: PlanContent {
    package typealias Outcome = CancelOutcome

    package let account: Address
    package let orders: [OrdersState.Row]
    /// The orders of the request that are not open any more, and are left out.
    package var closed: [OrdersState.Row] = []
    package let steps: [PlannedTransaction]
    /// nil without an open order.
    package let gas: GasPlan?
    /// The relays that did not answer: orders that only they have are missing.
    package var unread: [String] = []
    package let warnings: [String]
}

/// Counts of orders that nobody can fill any more.
package enum ClosedOrders {
    /// How many are in each state, the most frequent first.
    package static func counts(
        _ rows: [OrdersState.Row]
    ) -> [(standing: OrdersState.Standing, count: Int)] {
        Dictionary(grouping: rows, by: \.standing)
            .map { (standing: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.standing.rawValue) < ($0.count, $1.standing.rawValue) }
    }
}
