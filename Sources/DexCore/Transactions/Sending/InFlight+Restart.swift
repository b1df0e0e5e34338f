import DexStore
import Ethereum

extension InFlight {
    /// Forgets the transactions of a sandbox that was reset, or refuses a node that is behind.
    ///
    /// A server that lags looks just like a chain that was reset: it counts fewer transactions and
    /// lacks their blocks. To forget a mined trade would let it be repeated. So a sandbox was reset
    /// only if every reading of some seconds is behind the journal, and its first block is later
    /// than the transaction, or its latest one stands still. No other chain begins again.
    ///
    /// - Parameters:
    ///   - last: the account's mined transaction with the highest nonce.
    ///   - count: the account's mined transactions at the node.
    /// - Throws: `DexError`, exit 4, `node-behind` and the like.
    func forgetOrRefuse(
        _ last: JournalTransaction,
        count: UInt64
    ) async throws(DexError) {
        guard session.network.isSandbox, try await beganAnew(since: last) else {
            throw ReadError.nodeBehind(count: count, nonce: last.nonce)
        }
        let chainID = session.network.chainID
        try journaled(try journal.forgetTransactions(chainID: chainID))
    }

    /// Readings before a sandbox counts as begun again: five seconds of them.
    static let restartReadings = 20

    private func beganAnew(since last: JournalTransaction) async throws(DexError) -> Bool {
        var heads: Set<UInt64> = []
        var isYounger = true
        for reading in 0..<Self.restartReadings {
            if reading > 0 { try await Broadcast.sleep(session.network.receiptInterval, session) }
            var batch = ReadBatch()
            let first = batch.add(.block(.number(0)))
            let head = batch.add(.blockNumber)
            let count = batch.add(.transactionCount(last.sender, .latest))
            let answers = try await batch.send(to: session.chain)
            let latest = try answers.value(head)
            guard try answers.value(count) <= last.nonce, last.block.map({ latest < $0 }) ?? false
            else { return false }
            heads.insert(latest)
            let began = try answers.value(first)?.timestamp
            if began.map({ $0 <= last.created }) ?? true { isYounger = false }
        }
        return isYounger || heads.count == 1
    }
}
