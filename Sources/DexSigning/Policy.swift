package import Ethereum

/// What may be signed: the rules of policy.toml, or the limits of an unlocked key.
///
/// A rule that is not set allows everything. Amounts are base units; what is paid, sold and sent
/// counts, gas does not.
package struct Policy: Hashable, Sendable {
    /// Where the rules are from, for messages: a path.
    package var source: String
    /// Names of networks.
    package var networks: [String]?
    /// What may be paid, received, sent or approved.
    package var tokens: Set<Asset>?
    /// Contracts that may be called, and may be given allowances of any size.
    package var spenders: Set<Address>?
    /// Who may be sent ether and tokens.
    package var recipients: Set<Address>?
    /// The most that the gas of one transaction may cost.
    package var maximumFee: Wei?
    /// In hundredths of a percent.
    package var maximumSlippage: UInt64?
    /// The most in one transaction or order.
    package var perTrade: [Asset: UInt256] = [:]
    /// The most in 24 hours.
    package var perDay: [Asset: UInt256] = [:]
    /// What has no limit of its own may not leave at all.
    package var limitsEverything = false
    /// What the assets are called and how they are counted.
    package var tokenNames: [Address: Token] = [:]

    /// Rules that allow everything.
    package init(source: String) {
        self.source = source
    }

    /// The length of a day, in seconds.
    package static let day: UInt64 = 86_400

    /// Something is said about what may leave the account.
    package var boundsMoney: Bool {
        tokens != nil || recipients != nil || !perTrade.isEmpty || !perDay.isEmpty
            || limitsEverything
    }

    /// Something is said that an order may break.
    package var boundsOrders: Bool {
        boundsMoney || networks != nil || spenders != nil
    }

    /// Why something is not signed.
    package struct Refusal: Error, Hashable, Sendable {
        /// The rule as it is written: `max_per_day.WETH`.
        package let rule: String
        /// What it allows and what was asked for, as the rest of a sentence.
        package let reason: String
    }

    /// Decides on something that is to be signed.
    ///
    /// - Parameter spent: what left the accounts on this chain in the last 24 hours.
    /// - Returns: the rules that it was held against, for the log.
    /// - Throws: `Refusal` by the first rule that forbids it.
    package func decide(
        _ request: SigningRequest,
        _ effects: SigningEffects,
        spent: [Asset: UInt256]
    ) throws(Refusal) -> [String] {
        var rules: [String] = []
        if case .message(let bytes) = request.content {
            // An order of 0x v1 is signed as a message of 32 bytes: it must be seen as an order.
            guard bytes.count != 32 || !boundsOrders else {
                throw Refusal(
                    rule: "messages",
                    reason: "a message of 32 bytes may be the hash of an order, which cannot be "
                        + "seen from it"
                )
            }
            return rules
        }
        if let networks {
            rules.append("networks")
            guard networks.contains(request.scope.network) else {
                throw Refusal(
                    rule: "networks",
                    reason: "\(request.scope.network) is not one of \(Self.list(networks))"
                )
            }
        }
        try checkFee(effects, &rules)
        try checkSlippage(request, &rules)
        try checkReach(effects, &rules)
        try checkTokens(effects, &rules)
        try checkRecipients(effects, &rules)
        try checkAmounts(effects, spent: spent, &rules)
        return rules
    }

    // MARK: One rule each

    private func checkFee(
        _ effects: SigningEffects,
        _ rules: inout [String]
    ) throws(Refusal) {
        guard let maximumFee, let fee = effects.maximumFee else { return }
        rules.append("max_fee")
        guard fee <= maximumFee else {
            throw Refusal(
                rule: "max_fee",
                reason: "its gas may cost \(Self.ether(fee.rawValue)) ETH, and "
                    + "\(Self.ether(maximumFee.rawValue)) ETH are allowed"
            )
        }
    }

    private func checkSlippage(
        _ request: SigningRequest,
        _ rules: inout [String]
    ) throws(Refusal) {
        guard let maximumSlippage, let slippage = request.terms.slippage else { return }
        rules.append("max_slippage")
        guard slippage <= maximumSlippage else {
            throw Refusal(
                rule: "max_slippage",
                reason: "it may come out \(Self.percent(slippage)) % worse than quoted, and "
                    + "\(Self.percent(maximumSlippage)) % are allowed"
            )
        }
    }

    /// Contracts and spenders, and calls whose effects nobody can tell.
    private func checkReach(
        _ effects: SigningEffects,
        _ rules: inout [String]
    ) throws(Refusal) {
        let isKnown = { (address: Address?) in
            address.flatMap { spenders?.contains($0) } ?? false
        }
        if spenders != nil {
            rules.append("spenders")
            if let contract = effects.contract, !isKnown(contract) {
                throw Refusal(
                    rule: "spenders",
                    reason: "the contract \(contract.checksummed) is not in the list"
                )
            }
            for approval in effects.approvals
            where approval.amount > .zero && !isKnown(approval.spender) {
                throw Refusal(
                    rule: "spenders",
                    reason: "\(approval.spender.checksummed), which would get an allowance, is "
                        + "not in the list"
                )
            }
        }
        guard boundsMoney else { return }
        guard effects.isUnderstood || isKnown(effects.contract) else {
            throw Refusal(
                rule: "spenders",
                reason: "what it does to "
                    + (effects.contract.map { "or through the contract \($0.checksummed)" }
                        ?? "the account")
                    + " cannot be told, and only the contracts listed there may be called so"
            )
        }
        guard !effects.hasUnknownFee else {
            throw Refusal(
                rule: "tokens",
                reason: "it has fees in a token that is not known on this network"
            )
        }
    }

    private func checkTokens(
        _ effects: SigningEffects,
        _ rules: inout [String]
    ) throws(Refusal) {
        guard let tokens else { return }
        rules.append("tokens")
        let approved = effects.approvals.filter { $0.amount > .zero }.map(\.token)
        let touched =
            Array(effects.paid.keys) + (effects.received + approved).map { Asset.token($0) }
        for asset in touched.sorted(by: { $0.text < $1.text }) where !tokens.contains(asset) {
            throw Refusal(rule: "tokens", reason: "\(name(asset)) is not in the list")
        }
    }

    private func checkRecipients(
        _ effects: SigningEffects,
        _ rules: inout [String]
    ) throws(Refusal) {
        guard let recipients else { return }
        rules.append("recipients")
        for address in effects.recipients.sorted() where !recipients.contains(address) {
            throw Refusal(
                rule: "recipients",
                reason: "\(address.checksummed) is not in the list"
            )
        }
        // Whoever has an allowance can send the tokens to anybody.
        for approval in effects.approvals where approval.amount > .zero {
            let spender = approval.spender
            guard recipients.contains(spender) || spenders?.contains(spender) == true else {
                throw Refusal(
                    rule: "recipients",
                    reason: "\(spender.checksummed), which would get an allowance, is neither in "
                        + "the list nor in that of `spenders`"
                )
            }
        }
    }

    private func checkAmounts(
        _ effects: SigningEffects,
        spent: [Asset: UInt256],
        _ rules: inout [String]
    ) throws(Refusal) {
        for (asset, amount) in effects.paid.sorted(by: { $0.key.text < $1.key.text }) {
            try checkIsLimited(asset)
            if let limit = perTrade[asset] {
                let rule = "max_per_trade.\(name(asset))"
                rules.append(rule)
                guard amount <= limit else {
                    throw Refusal(
                        rule: rule,
                        reason: "it may take \(text(amount, asset)), and \(text(limit, asset)) "
                            + "are allowed at once"
                    )
                }
            }
            guard let limit = perDay[asset] else { continue }
            let rule = "max_per_day.\(name(asset))"
            let before = spent[asset] ?? .zero
            rules.append("\(rule) (\(text(before, asset)) before)")
            guard SigningEffects.sum(before, amount) <= limit else {
                throw Refusal(
                    rule: rule,
                    reason: "it may take \(text(amount, asset)) after \(text(before, asset)) in "
                        + "the last 24 hours, and \(text(limit, asset)) are allowed"
                )
            }
        }
        // Whoever has an allowance can draw it at once.
        for approval in effects.approvals {
            let asset = Asset.token(approval.token)
            if approval.amount > .zero { try checkIsLimited(asset) }
            guard let limit = perTrade[asset] ?? perDay[asset],
                spenders?.contains(approval.spender) != true
            else { continue }
            let rule = "\(perTrade[asset] == nil ? "max_per_day" : "max_per_trade").\(name(asset))"
            rules.append(rule)
            guard approval.amount <= limit else {
                let amount = approval.amount == .max ? "everything" : text(approval.amount, asset)
                throw Refusal(
                    rule: rule,
                    reason: "\(approval.spender.checksummed) could take \(amount), and "
                        + "\(text(limit, asset)) are allowed unless `spenders` lists it"
                )
            }
        }
    }

    private func checkIsLimited(_ asset: Asset) throws(Refusal) {
        guard limitsEverything, perTrade[asset] == nil, perDay[asset] == nil else { return }
        throw Refusal(
            rule: "max_per_trade",
            reason: "\(name(asset)) has no limit, and only what has one may leave the account"
        )
    }

    // MARK: Words

    /// The symbol, else the address.
    package func name(_ asset: Asset) -> String {
        switch asset {
        case .ether: "ETH"
        case .token(let address): tokenNames[address]?.symbol ?? address.checksummed
        }
    }

    /// An amount in human units, with the asset's name.
    package func text(_ amount: UInt256, _ asset: Asset) -> String {
        "\(value(amount, asset)) \(name(asset))"
    }

    /// An amount in human units; base units where the decimals are not known.
    package func value(_ amount: UInt256, _ asset: Asset) -> String {
        switch asset {
        case .ether: Self.ether(amount)
        case .token(let address):
            DecimalText.format(amount, decimals: tokenNames[address]?.decimals ?? 0)
        }
    }

    private static func ether(_ amount: UInt256) -> String {
        DecimalText.format(amount, decimals: 18)
    }

    private static func percent(_ basisPoints: UInt64) -> String {
        DecimalText.format(UInt256(basisPoints), decimals: 2)
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
