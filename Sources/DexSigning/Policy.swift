package import Ethereum

/// Rules for signatures: those of policy.toml, or the limits of an unlocked key.
///
/// A rule that is not set allows everything. Amounts are base units; what is paid, sold and sent
/// counts. Gas counts where a limit names the coin.
package struct Policy: Hashable, Sendable {
    /// The origin of the rules, for messages: a path.
    package var source: String
    /// The origin of limits that are options of `dex unlock`.
    package static let unlockSource = "dex unlock"
    /// The coin of the network that the rules are read for.
    package let coin: CoinSymbol
    /// Names of networks.
    package var networks: [String]?
    /// Assets that may be paid, received, sent or approved.
    package var tokens: Set<Asset>?
    /// Contracts that may be called and receive allowances of any size.
    package var spenders: Set<Address>?
    /// Accounts that may receive ether and tokens.
    package var recipients: Set<Address>?
    /// The most that the gas of one transaction may cost.
    package var maximumFee: Wei?
    /// The most that a unit of gas may pay to those who make blocks.
    package var maximumTip: TipLimit?
    /// The contracts for which typed data of an unknown kind may be signed.
    package var typedData: Set<Address>?
    /// In hundredths of a percent.
    package var maximumSlippage: UInt64?
    /// The most in one transaction or order.
    package var perTrade: [Asset: UInt256] = [:]
    /// The most in 24 hours.
    package var perDay: [Asset: UInt256] = [:]
    /// An asset without its own limit may not leave at all.
    package var limitsEverything = false
    /// Symbols and decimals of the assets.
    package var tokenNames: [Address: Token] = [:]
    /// What agents may do without a person: `[mcp]`.
    package var agents = AgentRule.elsewhere
    /// The amounts as read on the other chains where an order without a chain may be filled.
    package var otherChains: [OtherChain] = []

    /// Rules that allow everything.
    package init(source: String, coin: CoinSymbol) {
        self.source = source
        self.coin = coin
    }

    /// The length of a day, in seconds.
    package static let day: UInt64 = 86_400

    /// A rule limits what may leave the account.
    package var boundsMoney: Bool {
        tokens != nil || recipients != nil || boundsAmounts
    }

    /// A rule limits how much may leave.
    package var boundsAmounts: Bool {
        !perTrade.isEmpty || !perDay.isEmpty || limitsEverything
    }

    /// A limit names the coin, so gas counts in it.
    package var countsGas: Bool {
        perTrade[.ether] != nil || perDay[.ether] != nil
    }

    /// A rule limits amounts of a day.
    package var countsDays: Bool {
        !perDay.isEmpty || otherChains.contains { !$0.perDay.isEmpty }
    }

    /// Why something is not signed.
    package struct Refusal: Error, Hashable, Sendable {
        /// The rule's key: `max_per_day.WETH`.
        package let rule: String
        /// The allowed and the requested value, as the rest of a sentence.
        package let reason: String

        /// A message of 32 bytes, or of their digits, which no rule and no flag allows.
        ///
        /// An order is signed as the message that is its hash, and must be seen as an order.
        package static let hashMessage = Refusal(
            rule: "messages",
            reason: "it may be the hash of an order, which anyone who has the signature could fill"
        )
    }

    /// The purpose of the message that confirms a guard, which `dex guard add` alone signs.
    static let guardPurpose = "guard"

    /// A page or a program that asks for a signature must not confirm a guard by it.
    private static func checkGuard(
        _ message: [UInt8],
        _ request: SigningRequest
    ) throws(Refusal) {
        let confirmsGuard = message.starts(with: Array(SigningRequest.guardPrefix.utf8))
        guard confirmsGuard == (request.terms.purpose == guardPurpose) else {
            throw Refusal(
                rule: "messages",
                reason: "it would confirm a guard, which only `dex guard add` does"
            )
        }
    }

    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - ledger: what counts against the amounts of a day.
    ///   - slot: of transactions that this one replaces.
    /// - Returns: the rules that were checked, for the log.
    /// - Throws: `Refusal` by the first rule that forbids it.
    package func decide(
        _ request: SigningRequest,
        _ effects: SigningEffects,
        ledger: SpendingLedger,
        besides slot: String? = nil
    ) throws(Refusal) -> [String] {
        if case .message(let bytes) = request.content {
            guard !Self.mayBeHash(bytes) else { throw .hashMessage }
            try Self.checkGuard(bytes, request)
            guard request.terms.purpose == Self.guardPurpose else { return [] }
            return try decide(guardTerms: bytes, request)
        }
        if case .permit(let permit) = request.content { try Self.check(permit, request) }
        if case .typedData(let data) = request.content {
            try Self.check(data, request)
            if let grant = TypedGrant(data) { try Self.check(grant) }
        }
        return try decide(
            request,
            effects,
            amounts: limits(for: request),
            ledger: ledger,
            besides: slot
        )
    }

    /// The rules on what a request does.
    func decide(
        _ request: SigningRequest,
        _ effects: SigningEffects,
        amounts: [AmountLimits],
        ledger: SpendingLedger,
        besides slot: String? = nil
    ) throws(Refusal) -> [String] {
        var rules: [String] = []
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
        try checkTip(effects, &rules)
        try checkSlippage(request, &rules)
        if try !admitsUnread(request, effects, &rules) {
            try checkReach(request, effects, &rules)
        }
        try checkTokens(effects, &rules)
        try checkRecipients(effects, &rules)
        for limits in amounts {
            try limits.check(
                limits.isElsewhere ? SigningEffects(of: request, on: limits.chain) : effects,
                ledger: ledger,
                besides: limits.isElsewhere ? nil : slot,
                &rules
            )
        }
        return rules
    }

    /// 32 bytes, or their hexadecimal digits, which an external signer may decode.
    private static func mayBeHash(_ message: [UInt8]) -> Bool {
        guard message.count != 32 else { return true }
        guard message.count <= 100 else { return false }
        var digits = message[...]
        while let last = digits.last, last <= 0x20 { digits.removeLast() }
        while let first = digits.first, first <= 0x20 { digits.removeFirst() }
        if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
            digits = digits.dropFirst(2)
        }
        return digits.count == 64
            && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
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
                reason: "its gas may cost \(coin.amount(fee)), and \(coin.amount(maximumFee)) are "
                    + "allowed"
            )
        }
    }

    private func checkTip(
        _ effects: SigningEffects,
        _ rules: inout [String]
    ) throws(Refusal) {
        guard let maximumTip, let offer = effects.tip else { return }
        let maximum = maximumTip.maximum(of: offer)
        rules.append("max_tip")
        guard offer.amount <= maximum else {
            throw Refusal(
                rule: "max_tip",
                reason: "it offers \(offer.isPrice ? "a price" : "a tip") of "
                    + "\(Self.gwei(offer.amount)) gwei for a unit of gas, and "
                    + "\(Self.gwei(maximum)) gwei are allowed"
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

    /// Checks contracts and spenders, and calls with unknown effects.
    private func checkReach(
        _ request: SigningRequest,
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
        // An exchange can be made to accept another key's signatures for the account's, and what a
        // listed contract draws does not count: no list makes an unread call harmless.
        let isExchange = effects.contract.map {
            $0 == request.scope.exchange || request.scope.transferContracts.contains($0)
        }
        let mayBeUnknown = !boundsAmounts && isExchange != true && isKnown(effects.contract)
        guard effects.isUnderstood || mayBeUnknown else {
            throw Refusal(
                rule: "spenders",
                reason: "what it does to "
                    + (effects.contract.map { "or through the contract \($0.checksummed)" }
                        ?? "the account")
                    + " cannot be determined, "
                    + (boundsAmounts
                        ? "so it cannot be counted against the amounts that are set"
                        : "and only contracts listed there, and no exchange, may be called so")
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
        // The holder of an allowance can send the tokens to any account.
        for approval in effects.approvals where approval.amount > .zero {
            let spender = approval.spender
            guard !recipients.contains(spender) else { continue }
            guard approval.kind == .allowance else {
                throw Refusal(
                    rule: "recipients",
                    reason:
                        "\(spender.checksummed), which may take the tokens by this signature, is "
                        + "not in the list"
                )
            }
            guard spenders?.contains(spender) == true else {
                throw Refusal(
                    rule: "recipients",
                    reason: "\(spender.checksummed), which would get an allowance, is neither in "
                        + "the list nor in that of `spenders`"
                )
            }
        }
    }

    // MARK: Words

    /// The symbol, else the address.
    package func name(_ asset: Asset) -> String {
        switch asset {
        case .ether: coin.text
        case .token(let address): tokenNames[address]?.symbol ?? address.checksummed
        }
    }

    /// An amount in human units, with the asset's name.
    package func text(_ amount: UInt256, _ asset: Asset) -> String {
        "\(value(amount, asset)) \(name(asset))"
    }

    /// An amount in human units; base units if the decimals are not known.
    package func value(_ amount: UInt256, _ asset: Asset) -> String {
        switch asset {
        case .ether: DecimalText.format(amount, decimals: 18)
        case .token(let address):
            DecimalText.format(amount, decimals: tokenNames[address]?.decimals ?? 0)
        }
    }

    private static func gwei(_ price: Wei) -> String {
        DecimalText.format(price.rawValue, decimals: 9)
    }

    private static func percent(_ basisPoints: UInt64) -> String {
        DecimalText.format(UInt256(basisPoints), decimals: 2)
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
