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
        /// Why it was not filled as planned; nil where it was.
        package let reason: String?
    }

    package let plan: TradePlan
    package let transactions: [SentTransaction]
    package let received: UInt256
    /// What the orders were paid, without fees.
    package let paid: UInt256
    package let fees: UInt256
    /// Ether that the exchange itself took.
    package var protocolFee = Wei.zero
    /// Quote per base over what was really traded; nil where nothing was.
    package let effectivePrice: Price?
    package let legs: [Leg]
    package let warnings: [String]
    package let ending: Ending
}

extension TradeOutcome {
    /// What left of the token that was paid, fees in it included.
    package var cost: UInt256 { plan.cost(paid, fees) }
}
