/// What `dex tx speedup` or `dex tx cancel` did.
package struct ReplacementOutcome: TransactionOutcome {
    package let plan: ReplacementPlan
    package let transactions: [SentTransaction]
    /// The mined transaction's outcome for this nonce; nil if there is none, or it is unknown.
    package let mined: TransactionStatus?
    package let warnings: [String]
    package let ending: Ending
}

extension ReplacementOutcome {
    /// The mined one of the two, if known.
    package var subject: OutcomeSubject? {
        let last = transactions.last
        guard let hash = mined?.hash ?? last?.hash else { return nil }
        return OutcomeSubject(
            hash: hash,
            block: mined?.block ?? last?.block,
            reason: mined?.revertReason ?? last?.reason
        )
    }

    package var allWarnings: [String] { warnings + (mined?.notes ?? []) }

    package var error: DexError? {
        guard plan.kind == .cancel, mined?.hash == plan.hash else {
            return OutcomeError.of(ending, subject)
        }
        return OutcomeError.minedBefore(hash: plan.hash)
    }
}
