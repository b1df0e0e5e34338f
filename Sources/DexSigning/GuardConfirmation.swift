import Ethereum
import Uniswap
import ZeroEx

/// The terms of a guard, read from the message by which its key confirms them.
///
/// The message is the only source: a program that asks an unlocked key cannot claim other terms than
/// those that fire later.
struct GuardConfirmation {
    let chainID: UInt64
    let exchange: Address
    let account: Address
    /// The token that leaves, and the most of it in base units.
    let pays: (token: Address, amount: UInt256)
    let receives: Address
    /// In hundredths of a percent.
    let slippage: UInt64

    /// nil for a message that is not exactly in the form of `GuardMessage`.
    init?(_ message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        guard text.hasPrefix(SigningRequest.guardPrefix) else { return nil }
        let lines = text.dropFirst(SigningRequest.guardPrefix.count)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let values = zip(Self.names, lines).compactMap { name, line in
            line.hasPrefix("\(name): ") ? line.dropFirst(name.count + 2) : nil
        }
        guard lines.count == Self.names.count, values.count == Self.names.count,
            let chainID = UInt64(values[0]),
            let exchange = Address(ifValid: String(values[1])),
            let account = Address(ifValid: String(values[2])),
            let base = Self.token(values[4]), let quote = Self.token(values[5]),
            let amount = Self.last(values[7]).flatMap({ words -> UInt256? in
                guard words.hasSuffix(" base units") else { return nil }
                return UInt256(decimal: String(words.dropLast(" base units".count)))
            }),
            let limit = Self.last(values[9]).flatMap(Self.fraction),
            let slippage = UInt64(values[10])
        else { return nil }
        self.chainID = chainID
        self.exchange = exchange
        self.account = account
        self.slippage = slippage
        switch values[6] {
        case "sell":
            pays = (base, amount)
            receives = quote
        case "buy":
            // A cost that does not fit is above any limit.
            let cost = UInt256.mulDiv(amount, limit.quote, limit.base)
            let maximum = cost.map {
                $0.remainder == .zero ? $0.quotient : $0.quotient.addingSaturating(1)
            }
            pays = (quote, maximum ?? .max)
            receives = base
        default: return nil
        }
    }

    private static let names = [
        "chain", "exchange", "account", "pair", "base", "quote", "side", "amount", "trigger",
        "limit", "slippage", "added", "number",
    ]

    /// The address before the decimals.
    private static func token(_ value: Substring) -> Address? {
        value.firstIndex(of: ",").flatMap { Address(ifValid: String(value[..<$0])) }
    }

    /// What stands behind the last comma: base units.
    private static func last(_ value: Substring) -> Substring? {
        value.lastIndex(of: ",").map { value[$0...].dropFirst(2) }
    }

    private static func fraction(_ text: Substring) -> (quote: UInt256, base: UInt256)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let quote = UInt256(decimal: String(parts[0])),
            let base = UInt256(decimal: String(parts[1])), base > .zero
        else { return nil }
        return (quote, base)
    }
}

extension Policy {
    /// Decides on the confirmation of a guard, by the order that it fires later.
    ///
    /// Nothing leaves by it, and so nothing of it counts: the order counts when it is signed. But
    /// terms that no order could have under the rules are not confirmed either.
    func decide(
        guardTerms message: [UInt8],
        _ request: SigningRequest
    ) throws(Refusal) -> [String] {
        // It trades at the exchange, or at Uniswap's router.
        let contracts = [request.scope.exchange, request.scope.pools?.deployment.router]
        guard let terms = GuardConfirmation(message), terms.account == request.account,
            terms.chainID == request.scope.chainID, contracts.contains(terms.exchange)
        else {
            throw Refusal(
                rule: "messages",
                reason: "it has not the terms of a guard of this account on the exchange of "
                    + request.scope.network
            )
        }
        var claimed = request.terms
        claimed.slippage = terms.slippage
        let order = SigningRequest(
            content: request.content,
            account: request.account,
            scope: request.scope,
            terms: claimed
        )
        return try decide(
            order,
            SigningEffects(of: terms),
            amounts: [AmountLimits(self, request.scope)],
            ledger: .empty
        )
    }
}
