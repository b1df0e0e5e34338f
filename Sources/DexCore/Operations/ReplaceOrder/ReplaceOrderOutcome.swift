/// What `dex replace` did: which of the two orders stands.
package struct ReplaceOrderOutcome: OperationOutcome {
    package let plan: ReplaceOrderPlan
    /// Of the new order's token.
    package let approvals: [SentTransaction]
    package let cancelled: CancelOutcome
    /// The new order; nil if it was not placed.
    package var placed: LimitOutcome?
    /// Why the new order does not stand although the old one is cancelled; nil if it does.
    package var failure: DexError?

    package var proof: StateProof? { placed?.proof }

    package var transactions: [SentTransaction] { approvals + cancelled.transactions }

    package var warnings: [String] {
        let unsigned =
            cancelled.error == nil ? [] : ["The new order was not signed."]
        return cancelled.warnings + unsigned + (placed?.warnings ?? [])
    }

    package var error: DexError? { cancelled.error ?? failure ?? placed?.error }
}
