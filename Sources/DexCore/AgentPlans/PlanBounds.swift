import DexSigning
package import Ethereum
import ZeroEx

/// What a plan of an agent may take and has to bring, whatever the market does until it is signed.
package struct PlanBounds: Hashable, Sendable {
    package let account: Address
    package let chainID: UInt64
    package let limits: Limits
    /// The contracts that are called.
    var contracts: Set<Address> = []
    /// Who gets an allowance of which token, at most.
    var allowances: [TokenSpender: UInt256] = [:]
    /// How it is planned again.
    let terms: PlanTerms

    init(account: Address, chainID: UInt64, limits: Limits, terms: PlanTerms) {
        self.account = account
        self.chainID = chainID
        self.limits = limits
        self.terms = terms
    }

    /// Who gets an allowance; nil if nobody does, or several do.
    package var spender: Address? {
        let spenders = Set(allowances.keys.map(\.spender))
        return spenders.count == 1 ? spenders.first : nil
    }

    /// The decimals of the pair's tokens, as they were planned with.
    package var decimals: [Address: UInt8] {
        switch terms {
        case .trade(let pair, _, _, _), .order(let pair, _, _, _): pair.decimals
        case .cancel: [:]
        }
    }

    /// Why a new plan of the same is beyond these, as a sentence; nil if it keeps them.
    func excess(of new: PlanBounds) -> String? {
        guard new.account == account, new.chainID == chainID else {
            return "It is of another account or chain."
        }
        if let reason = limits.excess(of: new.limits) { return reason }
        guard new.contracts.isSubset(of: contracts) else {
            return "It would call another contract."
        }
        for (key, amount) in new.allowances where amount > allowances[key] ?? .zero {
            return "It would give an allowance that was not planned."
        }
        switch (terms, new.terms) {
        case (.trade(let pair, let venue, _, _), .trade(let newPair, let newVenue, _, _)):
            return pair == newPair && venue == newVenue ? nil : "It would be another trade."
        case (.order, .order): return terms == new.terms ? nil : "The order would be another one."
        case (.cancel(let orders), .cancel(let left)):
            return Set(left).isSubset(of: orders) ? nil : "It would cancel another order."
        default: return "It would be something else."
        }
    }
}

extension PlanBounds {
    /// The bounds of a plan that an agent may make; nil for any other.
    ///
    /// - Parameter signer: reads what each transaction does.
    init?<Content>(_ plan: Plan<Content>, chainID: UInt64, _ signer: AuthorizedSigner) {
        guard let terms = plan.terms else { return nil }
        var limits = plan.limits
        // It is planned again when it is carried out.
        limits.validUntil = nil
        self.init(
            account: plan.content.account,
            chainID: chainID,
            limits: limits,
            terms: terms
        )
        for signature in plan.signatures {
            guard case .transaction(let transaction) = signature.content else { continue }
            if let to = transaction.to { contracts.insert(to) }
            let effects = signer.effects(of: transaction, terms: signature.terms)
            for approval in effects.approvals {
                let key = TokenSpender(token: approval.token, spender: approval.spender)
                allowances[key] = (allowances[key] ?? .zero).addingSaturating(approval.amount)
            }
        }
    }
}
