import DexStore
import Ethereum

/// The check of signed bytes before they are sent for the first time.
///
/// Signatures are deterministic: the same payment with the same nonce and price is the same
/// transaction. Where a node counts too few of an account's transactions, what is signed can so be
/// one that was mined long ago, and its receipt would be reported as this command's.
struct FirstBroadcast {
    let session: Session
    let journal: Journal

    /// The longest wait for a node besides the one in use, in milliseconds.
    static let patience: UInt64 = 3_000

    /// Checks that neither the journal nor a node knows the transaction, and that no node counts its
    /// nonce as used.
    ///
    /// - Parameters:
    ///   - nonce: nil for one that was taken from an earlier transaction, which may be mined meanwhile.
    ///   - head: the latest block that the command has read; nil if it read none.
    /// - Returns: the latest block, as far as known: the transaction comes after it.
    /// - Throws: `DexError`: exit 4, `known-transaction`, `node-behind`; exit 3, if the journal cannot
    ///   be read.
    func check(
        _ hash: TransactionHash,
        of sender: Address,
        nonce: UInt64?,
        after head: Block?
    ) async throws(DexError) -> Block? {
        if let old = try journaled(try journal.transaction(hash)),
            old.isMinedByJournal || old.stage == .replaced
        {
            throw SendError.known(hash, block: old.block)
        }
        var batch = ReadBatch()
        let count = nonce.map { _ in batch.add(.transactionCount(sender, .latest)) }
        let latest = batch.add(.latestBlock)
        let reading = TransactionReading(
            hash: hash,
            sender: nil,
            nonce: nil,
            raw: nil,
            rules: session.network.fees
        )
        let slots = reading.ask(in: &batch)
        let views = await answers(to: batch)
        for answers in views {
            if let nonce, let used = count.flatMap({ answers.optional($0) }), used > nonce {
                throw SendError.nonceUsed(nonce, count: used)
            }
            // nil: no answer, or about another one; it says nothing
            let seen = try? reading.observation(slots, in: answers, head: nil)
            guard let seen, !seen.isEmpty else { continue }
            let block = seen.receipt?.blockNumber ?? seen.info?.blockNumber
            throw SendError.known(hash, block: block)
        }
        return ([head] + views.map { $0.optional(latest) }).compactMap(\.self)
            .max { $0.number < $1.number }
    }

    /// Checks a receipt: a block that was there before the first broadcast holds another command's.
    ///
    /// - Parameter seen: the latest block before it, as far as known.
    /// - Throws: `DexError`, exit 4, `known-transaction`.
    func check(_ receipt: TransactionReceipt?, after seen: Block?) async throws(DexError) {
        guard let receipt, let seen, receipt.blockNumber <= seen.number,
            await isStillThere(seen)
        else { return }
        throw SendError.known(receipt.transactionHash, block: receipt.blockNumber)
    }

    /// No reorganization removed a block, so that those before it are as old.
    private func isStillThere(_ block: Block) async -> Bool {
        // nil: no answer, which proves nothing
        let now = try? await session.chain.read(.block(.number(block.number)))
        return (now ?? nil)?.hash == block.hash
    }

    /// The answers of the node in use, and of the others that answer soon.
    private func answers(to batch: ReadBatch) async -> [ReadAnswers] {
        let environment = session.environment
        // The one in use is asked with all its retries.
        async let used = SingleNode(session.chain).ask(batch)
        let others = session.probes.count > 1 ? session.singleNodes : []
        let views = await others.concurrentMap { node in
            await node.ask(batch, within: Self.patience, environment)
        }
        return (views + [await used]).compactMap { $0 }
    }
}
