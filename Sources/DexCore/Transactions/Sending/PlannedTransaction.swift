/// One transaction that a plan will send.
package struct PlannedTransaction: Sendable {
    package let purpose: TransactionPurpose
    /// What it does, in words.
    ///
    /// `approve 1.5 WETH to the transfer contract 0x…`
    package let summary: String
    package let gasLimit: UInt64
}

/// One call of a plan, and the gas that was planned for it; the real limit is estimated before it
/// is sent.
struct PlannedStep: Sendable {
    let call: PlannedCall
    let gasLimit: UInt64
}

extension PlannedTransaction {
    /// A step as a plan shows it.
    init(_ step: PlannedStep) {
        self.init(
            purpose: step.call.purpose,
            summary: step.call.summary,
            gasLimit: step.gasLimit
        )
    }
}
