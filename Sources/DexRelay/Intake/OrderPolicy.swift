package import ZeroEx

/// The operator's own decision about orders, after every other check.
package protocol OrderPolicy: Sendable {
    /// One order's verdict; it fails closed: an error refuses the order.
    func verdict(on question: PolicyQuestion) async throws(OrderPolicyError) -> PolicyVerdict
}

/// What a policy is told of an order.
package struct PolicyQuestion: Sendable {
    package let entry: OrderEntry
    package let version: ProtocolVersion
    package let standing: OrderStanding
    /// The address that posted it, as the relay counts it.
    package let client: String
}

/// The verdict of the operator's policy.
package enum PolicyVerdict: Hashable, Sendable {
    case accept
    /// Refused with this reason.
    case reject(reason: String)
    /// Accepted and stored, but not shown.
    case hide
}

/// The reason why a policy gave no verdict.
package enum OrderPolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    case unavailable(reason: String)

    package var description: String {
        switch self {
        case .unavailable(let reason): "The relay's policy gave no verdict: \(reason)."
        }
    }
}
