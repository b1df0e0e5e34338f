/// One transaction that a plan will send.
package struct PlannedTransaction: Sendable {
    package let purpose: TransactionPurpose
    /// What it does, in words.
    ///
    /// `approve 1.5 WETH to the transfer contract 0x…`
    package let summary: String
    package let gasLimit: UInt64
}

extension PlannedTransaction {
    /// A call as a plan shows it.
    init(_ call: PlannedCall, gasLimit: UInt64) {
        self.init(purpose: call.purpose, summary: call.summary, gasLimit: gasLimit)
    }
}
