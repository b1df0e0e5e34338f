import Ethereum
import ZeroEx

/// A trade whose price can be compared with nothing: a warning, and from some value on a refusal.
struct UncheckedPrice {
    /// Why nothing can be compared; a sentence.
    let reason: String
    /// The user named the worst price.
    let hasLimit: Bool
    /// The flag of the command that names a limit; nil without one.
    let limitFlag: String?

    /// The most that may be traded without a flag, in base units of the chain's coin or its wrapped
    /// form: 0.5, as much as a command may pay for gas.
    static let limit: UInt256 = 500_000_000_000_000_000

    /// Warns in the plan.
    ///
    /// - Throws: `DexError`, exit 6, `price-unchecked`, if it trades more than the limit, or if its
    ///   value is unknown, without a price limit and without the flag.
    func check(
        _ plan: inout TradePlan,
        network: Network,
        settings: TradeSettings
    ) throws(DexError) {
        plan.warnings.insert(Self.warning(reason), at: 0)
        guard !hasLimit else { return }
        let amount = plan.coinAmount(network)
        if let amount, amount.raw <= Self.limit { return }
        guard settings.allowsUncheckedPrice else {
            throw TradeError.priceUnchecked(reason, amount: amount, limitFlag: limitFlag)
        }
        plan.isUncheckedBeyondLimit = true
    }

    /// The first warning of a plan whose price is compared with nothing.
    ///
    /// - Parameter reason: why; a sentence.
    static func warning(_ reason: String) -> String {
        "THE PRICE IS NOT COMPARED with anything. \(reason) Check it yourself."
    }
}

extension TradePlan {
    /// The amount that it trades of the chain's coin or its wrapped form; nil if neither is in the
    /// pair.
    func coinAmount(_ network: Network) -> TokenAmount? {
        for (token, raw) in [(payToken, expectedCost), (receiveToken, expectedReceive)]
        where token.isNativeCoin || token.address == network.weth {
            return TokenAmount(raw: raw, token: token)
        }
        return nil
    }
}
