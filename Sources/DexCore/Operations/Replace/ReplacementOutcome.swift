package struct ReplacementOutcome: OperationOutcome {
    package let plan: ReplacementPlan
    package let transactions: [SentTransaction]
    /// The mined transaction's outcome for this nonce; nil if there is none, or it is unknown.
    package let mined: TransactionStatus?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
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
            return DexError(ending: exit, subject)
        }
        return DexError(OutcomeError.minedBefore(hash: plan.hash))
    }
}
