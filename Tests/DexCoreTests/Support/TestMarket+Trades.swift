import Ethereum
import EthereumWallet
import Synchronization
import ZeroEx

/// Transactions with logs in the blocks of the scripted chain.
extension TestMarket {
    /// Mines a block with one transaction in it; logs of earlier ones are still served.
    ///
    /// - Parameters:
    ///   - logs: what the exchange left, without their places.
    ///   - firstIndex: the place of the first log in the block.
    @discardableResult
    func mine(
        _ logs: [Log],
        by sender: Address,
        block number: UInt64,
        fork: UInt64 = 0,
        firstIndex: UInt64 = 0
    ) -> TransactionHash {
        let block = Self.block(number, timestamp: Self.now + number, fork: fork)
        let hash = TransactionHash(
            Keccak256.hash(block.hash.word.bytes + sender.bytes + [UInt8(logs.count)])
        )
        let placed = logs.enumerated().map { index, log in
            Log(
                address: log.address,
                topics: log.topics,
                data: log.data,
                blockNumber: number,
                blockHash: block.hash,
                transactionHash: hash,
                logIndex: firstIndex + UInt64(index)
            )
        }
        let receipt = TransactionReceipt(
            transactionHash: hash,
            blockNumber: number,
            blockHash: block.hash,
            from: sender,
            to: Self.exchange,
            succeeded: true,
            gasUsed: 100_000,
            effectiveGasPrice: Wei(2_000_000_000),
            logs: placed
        )
        chain.set { state in
            state.blocks[number] = block
            state.receipts[hash] = .some(receipt)
            let before = state.logs
            state.logs = { filter in
                let others: [Log] = (try? before?(filter).get()) ?? []
                return .success(others + placed.filter { Self.passes($0, filter) })
            }
        }
        return hash
    }

    /// The logs that a node gives to a filter over numbered blocks, or over one by its hash.
    static func passes(_ log: Log, _ filter: LogFilter) -> Bool {
        switch (filter.fromBlock, filter.toBlock) {
        case (.number(let first), .number(let last)):
            guard let number = log.blockNumber, (first...max(first, last)).contains(number) else {
                return false
            }
        case (.hash(let hash), _): guard log.blockHash == hash else { return false }
        default: return false
        }
        return LogPattern(filter).matches(log)
    }
}
