import Logging
import ZeroEx

/// The operator's verdicts on orders that passed every other check.
struct PolicyRound: Sendable {
    let policy: any OrderPolicy
    let version: ProtocolVersion
    let logger: Logger

    /// Asks about all orders at the same time.
    ///
    /// - Parameter client: the address that posts them.
    /// - Returns: in their order, the state in which each comes in, or why it is refused.
    func states(
        of orders: [AuditedOrder],
        from client: String
    ) async -> [Result<ListingState, OrderRefusal>] {
        await withTaskGroup(of: (Int, Result<ListingState, OrderRefusal>).self) { group in
            for (place, order) in orders.enumerated() {
                let question = PolicyQuestion(
                    entry: order.entry,
                    version: version,
                    standing: order.standing,
                    client: client
                )
                group.addTask { (place, await state(question)) }
            }
            // It fails closed.
            var states = [Result<ListingState, OrderRefusal>](
                repeating: .failure(.policyUnavailable),
                count: orders.count
            )
            for await (place, state) in group { states[place] = state }
            return states
        }
    }

    private func state(_ question: PolicyQuestion) async -> Result<ListingState, OrderRefusal> {
        do throws(OrderPolicyError) {
            switch try await policy.verdict(on: question) {
            case .accept: return .success(.shown)
            case .hide: return .success(.hidden)
            case .reject(let reason): return .failure(.rejectedByPolicy(reason: reason))
            }
        } catch {
            logger.warning("\(error)")
            return .failure(.policyUnavailable)
        }
    }
}
