import Ethereum

extension TransactionReceipt {
    /// The same with other events.
    func with(logs: [Log]) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: transactionHash,
            blockNumber: blockNumber,
            blockHash: blockHash,
            from: from,
            to: to,
            succeeded: succeeded,
            gasUsed: gasUsed,
            effectiveGasPrice: effectiveGasPrice,
            logs: logs
        )
    }
}
