import DexStore
import Ethereum
import ZeroEx

/// What is known of a transaction after one look, and how it is to be reported.
struct TransactionLook {
    let session: Session
    let hash: TransactionHash
    let setup: ChainSetup
    /// What we sent; nil where it is not ours.
    let journaled: JournalTransaction?
    /// Learns how a transaction of ours ended.
    let journal: (any Journal)?
    /// Blocks that must hold it, its own included.
    let confirmations: UInt64

    /// What it is now; a receipt is believed only while its block is part of the chain.
    func status(_ first: Sighting) async throws(DexError) -> TransactionStatus {
        var life = journaled.map { TransactionLife($0) } ?? TransactionLife(.broadcast)
        let sighting = try await TransactionReading.check(
            first,
            head: setup.block,
            on: session.chain
        )
        life.see(sighting, confirmations: confirmations)
        if let receipt = sighting.receipt, sighting.isCanonical == true {
            return try await mined(receipt, confirmed: sighting.depth)
        }
        return try await unmined(sighting, life)
    }

    // MARK: Mined

    private func mined(
        _ receipt: TransactionReceipt,
        confirmed: UInt64
    ) async throws(DexError) -> TransactionStatus {
        let events: [ExchangeEvent]
        do {
            events = try session.exchangeProtocol.events(
                in: receipt.logs,
                contracts: setup.contracts
            )
        } catch {
            throw DexError(error)
        }
        var fillEvents: [FillEvent] = []
        var cancels: [TransactionStatus.Cancel] = []
        var pairCancels: [PairCancel] = []
        var skipped: [(OrderHash, SkipReason)] = []
        for event in events {
            switch event {
            case .filled(let fill): fillEvents.append(fill)
            case .cancelled(let cancel):
                cancels.append(
                    TransactionStatus.Cancel(orderHash: cancel.orderHash, maker: cancel.maker)
                )
            case .cancelSeen(let order, let maker):
                cancels.append(TransactionStatus.Cancel(orderHash: order, maker: maker))
            case .pairCancelled(let cancel): pairCancels.append(cancel)
            case .skipped(let order, let reason): skipped.append((order, reason))
            }
        }
        let exchange = session.exchangeProtocol
        let fees = fillEvents.map { exchange.feeToken(of: $0, contracts: setup.contracts) }
        let addresses = Set(fillEvents.flatMap { [$0.makerToken, $0.takerToken] })
            .union(fees.compactMap { $0 })
        let tokens = await names(of: addresses)
        if confirmed >= confirmations { settle(receipt) }
        return TransactionStatus(
            hash: hash,
            status: receipt.succeeded ? .mined : .reverted,
            from: receipt.from,
            to: receipt.to,
            block: receipt.blockNumber,
            confirmations: confirmed,
            gasUsed: receipt.gasUsed,
            cost: receipt.effectiveGasPrice?.multiplied(by: UInt256(receipt.gasUsed)),
            fills: zip(fillEvents, fees).map { fill, fee in
                TransactionStatus.Fill(
                    event: fill,
                    makerToken: tokens[fill.makerToken] ?? .unknown(fill.makerToken),
                    takerToken: tokens[fill.takerToken] ?? .unknown(fill.takerToken),
                    feeToken: fee.map { tokens[$0] ?? .unknown($0) }
                )
            },
            cancels: cancels,
            pairCancels: pairCancels,
            skipped: skipped,
            exit: exit(
                receipt,
                confirmed,
                didTrade: !fillEvents.isEmpty || !cancels.isEmpty || !pairCancels.isEmpty
            )
        )
    }

    /// Whoever asked is told now, so that the next trade need not stop at it.
    ///
    /// A journal that cannot be written does not hide what happened.
    private func settle(_ receipt: TransactionReceipt) {
        guard let journal, let journaled, journaled.sender == receipt.from else { return }
        switch journaled.status {
        case .signed, .sent, .dropped, .reorganized:
            session.environment.afterTelling { [session] in
                try? journal.record(receipt, of: session)
            }
        case .mined, .reverted, .replaced, .refused, .forgotten: break
        }
    }

    /// A call of the exchange that succeeds and moves nothing is not a trade.
    private func exit(
        _ receipt: TransactionReceipt,
        _ confirmed: UInt64,
        didTrade: Bool
    ) -> ExitCode {
        guard receipt.succeeded else { return .reverted }
        guard confirmed >= confirmations else { return .notMinedYet }
        return receipt.to == setup.contracts.exchange && !didTrade ? .filledLess : .done
    }

    /// Tokens by address; a name that cannot be read must not hide what was traded.
    private func names(of addresses: Set<Address>) async -> [Address: Token] {
        do throws(DexError) {
            return try await TokenResolver(session: session).tokens(at: addresses.sorted())
        } catch {
            session.environment.progress(error.message)
            var tokens: [Address: Token] = [:]
            for address in addresses { tokens[address] = session.tokens.known(address) }
            return tokens
        }
    }

    // MARK: Not mined

    /// Pending while the node has it; replaced once another transaction has used its nonce.
    private func unmined(
        _ first: Sighting,
        _ before: TransactionLife
    ) async throws(DexError) -> TransactionStatus {
        var life = before
        let sender = first.info?.from ?? journaled?.sender
        guard let sender, (first.info?.nonce ?? journaled?.nonce) != nil else {
            // A receipt of a block that was reorganised away: it may be mined again.
            return report(first.receipt == nil ? .unknown : .pending, first, life, sender)
        }
        let (second, baseFee) = try await lookAgain(first, sender: sender)
        var sighting = second
        life.see(sighting, confirmations: confirmations)
        if life.isInDoubt {
            // Mined in between, perhaps: a node may count a block before it serves its receipts.
            try await Broadcast.sleep(session.network.receiptInterval, session)
            sighting = try await lookAgain(sighting, sender: sender).0
            life.see(sighting, confirmations: confirmations)
        }
        if let receipt = sighting.receipt, sighting.isCanonical == true {
            return try await mined(receipt, confirmed: sighting.depth)
        }
        putBack(life)
        if let status = remembered(life, sighting) { return status }
        let status: TransactionStatus.Status =
            switch (life.stage, sighting.finding(confirmations: confirmations)) {
            case (.replaced, _): .replaced
            // The node is behind the block that holds it.
            case (.mined, _), (.confirmed, _), (.reverted, _): .pending
            case (_, .missing): .dropped
            case (_, _): .pending
            }
        return report(status, sighting, life, sender, baseFee: baseFee)
    }

    /// What is asked once its account is known: whether the nonce is used, and then the receipt
    /// again.
    ///
    /// It may have been mined meanwhile. With it comes the base fee of the next block.
    private func lookAgain(
        _ last: Sighting,
        sender: Address
    ) async throws(DexError) -> (Sighting, Wei?) {
        var batch = ReadBatch()
        let count = batch.add(.transactionCount(sender, .latest))
        let again = batch.add(.receipt(hash))
        // The base fee of the next block is the last of the history.
        let history = batch.add(.feeHistory(blocks: 1, percentiles: []))
        let answers = try await batch.send(to: session.chain)
        let used = try answers.value(count) { answer throws(ChainError) in try answer.number() }
        let nonce = last.info?.nonce ?? journaled?.nonce
        var sighting = last
        sighting.isNonceUsed = nonce.map { used > $0 }
        sighting.receipt = try reading.receipt(again, in: answers)
        sighting.isCanonical = nil
        let checked = try await TransactionReading.check(
            sighting,
            head: setup.block,
            on: session.chain
        )
        let baseFee = answers.optional(history) { answer throws(ChainError) in
            try answer.feeHistory().baseFeePerGas.last
        }
        return (checked, baseFee)
    }

    private var reading: TransactionReading {
        TransactionReading(hash: hash, sender: journaled?.sender, nonce: journaled?.nonce)
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
        _ sighting: Sighting
    ) -> TransactionStatus? {
        guard let journaled, let block = life.block, sighting.finding() == .nonceUsed else {
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
        _ sighting: Sighting,
        _ life: TransactionLife,
        _ sender: Address?,
        baseFee: Wei? = nil
    ) -> TransactionStatus {
        TransactionStatus(
            hash: hash,
            status: status,
            from: sender,
            to: sighting.info?.to,
            block: nil,
            confirmations: 0,
            gasUsed: nil,
            cost: nil,
            fills: [],
            cancels: [],
            skipped: [],
            exit: status == .pending || status == .unknown ? .notMinedYet : .replacedOrDropped,
            notes: notes(status, life, baseFee: baseFee)
        )
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
        if let block = life.takenFrom {
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
