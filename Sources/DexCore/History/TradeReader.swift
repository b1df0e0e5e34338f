package import DexStore
package import Ethereum
package import ZeroEx

/// Converts an exchange's events for the journal: with their gas and block times.
package struct TradeReader: Sendable {
    let session: Session

    /// One entry per transaction, in chain order; only trades of the account, with what arrived.
    ///
    /// - Parameter known: trades whose proven arrivals are not read again.
    /// - Throws: `DexError`: exit 4 if the node does not answer, or `reorganized` if the blocks
    ///   changed since the events were read.
    package func mined(
        _ events: [LoggedEvent],
        account: Address,
        known: [MinedTrades] = []
    ) async throws(DexError) -> [MinedTrades] {
        var byTransaction: [TransactionHash: [LoggedEvent]] = [:]
        var hashes: [TransactionHash] = []
        for event in events {
            guard let trade = MinedTrades.Trade(event), trade.concerns(account) else { continue }
            if byTransaction[event.transaction] == nil { hashes.append(event.transaction) }
            byTransaction[event.transaction, default: []].append(event)
        }
        var batch = ReadBatch()
        let receipts = hashes.map { batch.add(.receipt($0)) }
        let blocks = Set(byTransaction.values.compactMap(\.first?.block)).sorted()
        let blockSlots = blocks.map { batch.add(.block(.number($0))) }
        let answers = try await batch.send(to: session.chain)
        var times: [UInt64: Block] = [:]
        for (number, slot) in zip(blocks, blockSlots) { times[number] = try answers.value(slot) }
        var mined: [MinedTrades] = []
        var proofs: [TransactionHash: TransactionReceipt] = [:]
        for (hash, slot) in zip(hashes, receipts) {
            let events = byTransaction[hash] ?? []
            guard let receipt = try answers.value(slot), receipt.transactionHash == hash,
                let first = events.first,
                let block = times[first.block],
                events.allSatisfy({ $0.blockHash == block.hash }),
                receipt.blockHash == block.hash, receipt.blockNumber == block.number
            else { throw ReadError.reorganized }
            guard receipt.gasUsed <= block.gasLimit else {
                throw DexError(
                    ChainError.nonsense(
                        "the receipt of \(hash) reports \(receipt.gasUsed) gas, and its block has "
                            + "room for \(block.gasLimit)"
                    )
                )
            }
            proofs[hash] = receipt
            mined.append(
                MinedTrades(
                    receipt,
                    chainID: session.network.chainID,
                    exchange: session.network.exchange,
                    time: block.timestamp,
                    events: events
                )
            )
        }
        return await ArrivalReader(session: session, account: account)
            .read(mined, receipts: proofs, known: known)
    }
}
