import Ethereum
import ZeroEx

/// An agent's key on one network, under its grant and the rules of policy.toml.
///
/// What the grant forbids is refused here, whatever those rules allow.
struct GrantedKey: KeyHolder {
    let place = KeyPlace.agent
    private let grantPlace: AgentGrant.Place
    private let limited: AuthorizedSigner

    /// - Parameter log: counts signatures since the key was unlocked.
    init(
        _ grantPlace: AgentGrant.Place,
        key: any KeyHolder,
        log: MemoryAuditLog,
        recoverer: any SignatureRecovering,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.grantPlace = grantPlace
        limited = AuthorizedSigner(
            key: key,
            scope: grantPlace.scope,
            policy: grantPlace.policy,
            log: log,
            recoverer: recoverer,
            now: now
        )
    }

    var address: Address { limited.address }

    func check(_ planned: [PlannedRequest]) throws(SigningError) {
        for planned in planned { try admit(planned.request.content) }
        try limited.check(planned.map { ($0.request.content, $0.request.terms, $0.replacing) })
    }

    func signature(
        of authorized: AuthorizedRequest
    ) async throws(SigningError) -> Signature {
        let request = authorized.request
        try admit(request.content)
        return try await limited.signature(of: request.content, terms: request.terms)
    }

    /// Refuses what no limit could allow.
    private func admit(_ content: SigningRequest.Content) throws(SigningError) {
        switch content {
        // Chain, message, permit and typed data are checked where they are signed.
        case .transaction, .message, .permit, .typedData: break
        case .order(let draft):
            guard draft.exchange == grantPlace.scope.exchange, draft.maker == address else {
                throw .agentRefused(
                    reason: "it signs orders of its own account for the exchange of "
                        + "\(grantPlace.scope.network) only"
                )
            }
        }
    }
}
