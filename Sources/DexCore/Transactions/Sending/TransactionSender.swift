import DexSigning
import DexStore
import Ethereum
import ZeroEx

/// Sends one transaction so that it can be neither lost nor doubled.
///
/// It reserves the nonce, makes the signed bytes durable, broadcasts, and follows the transaction
/// to its end.
package struct TransactionSender {
    let session: Session
    let journal: Journal
    let settings: TradeSettings
    let signer: AuthorizedSigner
    /// The journal's intent that the transaction belongs to.
    let intent: Int64
    /// How many transactions the plan has.
    let steps: Int
    let log = SentLog()

    struct Request {
        let purpose: TransactionPurpose
        let to: Address
        let data: [UInt8]
        let value: Wei
        var accessList: [AccessListEntry] = []
        let gasLimit: UInt64
        let fee: Transaction.Fee
        /// The next nonce at the node, including its pool.
        let pendingNonce: UInt64
        /// The chain id that the node reported.
        let chainID: UInt64
        /// The maximum deviation from the quote, in hundredths of a percent; nil if there is no
        /// quote.
        var slippage: UInt64?
        /// The genuine contracts of the swap venue, as its registry names them; empty if it is not
        /// called.
        var genuine: Set<Address> = []
        /// The transaction whose nonce it takes; nil for a new nonce.
        var replacing: JournalTransaction?
    }

    struct Result: Sendable {
        var sent: SentTransaction
        /// nil unless it was mined.
        let receipt: TransactionReceipt?
    }

    /// Signs, journals, broadcasts and waits.
    ///
    /// - Parameter contracts: the contracts whose fee token it may move; nil if it fills nothing.
    /// - Throws: `DexError` if nothing is in flight (signer, journal, node's refusal), or the
    ///   user interrupted.
    func send(
        _ request: Request,
        contracts: ExchangeContracts?
    ) async throws(DexError) -> Result {
        let signed = try await sign(request, feeToken: contracts?.feeToken)
        let hash = signed.hash
        let raw = signed.raw
        if Task.isCancelled {
            // It was never broadcast and never will be: its nonce is free again.
            try life.note(.refuse, hash)
            throw DexError.interrupted
        }
        session.environment.progress("Sending \(request.purpose.rawValue): \(hash)")
        // From here on it may be in flight, even if an interruption comes first.
        log.note(.pending(request.purpose, hash))
        let broadcast = Broadcast(session: session, journal: journal)
        var doubt: String?
        switch try await broadcast.send(raw, hash: hash) {
        case .accepted: break
        case .unknown(let reason): doubt = Broadcast.doubt(reason)
        case .refused(let words):
            // If the journal fails, it counts as signed, and the next command asks for it.
            life.attempt(try life.note(.refuse, hash))
            log.forget(hash)
            throw Self.refused(words, hash, signed.transaction.nonce, request)
        }
        let waiter = ReceiptWaiter(
            session: session,
            settings: settings,
            hash: hash,
            sender: signed.sender,
            nonce: signed.transaction.nonce,
            raw: raw,
            isAcknowledged: doubt == nil,
            shown: TransactionWait(
                purpose: request.purpose.noun,
                hash: hash,
                step: log.all.count,
                steps: steps,
                price: request.fee.maximum,
                since: session.environment.now()
            )
        )
        let end = try await waiter.wait()
        var result = conclude(end, request: request, hash: hash)
        switch end.stage {
        case .pooled:
            let waiting = await waitingReason(request.fee)
            let reasons = [doubt, waiting].compactMap { $0 }
            result.sent.reason = reasons.isEmpty ? nil : reasons.joined(separator: " ")
        case .reverted:
            let call = CallRequest(
                from: signed.sender,
                to: request.to,
                data: request.data,
                value: request.value,
                accessList: request.accessList
            )
            if let block = end.receipt?.blockNumber {
                result.sent.reason = await RevertReason.told(of: call, in: block, session)
            }
        default: break
        }
        log.note(result.sent)
        if let receipt = result.receipt {
            await AllowanceReturn(session: session, signer: signer)
                .note(signed.transaction, receipt)
        }
        return result
    }

    /// A refusal may be false and the bytes turn up after all.
    ///
    /// The next transaction therefore takes the same nonce, so that only one of them can be mined.
    private static func refused(
        _ words: String,
        _ hash: TransactionHash,
        _ nonce: UInt64,
        _ request: Request
    ) -> DexError {
        DexError(
            SendError.refused(
                hash,
                words: words,
                nonce: nonce,
                isReplacement: request.replacing != nil
            )
        )
    }

    /// Why a transaction with such a fee is not mined; nil if the node does not report it.
    private func waitingReason(_ fee: Transaction.Fee) async -> String? {
        // nil: not reported
        let history = try? await session.chain.read(.feeHistory(blocks: 1, percentiles: []))
        return GasPricing.waiting(cap: fee.maximum, baseFee: history?.baseFeePerGas.last)
    }

    private func sign(
        _ request: Request,
        feeToken: Address?
    ) async throws(DexError) -> SignedTransaction {
        let now = session.environment.now
        let chainID = session.network.chainID
        guard request.chainID == chainID else {
            throw DexError(NetworkError.wrongChain(node: request.chainID, session.network))
        }
        let slot = try slot(of: request)
        let transaction = Transaction(
            chainID: chainID,
            nonce: slot.nonce,
            fee: request.fee,
            gasLimit: request.gasLimit,
            to: request.to,
            value: request.value,
            data: request.data,
            accessList: request.accessList
        )
        let signed: SignedTransaction
        do {
            signed = try await signer.sign(
                transaction,
                chainID: request.chainID,
                terms: SigningTerms(
                    purpose: request.purpose.rawValue,
                    slippage: request.slippage,
                    feeToken: feeToken,
                    genuine: request.genuine
                )
            )
        } catch {
            if case .new(let reservation) = slot {
                try journaled(try journal.release(reservation))
            }
            throw DexError(error)
        }
        switch slot {
        case .new(let reservation):
            try journaled(
                try journal.record(
                    raw: signed.raw,
                    hash: signed.hash,
                    for: reservation,
                    now: now()
                )
            )
        case .taken(let old):
            try journaled(
                try journal.record(
                    raw: signed.raw,
                    hash: signed.hash,
                    replacing: old.hash,
                    intent: intent,
                    purpose: request.purpose.rawValue,
                    now: now()
                )
            )
        }
        return signed
    }

    /// The source of a nonce.
    private enum Slot {
        case new(NonceReservation)
        case taken(from: JournalTransaction)

        var nonce: UInt64 {
            switch self {
            case .new(let reservation): reservation.nonce
            case .taken(let old): old.nonce
            }
        }
    }

    private func slot(of request: Request) throws(DexError) -> Slot {
        if let old = request.replacing { return .taken(from: old) }
        let reservation = try journaled(
            try journal.reserveNonce(
                intent: intent,
                purpose: request.purpose.rawValue,
                chainID: session.network.chainID,
                sender: signer.address,
                pendingCount: request.pendingNonce,
                now: session.environment.now()
            )
        )
        return .new(reservation)
    }

    private func conclude(
        _ end: ReceiptWaiter.End,
        request: Request,
        hash: TransactionHash
    ) -> Result {
        let isFinal = end.stage == .confirmed || end.stage == .reverted
        // Until it is reported, the journal treats it as one that may still be mined: a command
        // repeated after a crash stops at it.
        if isFinal, let receipt = end.receipt {
            life.report(receipt)
        } else if end.stage == .replaced || end.stage == .dropped {
            life.report(hash, end.stage)
        }
        let final = isFinal ? end.receipt : nil
        let cost = final.flatMap {
            ($0.effectiveGasPrice ?? request.fee.maximum).multiplied(by: UInt256($0.gasUsed))
        }
        return Result(
            sent: SentTransaction(
                purpose: request.purpose,
                hash: hash,
                stage: end.stage,
                block: end.receipt?.blockNumber,
                gasUsed: final?.gasUsed,
                cost: cost
            ),
            receipt: final
        )
    }

    private var life: LifecycleLog { LifecycleLog(session: session, journal: journal) }
}
