/// What `dex transact` did.
package struct TransactOutcome: TransactionOutcome {
    package let plan: TransactPlan
    package let transactions: [SentTransaction]
    package let events: [ContractEvent]
    package let warnings: [String]
    package let ending: Ending
}
