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
    /// The relay took it, and does not give it back by its hash.
    package let isUnconfirmed: Bool

    package var error: DexError? {
        isUnconfirmed ? DexError(OutcomeError.orderUnconfirmed) : nil
    }
}
