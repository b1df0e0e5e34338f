import Ethereum

/// Polls for a transaction's receipt and, when time is up, tells what became of it.
struct ReceiptWaiter {
    let session: Session
    let settings: TradeSettings
    let hash: TransactionHash
    let sender: Address
    let nonce: UInt64
    let raw: [UInt8]

    enum Result {
        /// In a block that is canonical and deep enough.
        case mined(TransactionReceipt)
        /// Known to the node, or nobody knows.
        case pending
        /// In a block that is not deep enough yet, or not surely part of the chain.
        case unconfirmed(TransactionReceipt)
        /// Another transaction with the same nonce was mined.
        case replaced
        /// No longer known to the node.
        case dropped
    }

    /// Waits until it is mined, replaced, or the time is up.
    ///
    /// - Throws: `DexError`, exit 130, where the user interrupts.
    func wait() async throws(DexError) -> Result {
        let start = session.environment.now()
        let interval = session.network.receiptInterval
        var slept: UInt64 = 0
        var last = Sighting.unseen
        var usedUp = 0
        var misses = 0
        while true {
            let sighting = await look()
            if Task.isCancelled { throw interrupted }
            switch sighting {
            case .mined(let receipt, let head):
                (usedUp, misses) = (0, 0)
                if try await isFinal(receipt, head: head) { return .mined(receipt) }
            case .nonceUsed:
                // Twice in a row: a node may count a block before it serves its receipts.
                usedUp += 1
                if usedUp > 1 { return .replaced }
            case .missing:
                (usedUp, misses) = (0, misses + 1)
                if misses.isMultiple(of: 5) { _ = try? await session.chain.send(raw: raw) }
            case .pooled: (usedUp, misses) = (0, 0)
            case .unseen: break
            }
            if sighting.isAnswer { last = sighting }
            let now = session.environment.now()
            let elapsed = max(now > start ? now - start : 0, slept / 1_000)
            guard elapsed < settings.receiptTimeout else {
                return switch last {
                case .missing: .dropped
                case .mined(let receipt, _): .unconfirmed(receipt)
                case .pooled, .nonceUsed, .unseen: .pending
                }
            }
            do {
                try await session.environment.sleep(interval)
            } catch {
                throw interrupted
            }
            slept += interval
        }
    }

    private enum Sighting {
        case mined(TransactionReceipt, head: UInt64)
        case pooled
        case nonceUsed
        case missing
        /// The node did not answer.
        case unseen

        var isAnswer: Bool {
            if case .unseen = self { false } else { true }
        }
    }

    private func look() async -> Sighting {
        let reads: [ChainRead] = [
            .receipt(hash), .transaction(hash), .transactionCount(sender, .latest), .blockNumber,
            .chainID,
        ]
        // A node of another chain knows nothing of it, which says nothing about it.
        guard let answers = try? await session.chain.read(reads), answers.count == reads.count,
            answers[4] == .success(.number(session.network.chainID))
        else { return .unseen }
        if case .success(.receipt(let receipt?)) = answers[0], isOurs(receipt) {
            guard case .success(.number(let head)) = answers[3] else { return .unseen }
            return .mined(receipt, head: head)
        }
        guard case .success(.transaction(let info)) = answers[1],
            case .success(.number(let count)) = answers[2]
        else { return .unseen }
        if info?.hash == hash { return .pooled }
        return count > nonce ? .nonceUsed : .missing
    }

    /// Another transaction's receipt is never taken for ours.
    private func isOurs(_ receipt: TransactionReceipt) -> Bool {
        receipt.transactionHash == hash && receipt.from == sender
    }

    /// Deep enough, and still in the block that the chain has at that number.
    private func isFinal(
        _ receipt: TransactionReceipt,
        head: UInt64
    ) async throws(DexError) -> Bool {
        let depth = head >= receipt.blockNumber ? head - receipt.blockNumber : 0
        guard depth >= max(settings.confirmations, 1) - 1 else { return false }
        let reads: [ChainRead] = [.block(.number(receipt.blockNumber)), .receipt(hash)]
        guard let answers = try? await session.chain.read(reads), answers.count == 2,
            case .success(.block(let block?)) = answers[0],
            case .success(.receipt(let again?)) = answers[1]
        else { return false }
        return block.hash == receipt.blockHash && again == receipt
    }

    private var interrupted: DexError {
        DexError(
            .interrupted,
            code: "interrupted",
            message: "Interrupted while the transaction \(hash) is in flight; it is in the "
                + "journal.",
            hint: "Follow it with `dex status \(hash) --wait`."
        )
    }
}
