package import Ethereum

/// A transaction in a list of blocks.
package struct TransactionRow: Sendable {
    package let hash: TransactionHash
    package let block: Block
    package let from: NamedAddress
    /// nil if it creates a contract.
    package let to: NamedAddress?
    package let coin: CoinSymbol
    /// The coin sent along.
    package let value: Wei
    /// nil if the node does not return the call data.
    package let method: CallMethod?
    /// false: reverted; nil if the node has no receipt of it in this block.
    package let succeeded: Bool?
    package let gasUsed: UInt64?
}

/// Reads the receipts of transactions of blocks.
struct TransactionRows {
    let scope: ChainScope

    /// More receipts are announced.
    private static let readQuietly = 20

    /// The rows in the order of the transactions, in one request.
    ///
    /// There is no outcome where the node does not have the receipt, or has it in another block: a
    /// reorganization removed the block meanwhile, or the node is a step behind.
    ///
    /// - Throws: `DexError`, the error of a read.
    func load(
        _ transactions: [(block: Block, transaction: BlockTransaction)]
    ) async throws(DexError) -> [TransactionRow] {
        guard !transactions.isEmpty else { return [] }
        if transactions.count > Self.readQuietly {
            scope.session.environment.progress("reading \(transactions.count) receipts")
        }
        var batch = ReadBatch(capacity: transactions.count)
        let slots = transactions.map { batch.add(.receipt($0.transaction.hash)) }
        let answers = try await batch.send(to: scope.session.chain)
        let receipts = try answers.values(slots)
        return zip(transactions, receipts).map { listed, receipt in
            let (block, transaction) = listed
            let outcome = receipt?.blockHash == block.hash ? receipt : nil
            return TransactionRow(
                hash: transaction.hash,
                block: block,
                from: scope.named(transaction.from),
                to: transaction.to.map(scope.named),
                coin: scope.session.network.coin,
                value: transaction.value,
                method: CallMethod(to: transaction.to, data: transaction.data, in: scope),
                succeeded: outcome?.succeeded,
                gasUsed: outcome?.gasUsed
            )
        }
    }
}
