import DexStore
import Ethereum
import ZeroEx

/// What is told of a transaction that is in no block.
extension TransactionStatusResolver {
    /// Pending while the node has it; replaced once another transaction has used its nonce.
    func unmined(
        _ first: TransactionObservation,
        _ before: TransactionLife
    ) async throws(DexError) -> TransactionStatus {
        var life = before
        let sender = first.info?.from ?? journaled?.sender
        guard let sender, (first.info?.nonce ?? journaled?.nonce) != nil else {
            // A receipt of a block that was reorganised away: it may be mined again.
            return report(first.receipt == nil ? .unknown : .pending, first, life, sender)
        }
        let (second, baseFee) = try await lookAgain(first, sender: sender)
        var observation = second
        life.see(observation, confirmations: confirmations)
        if life.isInDoubt {
            // Mined in between, perhaps: a node may count a block before it serves its receipts.
            try await Broadcast.sleep(session.network.receiptInterval, session)
            observation = try await lookAgain(observation, sender: sender).0
            life.see(observation, confirmations: confirmations)
        }
        if let receipt = observation.receipt, observation.isCanonical == true {
            return try await mined(receipt, observation)
        }
        putBack(life)
        if let status = remembered(life, observation) { return status }
        let status: TransactionStatus.Status =
            switch (life.stage, observation.finding(confirmations: confirmations)) {
            case (.replaced, _): .replaced
            // The node is behind the block that holds it.
            case (.mined, _), (.confirmed, _), (.reverted, _): .pending
            case (_, .missing): .dropped
            case (_, _): .pending
            }
        return report(status, observation, life, sender, baseFee: baseFee)
    }

    /// What is asked once its account is known: whether the nonce is used, and then the receipt
    /// again.
    ///
    /// It may have been mined meanwhile. With it comes the base fee of the next block.
    private func lookAgain(
        _ last: TransactionObservation,
        sender: Address
    ) async throws(DexError) -> (TransactionObservation, Wei?) {
        var batch = ReadBatch()
        let count = batch.add(.transactionCount(sender, .latest))
        let again = batch.add(.receipt(hash))
        // The base fee of the next block is the last of the history.
        let history = batch.add(.feeHistory(blocks: 1, percentiles: []))
        let answers = try await batch.send(to: session.chain)
        let used = try answers.value(count)
        let nonce = last.info?.nonce ?? journaled?.nonce
        var observation = last
        observation.isNonceUsed = nonce.map { used > $0 }
        observation.receipt = try reading.receipt(again, in: answers)
        observation.isCanonical = nil
        let checked = try await TransactionReading.check(
            observation,
            head: setup.block,
            on: session.chain
        )
        return (checked, answers.optional(history)?.baseFeePerGas.last)
    }

    private var reading: TransactionReading {
        TransactionReading(
            hash: hash,
            sender: journaled?.sender,
            nonce: journaled?.nonce,
            raw: journaled?.raw
        )
    }

    /// The journal no longer takes for mined what a reorganization took out of the chain, so that
    /// the next command counts with it.
    ///
    /// A journal that cannot be written does not hide what happened.
    private func putBack(_ life: TransactionLife) {
        guard let journal, let journaled, !life.stage.isInBlock, life.stage != .replaced else {
            return
        }
        switch journaled.status {
        case .mined, .reverted:
            try? journal.mark(hash, as: .reorganized, now: session.environment.now())
        case .signed, .sent, .dropped, .reorganized, .replaced, .refused, .forgotten: break
        }
    }

    /// What the journal tells of a transaction so old that the node may have forgotten it; nil
    /// where a reorganisation may have undone it.
    private func remembered(
        _ life: TransactionLife,
        _ observation: TransactionObservation
    ) -> TransactionStatus? {
        guard let journaled, let block = life.block, observation.finding() == .nonceUsed else {
            return nil
        }
        let (depth, isAhead) = setup.block.number.subtractingReportingOverflow(block)
        guard !isAhead, depth > TransactionLife.finalDepth else { return nil }
        let succeeded = life.stage != .reverted
        return TransactionStatus(
            hash: hash,
            status: succeeded ? .mined : .reverted,
            from: journaled.sender,
            to: nil,
            block: block,
            confirmations: depth + 1,
            gasUsed: nil,
            cost: nil,
            fills: [],
            cancels: [],
            skipped: [],
            exit: succeeded ? .done : .reverted
        )
    }

    private func report(
        _ status: TransactionStatus.Status,
        _ observation: TransactionObservation,
        _ life: TransactionLife,
        _ sender: Address?,
        baseFee: Wei? = nil
    ) -> TransactionStatus {
        TransactionStatus(
            hash: hash,
            status: status,
            from: sender,
            to: observation.info?.to,
            block: nil,
            confirmations: 0,
            gasUsed: nil,
            cost: nil,
            fills: [],
            cancels: [],
            skipped: [],
            exit: status == .pending || status == .unknown ? .notMinedYet : .replacedOrDropped,
            notes: notes(status, life, baseFee: baseFee),
            remedy: remedy(status)
        )
    }

    /// What brings one to an end that is in no block; nil where nothing does.
    private func remedy(_ status: TransactionStatus.Status) -> String? {
        guard let journaled, status == .dropped, journaled.holdsNonce else { return nil }
        return "Send it again as it is: dex resume. Give it up: dex tx cancel \(hash)"
    }

    // MARK: Why

    /// What to tell of a transaction that is in no block.
    private func notes(
        _ status: TransactionStatus.Status,
        _ life: TransactionLife,
        baseFee: Wei?
    ) -> [String] {
        if let block = life.block {
            return [
                "By the journal it is in block \(block), and the node's latest block is "
                    + "\(setup.block.number): the node is behind. Wait, or name another with --rpc."
            ]
        }
        var notes: [String] = []
        if let block = life.reorgedFromBlock {
            notes.append(
                "It was mined in block \(block) before, and a reorganization took that block out "
                    + "of the chain: what it did is undone."
            )
        }
        switch status {
        case .pending:
            if let waiting = GasPricing.waiting(cap: cap, baseFee: baseFee) {
                notes.append(waiting)
            }
        case .dropped where journaled?.status == .refused:
            notes.append(
                "A node refused it, and this one does not know it. The next transaction of the "
                    + "account takes its nonce, so that only one of the two can be mined."
            )
        case .dropped where journaled != nil:
            notes.append(
                "The node does not know it any more. It is in the journal: the next command that "
                    + "sends something first sends it again as it is."
            )
        case .replaced:
            notes.append(
                "Another transaction of the account with the same nonce was mined in its place, "
                    + "so it never will be."
            )
        case .unknown, .mined, .reverted, .dropped: break
        }
        return notes
    }

    /// The most that our own transaction pays for a unit of gas.
    private var cap: Wei? {
        guard let journaled else { return nil }
        let signed = try? SignedTransaction(
            raw: journaled.raw,
            recoverer: session.recoverer
        )
        return signed?.transaction.maximumGasPrice
    }
}
