import DexStore
import Ethereum
import ZeroEx

/// The report of a transaction in no block.
extension TransactionStatusResolver {
    /// Pooled while the node has it; replaced once another transaction has used its nonce.
    ///
    /// nil if the node does not know it and it is not ours.
    func unmined(
        _ first: TransactionObservation,
        _ before: TransactionLife
    ) async throws(DexError) -> TransactionStatus? {
        let reading = TransactionReading(
            hash: hash,
            sender: first.info?.from ?? journaled?.sender,
            nonce: first.info?.nonce ?? journaled?.nonce,
            raw: journaled?.raw,
            rules: session.network.fees
        )
        guard reading.sender != nil, reading.nonce != nil else {
            // A receipt of a block that was reorganized away: it may be mined again.
            return first.receipt == nil ? nil : await report(.pooled, first, before, nil)
        }
        let (life, observation, baseFee) = try await ask(reading, before)
        if let receipt = observation.receipt, observation.isCanonical == true {
            return try await mined(receipt, observation, life)
        }
        // A node may no longer have the receipt of a mined transaction: the journal keeps it.
        if life.stage != .replaced { note(life) }
        if let status = await remembered(life, observation) { return status }
        let stage: TransactionStage =
            switch (life.stage, observation.meaning(confirmations: confirmations)) {
            case (.replaced, _): .replaced
            // The node is behind the block that holds it.
            case (.mined, _), (.confirmed, _), (.reverted, _): .pooled
            case (.held, .missing): .held
            // Sent to a private mempool, which no node shows.
            case (.dropped, .missing) where isPrivate: .pooled
            case (_, .missing): .dropped
            case (_, _): .pooled
            }
        return await report(stage, observation, life, reading.sender, baseFee: baseFee)
    }

    /// The node's view once the account is known, with the base fee of the next block.
    private func ask(
        _ reading: TransactionReading,
        _ life: TransactionLife
    ) async throws(DexError) -> (TransactionLife, TransactionObservation, baseFee: Wei?) {
        let observer = TransactionObserver(
            session: session,
            journal: journal,
            confirmations: confirmations
        )
        var batch = ReadBatch()
        let asked = observer.ask([reading], in: &batch)
        // The base fee of the next block is the last of the history.
        let history = batch.add(.feeHistory(blocks: 1, percentiles: []))
        let answers = try await batch.send(to: session.chain)
        let all = try await observer.observe([life], answers.value(asked))
        let baseFee = answers.optional(history)?.baseFeePerGas.last
        return (all.first?.life ?? life, all.first?.observation ?? .nothing, baseFee)
    }

    /// The journal's report of a transaction too old for the node; nil if a reorganization may have
    /// undone it.
    private func remembered(
        _ life: TransactionLife,
        _ observation: TransactionObservation
    ) async -> TransactionStatus? {
        guard let journaled, let block = life.block, observation.meaning() == .nonceUsed else {
            return nil
        }
        let (depth, isAhead) = setup.block.number.subtractingReportingOverflow(block)
        guard !isAhead, depth > TransactionLife.finalDepth else { return nil }
        var status = TransactionStatus(
            hash,
            coin: session.network.coin,
            without: life.stage == .reverted ? .reverted : .confirmed,
            from: journaled.sender,
            to: journaled.signed(session)?.transaction.to,
            block: block,
            confirmations: depth + 1
        )
        status.details = await details(observation)
        return status
    }

    private func report(
        _ stage: TransactionStage,
        _ observation: TransactionObservation,
        _ life: TransactionLife,
        _ sender: Address?,
        baseFee: Wei? = nil
    ) async -> TransactionStatus {
        let own = journaled?.signed(session)?.transaction
        var status = TransactionStatus(
            hash,
            coin: session.network.coin,
            without: stage,
            from: sender,
            to: own?.to ?? observation.info?.to
        )
        status.details = await details(observation)
        if stage == .replaced, journaled?.successor == nil, let sender,
            let nonce = journaled?.nonce ?? observation.info?.nonce
        {
            status.nonceTaker = await NonceTakerSearch(session: session, journal: journal)
                .taker(of: nonce, by: sender, head: setup.block.number)
        }
        status.notes = notes(stage, life, baseFee: baseFee, taker: status.nonceTaker)
        status.remedy = remedy(stage)
        return status
    }

    /// The command that ends a transaction in no block; nil if there is none.
    private func remedy(_ stage: TransactionStage) -> String? {
        guard let journaled, stage == .dropped, journaled.holdsNonce, journaled.successor == nil
        else { return nil }
        return "Send it again as it is: dex resume. Give it up: dex tx cancel \(hash)"
    }

    /// The notes about a transaction in no block.
    private func notes(
        _ stage: TransactionStage,
        _ life: TransactionLife,
        baseFee: Wei?,
        taker: NonceTaker?
    ) -> [String] {
        if life.isInDoubt {
            return [
                "Its nonce is used, and no node shows yet whether by it or by another transaction: it "
                    + "may be mined, and a node may lag behind. Ask again in a minute."
            ]
        }
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
        switch stage {
        case .held:
            notes.append(
                "It is signed and not sent: `dex broadcast FILE` sends it, and whoever has its file "
                    + "can. `dex tx export \(hash) --out FILE` writes it again, and `dex tx cancel "
                    + "\(hash)` takes its nonce."
            )
        case .pooled:
            if life.stage == .dropped, isPrivate, let endpoint = session.network.privateName {
                notes.append(TransactionDelivery.hidden(in: endpoint))
            }
            if let waiting = GasPricing.waiting(cap: cap, baseFee: baseFee) {
                notes.append(waiting)
            }
        case .dropped where journaled?.stage == .refused:
            notes.append(
                "A node refused it, and this one does not know it. The next transaction of the "
                    + "account takes its nonce, so that only one of the two can be mined."
            )
        case .dropped where journaled?.successor != nil:
            notes.append("The node does not know it any more, and it is never sent again.")
        case .dropped where journaled != nil:
            notes.append(
                "The node does not know it any more. It is in the journal: the next command that "
                    + "sends something first sends it again as it is."
            )
        case .replaced:
            notes.append(
                taker?.sentence(session.network.coin)
                    ?? "Another transaction of the account with the same nonce was mined in its place, "
                    + "so it never will be. What that one did is not known here."
            )
        default: break
        }
        return notes
    }

    /// It is ours, and ours go to a private mempool.
    private var isPrivate: Bool { journaled != nil && session.network.privateRPC != nil }

    /// The maximum price of a unit of gas of our own transaction.
    private var cap: Wei? {
        journaled?.signed(session)?.transaction.maximumGasPrice
    }
}
