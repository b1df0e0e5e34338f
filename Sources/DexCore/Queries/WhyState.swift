/// The result of `dex why`: the one reason that matters.
package struct WhyState: Sendable {
    /// A stable word for scripts.
    package enum Reason: String, Sendable, CaseIterable {
        /// The whole order can be filled.
        case fillable
        /// A part of it can be filled.
        case partlyFunded = "partly-funded"
        /// It can be filled, but expires too soon for our settings.
        case expiring
        /// It can be filled, but no taker can find it.
        case notOnRelay = "not-on-relay"
        case filled
        case cancelled
        case expired
        case otherTaker = "other-taker"
        case makerBalance = "maker-balance"
        case makerAllowance = "maker-allowance"
        case makerFeeBalance = "maker-fee-balance"
        case makerFeeAllowance = "maker-fee-allowance"
        /// A token does not report the maker's funds.
        case unreadableToken = "unreadable-token"
        /// The remaining amount is too small for the exchange's rounding rule.
        case rounding
        /// Its amounts overflow in the exchange's arithmetic.
        case tooLarge = "too-large"
        /// It can be filled, but charges its taker more than the cap.
        case takerFee = "taker-fee"
        /// The user's account has nothing to pay with.
        case takerBalance = "taker-balance"
    }

    package let row: OrdersState.Row
    package let block: UInt64
    package let reason: Reason
    /// A full sentence.
    package let sentence: String
    /// The command that fixes it; nil if there is none.
    package let remedy: String?
    /// Relays that were left out, as sentences.
    package var warnings: [String] = []
}

extension WhyState {
    /// Some account can fill it, or a part of it, now.
    package var isFillable: Bool {
        switch reason {
        case .fillable, .partlyFunded, .expiring, .notOnRelay, .takerFee, .takerBalance: true
        case .filled, .cancelled, .expired, .otherTaker, .makerBalance, .makerAllowance,
            .makerFeeBalance, .makerFeeAllowance, .unreadableToken, .rounding, .tooLarge:
            false
        }
    }
}
