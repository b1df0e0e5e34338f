import DexSigning
package import Ethereum
import ZeroEx

/// What a plan of an agent may take and has to bring, whatever the market does until it is signed.
package struct PlanBounds: Hashable, Sendable {
    /// An amount of a token.
    package struct Amount: Hashable, Sendable {
        package let token: Address
        /// Base units.
        package let raw: UInt256

        package init(token: Address, raw: UInt256) {
            self.token = token
            self.raw = raw
        }
    }

    package let account: Address
    package let chainID: UInt64
    /// The most that leaves, fees in that token included; nil if nothing does.
    package var pays: Amount?
    /// The least that arrives; nil if nothing does.
    package var receives: Amount?
    /// The most fees beside the gas; nil without any.
    package var fees: Amount?
    /// The most that gas, a rollup and the exchange's own fee may cost.
    package var gas = Wei.zero
    /// The contracts that are called.
    var contracts: Set<Address> = []
    /// Who gets an allowance of which token, at most.
    var allowances: [TokenSpender: UInt256] = [:]
    /// How it is planned again.
    let terms: PlanTerms

    init(account: Address, chainID: UInt64, terms: PlanTerms) {
        self.account = account
        self.chainID = chainID
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
        if let reason = Self.above(new.pays, pays, "It would take") { return reason }
        if let least = receives {
            guard let now = new.receives, now.token == least.token, now.raw >= least.raw else {
                return "Less may arrive than its least."
            }
        }
        if let reason = Self.above(new.fees, fees, "Its fees would be") { return reason }
        guard new.gas <= gas else { return "Its gas may cost more than its most." }
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

    private static func above(_ new: Amount?, _ most: Amount?, _ words: String) -> String? {
        guard let new, new.raw > .zero else { return nil }
        guard let most, new.token == most.token else { return "\(words) another token." }
        return new.raw <= most.raw ? nil : "\(words) more than its most."
    }
}

extension PlanBounds {
    /// The contracts and allowances of planned signatures.
    mutating func add(_ signatures: [PlannedSignature], _ signer: AuthorizedSigner) {
        for signature in signatures {
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
