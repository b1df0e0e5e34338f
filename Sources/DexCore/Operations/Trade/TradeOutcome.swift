package import Ethereum
package import ZeroEx

/// What a trade really did, from the receipts' events.
package struct TradeOutcome: TransactionOutcome {
    package struct Leg: Sendable {
        package enum Status: String, Sendable {
            case filled
            case partlyFilled = "partly-filled"
            case skipped
            /// A backup that was not needed, or an order after the amount was used up.
            case untouched
        }

        package let orderHash: OrderHash
        package let status: Status
        package let received: UInt256
        package let paid: UInt256
        package let fee: UInt256
        /// Why it was not filled as planned; nil if it was.
        package let reason: String?
    }

    package let plan: TradePlan
    package let transactions: [SentTransaction]
    package let received: UInt256
    /// The payment to the orders, without fees.
    package let paid: UInt256
    package let fees: UInt256
    /// The exchange's own fee in ether.
    package var protocolFee = Wei.zero
    /// Quote per base of the actual trade; nil without one.
    package let effectivePrice: Price?
    package let legs: [Leg]
    package let warnings: [String]
    package let ending: Ending
}

extension TradeOutcome {
    /// The paid amount of the token, with fees in it.
    package var cost: UInt256 { plan.cost(paid, fees) }
}
