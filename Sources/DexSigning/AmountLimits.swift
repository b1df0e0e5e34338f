package import Ethereum
import ZeroEx

/// Another chain where an order without a chain could be filled, with a policy's amounts there.
package struct OtherChain: Hashable, Sendable {
    /// A network on it, for messages.
    package let network: String
    package let chainID: UInt64
    package let coin: CoinSymbol
    /// The exchanges there that take such orders.
    package let exchanges: Set<Address>
    /// The token of their fees, if known.
    package let feeToken: Address?
    /// The bundled exchanges' contracts there that receive allowances.
    package let transferContracts: Set<Address>
    /// The most in one order.
    package var perTrade: [Asset: UInt256] = [:]
    /// The most in 24 hours.
    package var perDay: [Asset: UInt256] = [:]
    /// Symbols and decimals of the assets.
    package var tokenNames: [Address: Token] = [:]

    package init(
        network: String,
        chainID: UInt64,
        coin: CoinSymbol,
        exchanges: Set<Address>,
        feeToken: Address?,
        transferContracts: Set<Address>
    ) {
        self.network = network
        self.chainID = chainID
        self.coin = coin
        self.exchanges = exchanges
        self.feeToken = feeToken
        self.transferContracts = transferContracts
    }
}

extension Policy {
    /// The limits of a request's chain; for an order without a chain, those of every possible one.
    func limits(for request: SigningRequest) -> [AmountLimits] {
        let own = AmountLimits(self, request.scope)
        guard case .order(let draft) = request.content, request.holdsOnEveryChain else {
            return [own]
        }
        let others = otherChains.filter {
            $0.chainID != request.scope.chainID && $0.exchanges.contains(draft.exchange)
        }
        return [own] + others.map { AmountLimits(self, $0) }
    }

    /// The amounts that count for a day's limits on a network's chain.
    package func spent(_ ledger: SpendingLedger, _ scope: SigningScope) -> [Asset: UInt256] {
        AmountLimits(self, scope).spent(ledger, besides: nil)
    }
}

/// The amounts of a policy on one chain.
struct AmountLimits {
    private let policy: Policy
    private let chainID: UInt64
    private let feeToken: Address?
    private let transferContracts: Set<Address>
    /// nil for the chain of the network in use.
    let chain: OtherChain?

    var isElsewhere: Bool { chain != nil }

    init(_ policy: Policy, _ scope: SigningScope) {
        self.policy = policy
        chainID = scope.chainID
        feeToken = scope.feeToken
        transferContracts = scope.transferContracts
        chain = nil
    }

    init(_ policy: Policy, _ chain: OtherChain) {
        var there = Policy(source: policy.source, coin: chain.coin)
        there.spenders = policy.spenders
        there.perTrade = chain.perTrade
        there.perDay = chain.perDay
        there.tokenNames = chain.tokenNames
        // A token of that chain without a limit is unlimited, even if it shares a limited name.
        self.policy = there
        chainID = chain.chainID
        feeToken = chain.feeToken
        transferContracts = chain.transferContracts
        self.chain = chain
    }

    /// Spenders whose allowances do not count.
    ///
    /// They are contracts that move only what was counted at signing, and spenders that the user
    /// trusts.
    private var trusted: Set<Address> {
        transferContracts.union(policy.spenders ?? [])
    }

    func spent(_ ledger: SpendingLedger, besides slot: String?) -> [Asset: UInt256] {
        ledger.spent(
            on: chainID,
            feeToken: feeToken,
            trusted: trusted,
            countsGas: policy.countsGas,
            besides: slot
        )
    }

    /// - Throws: `Policy.Refusal` if an amount is beyond its limit.
    func check(
        _ effects: SigningEffects,
        ledger: SpendingLedger,
        besides slot: String?,
        _ rules: inout [String]
    ) throws(Policy.Refusal) {
        guard policy.boundsAmounts else { return }
        if isElsewhere, effects.hasUnknownFee {
            throw Policy.Refusal(
                rule: "tokens",
                reason: "it has fees in a token that is not known\(there)"
            )
        }
        try checkAllowances(effects.approvals, &rules)
        let drawable = SigningEffects.drawable(effects.approvals, trusted: trusted)
        var taken = effects.paid.merging(drawable) { $0.addingSaturating($1) }
        if policy.countsGas, let gas = effects.maximumFee, gas > .zero {
            taken[.ether] = (taken[.ether] ?? .zero).addingSaturating(gas.rawValue)
        }
        guard !taken.isEmpty else { return }
        let spent = policy.perDay.isEmpty ? [:] : spent(ledger, besides: slot)
        for (asset, amount) in taken.sorted(by: { $0.key.text < $1.key.text }) {
            try checkIsLimited(asset)
            try checkTrade(asset, amount, &rules)
            try checkDay(asset, amount, before: spent[asset] ?? .zero, &rules)
        }
    }

    private func checkTrade(
        _ asset: Asset,
        _ amount: UInt256,
        _ rules: inout [String]
    ) throws(Policy.Refusal) {
        guard let limit = policy.perTrade[asset] else { return }
        let rule = "max_per_trade.\(policy.name(asset))"
        rules.append(rule)
        guard amount <= limit else {
            throw Policy.Refusal(
                rule: rule,
                reason: "it may take \(policy.text(amount, asset))\(gasToo(asset))\(there), and "
                    + "\(policy.text(limit, asset)) are allowed at once"
            )
        }
    }

    private func checkDay(
        _ asset: Asset,
        _ amount: UInt256,
        before: UInt256,
        _ rules: inout [String]
    ) throws(Policy.Refusal) {
        guard let limit = policy.perDay[asset] else { return }
        let rule = "max_per_day.\(policy.name(asset))"
        rules.append("\(rule) (\(policy.text(before, asset)) before\(there))")
        guard before.addingSaturating(amount) <= limit else {
            throw Policy.Refusal(
                rule: rule,
                reason: "it may take \(policy.text(amount, asset))\(gasToo(asset))\(there) after "
                    + "\(policy.text(before, asset)) in the last 24 hours, open orders and "
                    + "allowances included, and \(policy.text(limit, asset)) are allowed"
            )
        }
    }

    /// Of ether: gas is part of the amount.
    private func gasToo(_ asset: Asset) -> String {
        asset == .ether ? " (gas included)" : ""
    }

    /// No allowance may exceed what may leave, except for `spenders`.
    ///
    /// What others may take by a signed message counts as paid, whoever they are.
    private func checkAllowances(
        _ approvals: [SigningEffects.Approval],
        _ rules: inout [String]
    ) throws(Policy.Refusal) {
        for approval in approvals where approval.amount > .zero {
            let asset = Asset.token(approval.token)
            try checkIsLimited(asset)
            guard approval.kind == .allowance,
                let limit = policy.perTrade[asset] ?? policy.perDay[asset],
                policy.spenders?.contains(approval.spender) != true
            else { continue }
            let rule =
                (policy.perTrade[asset] == nil ? "max_per_day." : "max_per_trade.")
                + policy.name(asset)
            rules.append(rule)
            guard approval.amount <= limit else {
                let amount =
                    approval.amount == .max ? "everything" : policy.text(approval.amount, asset)
                throw Policy.Refusal(
                    rule: rule,
                    reason: "\(approval.spender.checksummed) could take \(amount), and "
                        + "\(policy.text(limit, asset)) are allowed unless `spenders` lists it"
                )
            }
        }
    }

    private func checkIsLimited(_ asset: Asset) throws(Policy.Refusal) {
        guard policy.limitsEverything, policy.perTrade[asset] == nil, policy.perDay[asset] == nil
        else { return }
        throw Policy.Refusal(
            rule: "max_per_trade",
            reason: "\(policy.name(asset)) has no limit, and only what has one may leave the "
                + "account"
        )
    }

    /// The chain, unless it is the chain of the network in use.
    private var there: String {
        chain.map { " on \($0.network) too (chain \($0.chainID))" } ?? ""
    }
}
