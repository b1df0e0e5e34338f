import Ethereum

/// A read's questions as each of several nodes gets them: the caller's, then our own.
struct QuorumBatch {
    /// The questions as asked, with the latest block.
    let latest: [ChainRead]
    /// How many of them are the caller's.
    let count: Int
    /// The place of the latest block.
    let head: Int
    /// The place of an account's mined transactions, by the place of its pending ones.
    let mined: [Int: Int]
    /// The caller asks about the latest block, whichever that is.
    let asksLatest: Bool

    init(_ asked: [ChainRead]) {
        var reads = asked
        func add(_ read: ChainRead) -> Int {
            // Few questions are our own, and mostly the caller asks the first of them first.
            if let place = reads.firstIndex(of: read) { return place }
            reads.append(read)
            return reads.count - 1
        }
        let head = add(.block(.latest))
        var mined: [Int: Int] = [:]
        for (place, read) in asked.enumerated() {
            guard case .transactionCount(let account, .pending) = read else { continue }
            mined[place] = add(.transactionCount(account, .latest))
        }
        count = asked.count
        asksLatest = asked.contains { $0.pinned(to: .earliest) != $0 }
        self.head = head
        self.mined = mined
        latest = reads
    }

    /// The same questions at one block; those without a block stay as they are.
    func pinned(to number: UInt64) -> [ChainRead] {
        latest.map { $0.pinned(to: .number(number)) }
    }
}

extension ChainRead {
    /// The same question at a block in place of the latest one.
    fileprivate func pinned(to block: BlockTag) -> ChainRead {
        moved { $0 == .latest ? block : $0 }
    }

    /// The same question at other blocks; without a block it stays as it is.
    func moved(_ tag: (BlockTag) -> BlockTag) -> ChainRead {
        switch self {
        case .block(let at): .block(tag(at))
        case .fullBlock(let at): .fullBlock(tag(at))
        case .balance(let account, let at): .balance(account, tag(at))
        case .transactionCount(let account, let at): .transactionCount(account, tag(at))
        case .call(let call, let at): .call(call, tag(at))
        case .code(let address, let at): .code(address, tag(at))
        case .storage(let contract, let slot, let at): .storage(contract, slot, tag(at))
        case .header(let at): .header(tag(at))
        case .proof(let address, let slots, let at): .proof(address, slots, tag(at))
        case .logs(let filter):
            .logs(
                LogFilter(
                    fromBlock: tag(filter.fromBlock),
                    toBlock: tag(filter.toBlock),
                    addresses: filter.addresses,
                    topics: filter.topics
                )
            )
        case .verbatim(let read): .verbatim(read.moved(tag))
        case .chainID, .blockNumber, .estimateGas, .gasPrice, .maxPriorityFeePerGas, .feeHistory,
            .lineaTip, .transaction, .receipt, .accessList, .syncing:
            self
        }
    }

    /// The number of the latest block that it asks about; nil if it names none.
    var blockNumber: UInt64? {
        switch self {
        case .block(.number(let number)), .fullBlock(.number(let number)),
            .balance(_, .number(let number)), .transactionCount(_, .number(let number)),
            .call(_, .number(let number)), .code(_, .number(let number)),
            .storage(_, _, .number(let number)), .header(.number(let number)),
            .proof(_, _, .number(let number)):
            number
        case .logs(let filter):
            if case .number(let number) = filter.toBlock { number } else { nil }
        case .verbatim(let read): read.blockNumber
        default: nil
        }
    }
}
