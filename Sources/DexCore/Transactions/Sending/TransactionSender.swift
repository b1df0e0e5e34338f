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
    /// The signed number of the guard that fires by it; nil without one.
    var firedGuard: Bytes32?
    let log = SentLog()

    /// What the plan that it sends is carried out with.
    var context: OperationContext {
        OperationContext(session: session, journal: journal, settings: settings)
    }

    /// One transaction of a confirmed plan, checked again and simulated right before signing.
    ///
    /// That check shows that the node is on the session's chain.
    package struct Request: Sendable {
        let purpose: TransactionPurpose
        /// What is signed of it is to whom, the data, the value and the access list.
        let call: CallRequest
        let gasLimit: UInt64
        let fee: Transaction.Fee
        /// The next nonce at the node, including its pool.
        let pendingNonce: UInt64
        /// The latest block of the last check; nil if none was read.
        var head: Block?
        /// The maximum deviation from the quote, in hundredths of a percent; nil if there is no
        /// quote.
        var slippage: UInt64?
        /// The fee token that it may move; nil if it fills nothing, or the exchange has none.
        var feeToken: Address?
        /// The genuine contracts of the swap venue, as its registry names them; empty if it is not
        /// called.
        var genuine: Set<Address> = []
        /// What a rollup takes beside the gas.
        let rollup: RollupCost
        /// The transaction whose nonce it takes; nil for a new nonce.
        var replacing: JournalTransaction?
        /// Words the contract's own errors; nil if the user gave none.
        var abi: ContractABI?
        /// What a run on this machine says of it; nil if none was asked for.
        var simulation: SimulationReport?

        /// What its rules are told of it.
        func terms(firedGuard: Bytes32?) -> SigningTerms {
            SigningTerms(
                purpose: purpose.rawValue,
                slippage: slippage,
                feeToken: feeToken,
                genuine: genuine,
                // An approval alone is no firing: the guard may wait again after it.
                firedGuard: purpose.isApproval ? nil : firedGuard,
                rollupFee: rollup.maximum
            )
        }

        /// What is signed.
        func transaction(chainID: UInt64, nonce: UInt64) -> Transaction {
            Transaction(
                chainID: chainID,
                nonce: nonce,
                fee: fee,
                gasLimit: gasLimit,
                to: call.to,
                value: call.value,
                data: call.data,
                accessList: call.accessList
            )
        }
    }

    struct Result: Sendable {
        var sent: SentTransaction
        /// nil unless it was mined.
        let receipt: TransactionReceipt?
        /// The most that it can have cost beside its value.
        var maximumCost = Wei(.max)
    }

    /// Signs, journals, broadcasts and waits.
    ///
    /// - Throws: `DexError` if nothing is in flight (signer, journal, node's refusal), or the
    ///   user interrupted.
    func send(_ request: Request) async throws(DexError) -> Result {
        let (signed, head) = try await sign(request)
        let delivery = TransactionDelivery(
            session: session,
            journal: journal,
            settings: settings,
            log: log,
            steps: steps,
            simulation: request.simulation
        )
        var result = try await delivery.deliver(
            signed,
            purpose: request.purpose,
            abi: request.abi,
            after: head,
            // The next transaction takes the same nonce, so that only one of them can be mined.
            refused: .refuse
        ) { words in
            SendError.refused(
                signed.hash,
                words: words,
                nonce: signed.transaction.nonce,
                isReplacement: request.replacing != nil
            )
        }
        result.maximumCost =
            signed.transaction.maximumGasPrice.multiplied(by: UInt256(request.gasLimit))?
            .adding(request.rollup.maximum) ?? Wei(.max)
        if let receipt = result.receipt {
            await AllowanceReturn(session: session, signer: signer)
                .note(signed.transaction, receipt)
        }
        return result
    }

    /// Signs and journals what is not sent; the file has it all.
    ///
    /// - Parameter file: the file of the signed bytes.
    /// - Throws: `DexError` if nothing was signed, or the journal does not take it.
    func hold(
        _ request: Request,
        file: @escaping (SignedTransaction) throws(DexError) -> SignedFile
    ) async throws(DexError) -> SignedFile {
        var made: SignedFile?
        let (signed, _) = try await sign(request) { signed throws(DexError) in
            let one = try file(signed)
            made = one
            return one.text
        }
        guard let made else { throw SignedFileError.notOneTransaction }
        session.environment.progress("Signed \(request.purpose.rawValue): \(signed.hash)")
        return made
    }

    /// Signs, and makes the bytes durable.
    ///
    /// - Parameter file: makes the text of the file for bytes that are not sent; nil if they are.
    /// - Returns: also the latest block before it is sent, as far as known.
    private func sign(
        _ request: Request,
        file: ((SignedTransaction) throws(DexError) -> String)? = nil
    ) async throws(DexError) -> (SignedTransaction, head: Block?) {
        let now = session.environment.now
        let chainID = session.network.chainID
        // As it was read right before, after the user's answer.
        try session.checkFreshness(settings)
        let slot = try slot(of: request)
        let signed: SignedTransaction
        do {
            signed = try await signer.sign(
                request.transaction(chainID: chainID, nonce: slot.nonce),
                chainID: chainID,
                terms: request.terms(firedGuard: firedGuard)
            )
        } catch {
            if case .new(let reservation) = slot {
                try journaled(try journal.release(reservation))
            }
            throw DexError(error)
        }
        let head: Block?
        do {
            head = try await FirstBroadcast(session: session, journal: journal).check(
                signed.hash,
                of: signed.sender,
                nonce: request.replacing == nil ? slot.nonce : nil,
                after: request.head
            )
        } catch {
            if case .new(let reservation) = slot {
                try journaled(try journal.release(reservation))
            }
            throw error
        }
        let text = try file?(signed)
        switch slot {
        case .new(let reservation):
            try journaled(
                try journal.record(
                    raw: signed.raw,
                    hash: signed.hash,
                    for: reservation,
                    file: text,
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
                    file: text,
                    now: now()
                )
            )
        }
        return (signed, head)
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
        if let maximum = session.network.fees.maximumWaiting,
            reservation.nonce >= request.pendingNonce.addingSaturating(maximum)
        {
            try journaled(try journal.release(reservation))
            throw SendError.tooManyWaiting(maximum: maximum)
        }
        return .new(reservation)
    }
}
