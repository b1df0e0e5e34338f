package struct TransactOutcome: OperationOutcome {
    package let plan: TransactPlan
    package let transactions: [SentTransaction]
    package let events: [ContractEvent]
    package let warnings: [String]
    /// 0, 11, 12 or 13.
    package let exit: ExitCode
}
