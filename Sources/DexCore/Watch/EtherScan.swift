import DexStore
import Ethereum

/// Finds ether payments to and from an account.
///
/// Ether has no events. Blocks are searched for changes of the account's balance or nonce, and only
/// those blocks are read in full. An account without code cannot pay without using a nonce: between
/// two blocks with equal nonce and balance nothing was paid. A change that a block's own
/// transactions do not explain was paid by a contract.
struct EtherScan {
    let session: Session
    let subject: WatchTarget

    struct Findings {
        /// By block; their block times are not read yet, and zero.
        var events: [WatchEvent] = []
        /// The account's own transactions, whatever they did.
        var transactions: Set<TransactionHash> = []
        /// The blocks whose payments the node does not report.
        var unread: [ClosedRange<UInt64>] = []
        /// Why the node does not report the first of them, as a sentence.
        var reason: String?
    }

    /// An account's holdings after a block.
    struct Holding: Equatable {
        let balance: UInt256
        let nonce: UInt64
    }

    struct Change {
        let block: UInt64
        let before: Holding
        let after: Holding
    }

    /// The number of parts into which a range with a change is split.
    private static let parts: UInt64 = 16
    /// The number of full blocks requested at once, since they are large.
    private static let blocksAtOnce = 4
    /// The number of latest blocks whose state ordinary nodes keep.
    private static let kept: UInt64 = 127

    /// - Parameter wraps: the account's wraps and unwraps in these blocks.
    /// - Throws: `DexError` if the node does not answer, and `reorganized` if a block no longer
    ///   exists.
    func findings(
        in blocks: ClosedRange<UInt64>,
        wraps: [WrapLog]
    ) async throws(DexError) -> Findings {
        // The balance in block 0 is not a payment.
        let lower = max(blocks.lowerBound, 1)
        guard lower <= blocks.upperBound else { return Findings() }
        let blocks = lower...blocks.upperBound
        switch try await changes(in: blocks) {
        case .success(let changes): return try await read(changes, wraps: wraps)
        case .failure(let failure):
            guard blocks.upperBound - lower >= Self.kept else {
                return Findings(unread: [blocks], reason: failure.reason)
            }
            let latest = blocks.upperBound - Self.kept + 1
            var findings = try await self.findings(in: latest...blocks.upperBound, wraps: wraps)
            findings.unread.insert(lower...(latest - 1), at: 0)
            findings.reason = failure.reason
            return findings
        }
    }

    // MARK: Blocks with a change

    private func changes(
        in blocks: ClosedRange<UInt64>
    ) async throws(DexError) -> Result<[Change], Unavailable> {
        var ranges = [(low: blocks.lowerBound - 1, high: blocks.upperBound)]
        var known: [UInt64: Holding] = [:]
        var wanted = [blocks.lowerBound - 1, blocks.upperBound]
        while true {
            switch try await holdings(at: wanted) {
            case .success(let reported): known.merge(reported) { _, new in new }
            case .failure(let failure): return .failure(failure)
            }
            ranges = ranges.filter { known[$0.low] != known[$0.high] }
            wanted = ranges.flatMap { Self.inner($0.low, $0.high) }
            guard !wanted.isEmpty else { break }
            ranges = ranges.flatMap { range in
                let points = [range.low] + Self.inner(range.low, range.high) + [range.high]
                return zip(points, points.dropFirst()).map { (low: $0, high: $1) }
            }
        }
        return .success(
            ranges.compactMap { range in
                guard let before = known[range.low], let after = known[range.high] else {
                    return nil
                }
                return Change(block: range.high, before: before, after: after)
            }
        )
    }

    private static func inner(_ low: UInt64, _ high: UInt64) -> [UInt64] {
        let length = high - low
        let count = min(parts, length)
        guard count > 1 else { return [] }
        let (size, rest) = (length / count, length % count)
        // The first parts are longer by the remainder.
        return (1..<count).map { low + size * $0 + min($0, rest) }
    }

    private func holdings(
        at blocks: [UInt64]
    ) async throws(DexError) -> Result<[UInt64: Holding], Unavailable> {
        var batch = ReadBatch(capacity: 2 * blocks.count)
        let slots = blocks.map { block in
            (
                block: block,
                balance: batch.add(.balance(subject.account, .number(block))),
                nonce: batch.add(.transactionCount(subject.account, .number(block)))
            )
        }
        let answers = try await batch.send(to: session.chain)
        var holdings: [UInt64: Holding] = [:]
        for (block, balance, nonce) in slots {
            switch (try answers.valueOrReason(balance), try answers.valueOrReason(nonce)) {
            case (.success(let balance), .success(let nonce)):
                holdings[block] = Holding(balance: balance.rawValue, nonce: nonce)
            case (.failure(let failure), _), (_, .failure(let failure)): return .failure(failure)
            }
        }
        return .success(holdings)
    }

    // MARK: Payments in a block

    private func read(
        _ changes: [Change],
        wraps: [WrapLog]
    ) async throws(DexError) -> Findings {
        var findings = Findings()
        var rest = changes[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.blocksAtOnce))
            rest = rest.dropFirst(Self.blocksAtOnce)
            for (change, reported) in zip(some, try await payments(some)) {
                switch reported {
                case .success(let block):
                    findings.events += block.events(change, wraps: wraps)
                    findings.transactions.formUnion(block.own)
                case .failure(let failure):
                    findings.unread.append(change.block...change.block)
                    findings.reason = findings.reason ?? failure.reason
                }
            }
            if let last = rest.last {
                session.environment.progress(
                    "read what was paid up to block \(some.last?.block ?? 0) of \(last.block)"
                )
            }
        }
        return findings
    }

    /// The transactions to and from the account in some blocks, with their receipts.
    private func payments(
        _ changes: [Change]
    ) async throws(DexError) -> [Result<EtherBlock, Unavailable>] {
        var batch = ReadBatch()
        let slots = changes.map { batch.add(.fullBlock(.number($0.block))) }
        let answers = try await batch.send(to: session.chain)
        var blocks: [Result<FullBlock, Unavailable>] = []
        var receipts = ReadBatch()
        var asked: ReceiptSlots = [:]
        for slot in slots {
            switch try answers.valueOrReason(slot) {
            case .success(nil): throw ReadError.reorganized
            case .success(let block?):
                blocks.append(.success(block))
                for transaction in touching(block) {
                    asked[transaction.hash] = receipts.add(.receipt(transaction.hash))
                }
            case .failure(let failure): blocks.append(.failure(failure))
            }
        }
        let reported = try await receipts.send(to: session.chain)
        var read: [Result<EtherBlock, Unavailable>] = []
        for block in blocks {
            switch block {
            case .success(let block): read.append(try with(block, reported, asked))
            case .failure(let failure): read.append(.failure(failure))
            }
        }
        return read
    }

    private typealias ReceiptSlots = [TransactionHash: ReadSlot<TransactionReceipt?>]

    private func with(
        _ block: FullBlock,
        _ answers: ReadAnswers,
        _ slots: ReceiptSlots
    ) throws(DexError) -> Result<EtherBlock, Unavailable> {
        var paid: [EtherBlock.Payment] = []
        for transaction in touching(block) {
            guard let slot = slots[transaction.hash] else { continue }
            switch try answers.valueOrReason(slot) {
            case .success(let receipt?) where receipt.blockHash == block.block.hash:
                paid.append(EtherBlock.Payment(transaction: transaction, receipt: receipt))
            case .success: throw ReadError.reorganized
            case .failure(let failure): return .failure(failure)
            }
        }
        return .success(
            EtherBlock(
                subject: subject,
                weth: session.network.weth,
                hasRollupFee: session.network.fees.hasRollupFee,
                block: WatchedBlock(number: block.block.number, hash: block.block.hash),
                payments: paid
            )
        )
    }

    private func touching(_ block: FullBlock) -> [BlockTransaction] {
        block.transactions.filter { transaction in
            transaction.from == subject.account
                || transaction.to == subject.account && transaction.value != .zero
        }
    }
}
