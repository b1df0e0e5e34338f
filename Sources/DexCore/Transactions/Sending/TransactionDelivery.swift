import DexStore
import Ethereum

/// Broadcasts signed bytes that the journal has, and follows the transaction to its end.
struct TransactionDelivery {
    let session: Session
    let journal: Journal
    let settings: TradeSettings
    let log: SentLog
    /// How many transactions the command sends.
    let steps: Int
    /// What a run on this machine said of it before it was signed.
    var simulation: SimulationReport?

    /// - Parameters:
    ///   - abi: words the contract's own errors; nil if the user gave none.
    ///   - head: the latest block before bytes are sent for the first time; nil if it is not known, or
    ///     they may have been sent before.
    ///   - act: what the journal notes if no node can have the bytes: a refusal, after which the
    ///     nonce is free, or that they are held back again.
    ///   - failure: the error then, from a node's words.
    /// - Throws: `DexError` if nothing is in flight, or the user interrupted.
    func deliver(
        _ signed: SignedTransaction,
        purpose: TransactionPurpose,
        abi: ContractABI? = nil,
        after head: Block? = nil,
        refused act: TransactionLife.Act,
        failure: (String) -> DexError
    ) async throws(DexError) -> TransactionSender.Result {
        let hash = signed.hash
        let transaction = signed.transaction
        if Task.isCancelled {
            // It was never broadcast and never will be.
            try life.note(act, hash)
            throw DexError.interrupted
        }
        session.environment.progress("Sending \(purpose.rawValue): \(hash)")
        // From here on it may be in flight, even if an interruption comes first.
        var pending = SentTransaction.pending(purpose, hash, session.network.coin)
        pending.simulation = simulation
        log.note(pending)
        let broadcast = Broadcast(session: session, journal: journal)
        var doubt: String?
        var declined: DeclinedSend?
        let endpoint = session.network.privateName
        switch try await broadcast.send(signed.raw, hash: hash) {
        case .accepted: break
        case .unknown(let reason) where endpoint != nil,
            .declined(let reason) where endpoint != nil:
            // Never a silent way to the public nodes, and none of them would show it.
            throw SendError.privateUnconfirmed(hash, endpoint: endpoint ?? "", reason: reason)
        case .unknown(let reason): doubt = Broadcast.doubt(reason)
        case .declined(let words):
            let one = await self.declined(words, signed)
            doubt = one.sentence("it")
            declined = one
            session.environment.progress(one.sentence("it"))
        case .refused(let words):
            // If the journal fails, it counts as signed, and the next command asks for it.
            life.attempt(try life.note(act, hash))
            log.forget(hash)
            // A refusal may be false and the bytes turn up after all.
            throw failure(
                endpoint.map { "the private mempool at \($0) says \(words)" } ?? words
            )
        }
        session.environment.onSent(hash)
        let waiter = ReceiptWaiter(
            session: session,
            journal: journal,
            settings: settings,
            hash: hash,
            sender: signed.sender,
            nonce: transaction.nonce,
            raw: signed.raw,
            isAcknowledged: doubt == nil,
            shown: TransactionWait(
                purpose: purpose.noun,
                hash: hash,
                step: log.all.count,
                steps: steps,
                price: transaction.maximumGasPrice,
                since: session.environment.now()
            )
        )
        var end = try await waiter.wait()
        var followed = signed
        if end.stage == .replaced, let successor = try repetition(of: hash, purpose) {
            // A speed-up of another command does the same: its end is this one's.
            session.environment.progress("It was replaced by your own \(successor.hash)")
            followed = successor
            end = try await ReceiptWaiter(
                session: session,
                journal: journal,
                settings: settings,
                hash: successor.hash,
                sender: successor.sender,
                nonce: successor.transaction.nonce,
                raw: successor.raw,
                isAcknowledged: true
            ).wait()
            declined = nil
        }
        // Left unreported, it stops a repeated command, which asks what it did.
        try await FirstBroadcast(session: session, journal: journal)
            .check(end.receipt, after: head)
        var result = conclude(end, followed, purpose: purpose)
        switch end.stage {
        case .pooled:
            if !end.isSeen { result.sent.declined = declined }
            let waiting = await waitingReason(transaction.fee)
            let some = session.quorumMemory.receiptOfSome(hash)
            let undecided = end.isInDoubt ? Self.undecided : nil
            let other = some == nil && undecided == nil ? waiting : nil
            let hidden = end.isSeen ? nil : endpoint.map(Self.hidden)
            let reasons = [doubt, undecided, some, hidden, other].compactMap { $0 }
            result.sent.reason = reasons.isEmpty ? nil : reasons.joined(separator: " ")
        case .reverted:
            if let block = end.receipt?.blockNumber, let to = transaction.to {
                let call = CallRequest(
                    from: signed.sender,
                    to: to,
                    data: transaction.data,
                    value: transaction.value,
                    accessList: transaction.accessList
                )
                result.sent.reason = await RevertReason.read(
                    of: call,
                    in: block,
                    session,
                    abi: abi
                )
            }
        default: break
        }
        log.note(result.sent)
        return result
    }

    /// What no node took, with the command that mends it at the prices that the nodes report now.
    private func declined(_ words: String, _ signed: SignedTransaction) async -> DeclinedSend {
        var batch = ReadBatch()
        let asked = AccountHead.ask(session, signed.sender, in: &batch)
        let answers = try? await batch.send(to: session.chain)  // nil: no prices are known
        let fees = answers.flatMap { try? $0.value(asked).fees }  // as above
        return DeclinedSend(
            words,
            signed.hash,
            signed.transaction,
            market: fees.flatMap { try? GasPricing.fee($0) },  // nil: not reported
            base: fees?.baseFee
        )
    }

    /// Our own replacement that does the same as a transaction, the last one; nil if there is none.
    private func repetition(
        of hash: TransactionHash,
        _ purpose: TransactionPurpose
    ) throws(DexError) -> SignedTransaction? {
        guard let own = try journaled(try journal.transaction(hash)) else { return nil }
        let line = try journaled(try journal.successors(of: own))
        guard let last = line.last, last.purpose == purpose.rawValue,
            let old = own.signed(session), let new = last.signed(session),
            old.transaction.to == new.transaction.to, old.transaction.data == new.transaction.data
        else { return nil }
        return new
    }

    /// Why no node shows a transaction that is not mined.
    static func hidden(in endpoint: String) -> String {
        "It waits in the private mempool at \(endpoint), which no node shows before it is mined."
    }

    private static let undecided =
        "Its nonce is used, and no node shows yet whether by it or by another transaction: it may be "
        + "mined."

    /// Why a transaction with such a fee is not mined; nil if the node does not report it.
    private func waitingReason(_ fee: Transaction.Fee) async -> String? {
        // nil: not reported
        let history = try? await session.chain.read(.feeHistory(blocks: 1, percentiles: []))
        return GasPricing.waiting(cap: fee.maximum, baseFee: history?.baseFeePerGas.last)
    }

    private func conclude(
        _ end: ReceiptWaiter.End,
        _ signed: SignedTransaction,
        purpose: TransactionPurpose
    ) -> TransactionSender.Result {
        let isFinal = end.stage == .confirmed || end.stage == .reverted
        // Until it is reported, the journal treats it as one that may still be mined: a command
        // repeated after a crash stops at it.
        if isFinal, let receipt = end.receipt {
            life.report(receipt)
        } else if end.stage == .replaced || end.stage == .dropped {
            life.report(signed.hash, end.stage)
        }
        let final = isFinal ? end.receipt : nil
        let cost = final.flatMap {
            $0.networkFee(
                at: $0.effectiveGasPrice ?? signed.transaction.maximumGasPrice,
                hasRollupFee: session.network.fees.hasRollupFee
            )
        }
        if final != nil, cost == nil {
            session.environment.warn(RollupCost.unread(by: signed.hash))
        }
        return TransactionSender.Result(
            sent: SentTransaction(
                purpose: purpose,
                hash: signed.hash,
                coin: session.network.coin,
                stage: end.stage,
                block: end.receipt?.blockNumber,
                gasUsed: final?.gasUsed,
                cost: cost,
                simulation: simulation
            ),
            receipt: final
        )
    }

    private var life: LifecycleLog { LifecycleLog(session: session, journal: journal) }
}
