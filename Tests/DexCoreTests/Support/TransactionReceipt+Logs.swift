import Ethereum

extension TransactionReceipt {
    /// The same with other events.
    func with(logs: [Log]) -> TransactionReceipt {
        with(logs: logs, gasUsed: gasUsed)
    }

    /// The same with another amount of gas.
    func with(gasUsed: UInt64) -> TransactionReceipt {
        with(logs: logs, gasUsed: gasUsed)
    }

    /// The same of a transaction that reverted.
    var failed: TransactionReceipt { with(logs: [], gasUsed: gasUsed, succeeded: false) }

    private func with(
        logs: [Log],
        gasUsed: UInt64,
        succeeded: Bool? = nil
    ) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: transactionHash,
            blockNumber: blockNumber,
            blockHash: blockHash,
            from: from,
            to: to,
            succeeded: succeeded ?? self.succeeded,
            gasUsed: gasUsed,
            effectiveGasPrice: effectiveGasPrice,
            logs: logs
        )
    }
}
