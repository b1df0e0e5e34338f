import Ethereum

/// All persistent data of a chain.
struct StoredChain {
    var blocks: [BlockRecord] = []
    var mined: [TransactionHash: TransactionRecord] = [:]
    var slots: [StorageKey: UInt256] = [:]
    /// By hash.
    var codes: [Bytes32: [UInt8]] = [:]
    var undo: [UInt64: [StorageKey: UInt256]] = [:]
    /// In order of arrival.
    var pool: [SignedTransaction] = []
    var timeOffset: UInt64 = 0
    /// Of a fork: what it has of its live chain.
    var fetched = FetchedValues()

    /// Appends a block from its stored parts.
    ///
    /// - Returns: false if they do not match.
    mutating func append(
        header: SandboxHeader,
        transactions: [(signed: SignedTransaction, outcome: TransactionOutcome)]
    ) -> Bool {
        guard header.number == blocks.last.map({ $0.header.number + 1 }) ?? 0,
            blocks.last.map({ $0.hash.word == header.parentHash }) ?? true
        else { return false }
        let raws = transactions.map(\.signed.raw)
        let records = TransactionRecord.list(
            zip(transactions, raws).map {
                ($0.signed, TransactionHash(Keccak256.hash($1)), $0.outcome)
            },
            block: header.number
        )
        guard transactions.allSatisfy({ $0.outcome.gasPrice >= header.baseFee }),
            records.last?.cumulativeGasUsed ?? 0 == header.gasUsed
        else { return false }
        blocks.append(
            BlockRecord(
                header: header,
                transactions: records.map(\.hash),
                transactionBytes: raws.reduce(0) { $0 + UInt64($1.count) }
            )
        )
        for record in records { mined[record.hash] = record }
        return true
    }
}
