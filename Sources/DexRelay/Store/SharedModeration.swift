/// The operator's decisions about orders in a store that all instances share.
package protocol SharedModeration: Sendable {
    /// All decisions, the latest last.
    func decisions() async throws(OrderStoreError) -> [ModerationDecision]

    /// Adds a decision behind the others, on disk when it returns.
    ///
    /// - Returns: the decision, with the time of the store's clock; never before an earlier one.
    func decide(
        _ action: Moderation.Action,
        _ subject: Moderation.Subject,
        reason: String?
    ) async throws(OrderStoreError) -> ModerationDecision

    /// Takes decisions of a file, each at its time; those that are there already are left out.
    ///
    /// - Returns: how many were added.
    func takeOver(_ decisions: [ModerationDecision]) async throws(OrderStoreError) -> Int

    /// An element at once, and whenever the operator may have changed something; ends when the store
    /// is closed.
    func operatorWakeUps() -> AsyncStream<Void>
}
