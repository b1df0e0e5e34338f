package import ZeroEx

package struct LimitOutcome: OperationOutcome {
    package let plan: LimitPlan
    package let order: any SignedOrder
    /// The relay's wire form of the order, JSON text.
    package let wire: String
    package let transactions: [SentTransaction]
    /// The relay accepted it and returned it by its hash.
    package let posted: Bool
    package let warnings: [String]
    package let exit: ExitCode
}
