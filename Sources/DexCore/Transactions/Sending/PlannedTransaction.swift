/// A transaction that a plan will send.
package struct PlannedTransaction: Sendable {
    package let purpose: TransactionPurpose
    /// Its action in words.
    ///
    /// `approve 1.5 WETH to the transfer contract 0x…`
    package let summary: String
    package let gasLimit: UInt64
}

/// One call of a plan with its planned gas; the actual limit is estimated before it is sent.
struct PlannedStep: Sendable {
    var call: PlannedCall
    let gasLimit: GasLimit
}

extension PlannedTransaction {
    init(_ step: PlannedStep) {
        self.init(
            purpose: step.call.purpose,
            summary: step.call.summary,
            gasLimit: step.gasLimit.units
        )
    }
}
