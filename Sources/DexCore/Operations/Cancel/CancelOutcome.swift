package import Ethereum
package import ZeroEx

/// What `dex cancel` did.
package struct CancelOutcome: TransactionOutcome {
    package struct Row: Sendable {
        package enum Status: String, Sendable {
            case cancelled
            case filledBefore = "filled-before"
            case expiredBefore = "expired-before"
            case unchanged
        }

        package let orderHash: OrderHash
        package let status: Status
        /// Base units of the taker token that others filled between the plan and the cancel.
        package let filledMeanwhile: UInt256
        /// Base units of the taker token that this cancelled.
        package let cancelled: UInt256
        package let takerToken: Token
    }

    package let transactions: [SentTransaction]
    package let rows: [Row]
    package let warnings: [String]
    package let ending: Ending
}

extension CancelOutcome {
    package static var less: OutcomeError { .cancelledLess }
}
