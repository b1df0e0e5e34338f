import DexStore
import Ethereum
import ZeroEx

/// Reads what happened to an account in a range of blocks, from their logs on.
struct ActivityReader {
    let session: Session
    let account: Address
    /// The account's transactions in the journal.
    let journaled: [JournalTransaction]

    /// More transactions of one step are not read.
    static let maximumTransactions = 50_000
    /// More logs of one step are not kept in memory.
    private static let maximumLogs = 200_000

    /// The logs of blocks, to be read in parts.
    func pages(_ blocks: ClosedRange<UInt64>, store: EventStore) -> LogPager {
        let scan = WatchScan(session: session, subject: subject)
        return LogPager(session: session, blocks: blocks, store: store) { [account] from, to in
            scan.filters(from: from, to: to)
                + [ApprovalLog.filter(of: account, from: from, to: to)]
        }
    }

    private var subject: WatchTarget {
        WatchTarget(
            chainID: session.network.chainID,
            exchange: session.network.exchange,
            account: account
        )
    }

    /// What one page of logs brings, with the blocks that the range ends with.
    ///
    /// - Parameters:
    ///   - etherFrom: the first block whose ether payments the node reports.
    ///   - reason: why it does not report earlier ones.
    /// - Throws: `DexError`: not reachable, `reorganized` if the blocks changed meanwhile, or
    ///   more logs or transactions than can be read.
    func step(
        _ page: LogPager.Page,
        head: Block,
        etherFrom: UInt64,
        reason: String?
    ) async throws(DexError) -> ActivityStep {
        let blocks = page.blocks
        guard page.logs.count <= Self.maximumLogs else {
            throw ReadError.tooManyEvents(maximum: Self.maximumLogs, block: blocks.upperBound)
        }
        let ether = try await ether(in: blocks, from: etherFrom, logs: page.logs)
        let own = try await transactions(in: blocks, page.logs, ether.transactions)
        let records = try ActivityBuilder(session: session, account: account)
            .records(page.logs, own, ether.events)
        let anchor = max(
            blocks.lowerBound,
            min(blocks.upperBound, Reorganization.start(below: head.number))
        )
        let numbers = Set(records.map(\.block.number)).union([blocks.upperBound, anchor])
        let headers = try await session.chain.blocks(numbers)
        guard let last = headers[blocks.upperBound], let early = headers[anchor],
            last.number != head.number || last.hash == head.hash
        else { throw ReadError.reorganized }
        var unread = BlockSpans(ether.unread)
        if etherFrom > blocks.lowerBound {
            unread.insert(blocks.lowerBound...min(blocks.upperBound, etherFrom - 1))
        }
        return ActivityStep(
            range: KeptRange(
                first: blocks.lowerBound,
                last: WatchedBlock(number: last.number, hash: last.hash),
                anchor: WatchedBlock(number: early.number, hash: early.hash)
            ),
            records: try records.map { record throws(DexError) in
                guard let block = headers[record.block.number], block.hash == record.block.hash
                else { throw ReadError.reorganized }
                var timed = record
                timed.time = block.timestamp
                return timed
            },
            unread: unread,
            reason: ether.reason ?? (etherFrom > blocks.lowerBound ? reason : nil)
        )
    }

    private func ether(
        in blocks: ClosedRange<UInt64>,
        from first: UInt64,
        logs: [Log]
    ) async throws(DexError) -> EtherScan.Findings {
        guard first <= blocks.upperBound else { return EtherScan.Findings() }
        let wraps = try reported(
            ExchangeError.self,
            try AccountLogs.wraps(in: logs, of: account, weth: session.network.weth)
        )
        return try await EtherScan(session: session, subject: subject)
            .findings(in: max(first, blocks.lowerBound)...blocks.upperBound, wraps: wraps)
    }

    /// The transactions of the account itself in these blocks, as far as anything tells of them.
    ///
    /// - Throws: `DexError`: `reorganized` if the node lacks a transaction, or the receipt of one, that
    ///   it has in these blocks.
    private func transactions(
        in blocks: ClosedRange<UInt64>,
        _ logs: [Log],
        _ found: Set<TransactionHash>
    ) async throws(DexError) -> [OwnTransaction] {
        var logged: [TransactionHash: Log] = [:]
        for log in logs where log.concerns(account, exchange: session.network.exchange) {
            if let hash = log.transactionHash { logged[hash] = log }
        }
        let mined = found.union(logged.keys)
        var hashes = mined
        for own in journaled {
            if let block = own.block, blocks.contains(block) { hashes.insert(own.hash) }
        }
        guard hashes.count <= Self.maximumTransactions else {
            throw ReadError.tooManyEvents(
                maximum: Self.maximumTransactions,
                block: blocks.upperBound
            )
        }
        let sorted = hashes.sorted { $0.word < $1.word }
        var batch = ReadBatch()
        let slots = sorted.map { batch.add(.transaction($0)) }
        let answers = try await batch.send(to: session.chain)
        var infos: [TransactionInfo] = []
        var unknown: [Log] = []
        for (hash, slot) in zip(sorted, slots) {
            guard let info = try answers.value(slot) else {
                guard !found.contains(hash) else { throw ReadError.reorganized }
                if let log = logged[hash] { unknown.append(log) }
                continue
            }
            guard info.hash == hash else {
                throw DexError(
                    ChainError.nonsense(
                        "it is the transaction \(info.hash) where \(hash) was asked for"
                    )
                )
            }
            if info.from == account { infos.append(info) }
        }
        try await checkAbsent(unknown)
        return try await receipts(of: infos, in: blocks, mined: mined)
    }

    /// Checks that logs whose transactions the node does not know are of none: a chain may log outside
    /// of its transactions, as Polygon's does for what comes from Ethereum.
    ///
    /// - Throws: `DexError`: `reorganized` if its block has the transaction, or is another one: the
    ///   answers are of nodes that do not have the same blocks.
    private func checkAbsent(_ logs: [Log]) async throws(DexError) {
        guard !logs.isEmpty else { return }
        let numbers = Set(logs.compactMap(\.blockNumber)).sorted()
        var batch = ReadBatch()
        let slots = numbers.map { batch.add(.fullBlock(.number($0))) }
        let answers = try await batch.send(to: session.chain)
        var found: [UInt64: FullBlock] = [:]
        for (number, slot) in zip(numbers, slots) { found[number] = try answers.value(slot) }
        for log in logs {
            guard let block = log.blockNumber.flatMap({ found[$0] }),
                block.block.hash == log.blockHash,
                !block.transactions.contains(where: { $0.hash == log.transactionHash })
            else { throw ReadError.reorganized }
        }
    }

    /// - Parameter mined: those that these blocks have; others may have gone to another block.
    private func receipts(
        of infos: [TransactionInfo],
        in blocks: ClosedRange<UInt64>,
        mined: Set<TransactionHash>
    ) async throws(DexError) -> [OwnTransaction] {
        var batch = ReadBatch()
        let slots = infos.map { batch.add(.receipt($0.hash)) }
        let answers = try await batch.send(to: session.chain)
        var own: [OwnTransaction] = []
        for (info, slot) in zip(infos, slots) {
            guard let receipt = try answers.value(slot), blocks.contains(receipt.blockNumber)
            else {
                guard !mined.contains(info.hash) else { throw ReadError.reorganized }
                continue
            }
            guard receipt.transactionHash == info.hash, receipt.from == account else {
                throw DexError(
                    ChainError.nonsense("it is another receipt where \(info.hash) was asked for")
                )
            }
            own.append(OwnTransaction(info: info, receipt: receipt))
        }
        return own
    }
}

/// A mined transaction of the account.
struct OwnTransaction {
    let info: TransactionInfo
    let receipt: TransactionReceipt
}

extension Log {
    /// It names the account, or is an event of the exchange, whose makers may not be topics.
    fileprivate func concerns(_ account: Address, exchange: Address) -> Bool {
        let word = account.word
        guard address == exchange else { return topics.dropFirst().contains(word) }
        return topics.dropFirst().contains(word)
            || stride(from: 0, to: data.count - data.count % 32, by: 32).contains { start in
                Bytes32(bytes: data[start..<start + 32]) == word
            }
    }
}
