import Ethereum
import ZeroEx

extension Policy.Refusal {
    /// The rule of permits, which no file sets: they are signed for the swap venue alone.
    static let permitRule = "permits"
}

extension Policy {
    /// Checks that a permit is for the swap venue, whatever the rules are.
    static func check(
        _ permit: SwapPermit,
        _ request: SigningRequest
    ) throws(Refusal) {
        let scope = request.scope
        let reason: String
        if permit.chainID != scope.chainID {
            reason =
                "it is for chain \(permit.chainID), and \(scope.network) is chain "
                + "\(scope.chainID)"
        } else if let venue = scope.swap {
            let permit2 = venue.spender(.permit)
            if permit.contract != permit2 {
                reason =
                    "its contract is \(permit.contract.checksummed), and Permit2 is "
                    + permit2.checksummed
            } else if actsForAnyone.contains(permit.spender) {
                // A registry that names one lies, or a client of an unlocked key does.
                reason = anyone(permit.spender)
            } else if !request.terms.genuine.contains(permit.spender) {
                reason =
                    "\(permit.spender.checksummed), which could take the tokens, is none of "
                    + "the contracts that the registry of \(venue.name) names"
            } else {
                return
            }
        } else {
            reason = "\(scope.network) has no swap API"
        }
        throw Refusal(rule: Refusal.permitRule, reason: reason)
    }
}
