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
        var records: [TransactionRecord] = []
        var cumulative: UInt64 = 0
        var logs: UInt64 = 0
        var size: UInt64 = 0
        for (signed, outcome) in transactions {
            let raw = signed.raw
            size += UInt64(raw.count)
            let (sum, overflow) = cumulative.addingReportingOverflow(outcome.gasUsed)
            guard !overflow, outcome.gasPrice >= header.baseFee else { return false }
            cumulative = sum
            records.append(
                TransactionRecord(
                    signed: signed,
                    hash: TransactionHash(Keccak256.hash(raw)),
                    outcome: outcome,
                    block: header.number,
                    index: UInt64(records.count),
                    cumulativeGasUsed: cumulative,
                    firstLogIndex: logs
                )
            )
            logs += UInt64(outcome.logs.count)
        }
        guard cumulative == header.gasUsed else { return false }
        blocks.append(
            BlockRecord(
                header: header,
                transactions: records.map(\.hash),
                transactionBytes: size
            )
        )
        for record in records { mined[record.hash] = record }
        return true
    }
}
