/// What `dex tx speedup` or `dex tx cancel` did.
package struct ReplacementOutcome: Sendable {
    package let plan: ReplacementPlan
    package let transactions: [SentTransaction]
    /// What became of the transaction with this nonce that is in the chain; nil where none is, or
    /// the node does not tell.
    package let mined: TransactionStatus?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}
