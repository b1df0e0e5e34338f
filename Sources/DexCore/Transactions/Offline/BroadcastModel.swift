package import DexSigning
package import DexStore
import Ethereum
import ZeroEx

/// `dex broadcast`: sends a transaction that was signed earlier, here or on another machine.
///
/// It has no key and signs nothing. Of the file only the signed bytes count; everything shown is
/// read from them and from the chain.
package struct BroadcastModel: Sendable {
    let session: Session
    let journal: Journal
    let settings: TradeSettings
    /// What reads the effects of a call on this network.
    let scope: SigningScope

    package init(
        session: Session,
        journal: Journal,
        settings: TradeSettings,
        scope: SigningScope
    ) {
        self.session = session
        self.journal = journal
        self.settings = settings
        self.scope = scope
    }

    /// Checks a file's bytes against it, the network and the chain; nothing is sent or written.
    ///
    /// - Throws: `DexError`: exit 2, `bad-signed-file`; exit 6 for another chain, a used nonce, a
    ///   gap before its nonce, a fee below the base fee, too little ether, and what has expired; 10
    ///   if it would fail or fill nothing; 3 or 4 for a node on another chain or without an answer.
    package func plan(_ content: [UInt8]) async throws(DexError) -> PlannedBroadcast {
        let file = try SignedFile(content)
        let signed = try file.verified(session.recoverer)
        guard file.chainID == session.network.chainID else {
            throw SignedFileError.otherChain(file: file.chainID, session.network)
        }
        return try await checked(file, signed)
    }

    private func checked(
        _ file: SignedFile,
        _ signed: SignedTransaction
    ) async throws(DexError) -> PlannedBroadcast {
        let observer = TransactionObserver(
            session: session,
            journal: journal,
            confirmations: settings.confirmations
        )
        var batch = ReadBatch()
        let askedCheck = BroadcastCheck.ask(
            session: session,
            scope: scope,
            file: file,
            signed: signed,
            in: &batch
        )
        let reading = TransactionReading(
            hash: signed.hash,
            sender: signed.sender,
            nonce: signed.transaction.nonce,
            raw: signed.raw,
            rules: session.network.fees
        )
        let asked = observer.ask([reading], in: &batch)
        let answers = try await batch.send(to: session.chain)
        let check = try answers.value(askedCheck)
        let seen = try await observer.observe(
            [TransactionLife(.held)],
            answers.value(asked)
        )
        let life = seen.first?.life ?? TransactionLife(.held)
        switch life.stage {
        case .mined, .confirmed, .reverted:
            let mined = try await status(of: signed.hash)
            return PlannedBroadcast(
                plan: try await check.plan(.mined, names: names),
                file: file,
                signed: signed,
                mined: mined
            )
        case .replaced:
            throw SignedFileError.nonceUsed(signed.transaction.nonce, signed.hash)
        case .pooled:
            let plan = try await check.plan(.pooled, names: names)
            return PlannedBroadcast(plan: plan, file: file, signed: signed, mined: nil)
        default:
            guard !life.isInDoubt else {
                throw SignedFileError.undecided(signed.transaction.nonce, signed.hash)
            }
            if let own = try journaled(try journal.transaction(signed.hash)),
                let successor = own.successor
            {
                throw ReplacementError.hasSuccessor(own.hash, successor: successor)
            }
            try check.check(held: try held(signed))
            let plan = try await check.explored(try await check.plan(.new, names: names))
            return PlannedBroadcast(plan: plan, file: file, signed: signed, mined: nil)
        }
    }

    /// The journal's signed transactions of the account that are not sent, by nonce.
    private func held(
        _ signed: SignedTransaction
    ) throws(DexError) -> [UInt64: TransactionHash] {
        let unsettled = try journaled(
            try journal.unsettled(chainID: session.network.chainID, sender: signed.sender)
        )
        var held: [UInt64: TransactionHash] = [:]
        for one in unsettled where one.stage == .held && one.successor == nil {
            held[one.nonce] = one.hash
        }
        return held
    }

    /// Journals the bytes, sends them, and waits for them as every command that sends.
    ///
    /// Everything is checked once more right before.
    ///
    /// - Throws: `DexError`, as `plan`; exit 4 if every node refuses it; exit 6, `nonce-held`, if
    ///   the journal has another transaction with its nonce; the user interrupted.
    package func execute(_ planned: PlannedBroadcast) async throws(DexError) -> BroadcastOutcome {
        if let settled = planned.settled { return settled }
        let again = try await checked(planned.file, planned.signed)
        if let settled = again.settled { return settled }
        let unseen = again.plan.differences.filter { !planned.plan.differences.contains($0) }
        guard unseen.isEmpty else {
            throw SimulationError.unplanned(subject: "the transaction", unseen)
        }
        let log = IntentLog(session: session, journal: journal)
        let sent = SentLog()
        do {
            guard try journaled(try journal.transaction(again.signed.hash)) == nil else {
                return try await send(again, sent)
            }
            let intent = try log.open("broadcast", account: again.signed.sender)
            return try await log.closing(intent) { () async throws(DexError) in
                try journaled(
                    try journal.record(
                        handedOver: again.signed,
                        file: again.file.text,
                        chainID: session.network.chainID,
                        intent: intent,
                        purpose: again.plan.purpose.rawValue,
                        now: session.environment.now()
                    )
                )
                return try await send(again, sent)
            }
        } catch {
            throw error.after(sent.all)
        }
    }

    private func send(
        _ planned: PlannedBroadcast,
        _ log: SentLog
    ) async throws(DexError) -> BroadcastOutcome {
        let signed = planned.signed
        let hash = signed.hash
        // From here on it counts as sent: after a crash `dex resume` offers the same bytes again.
        try LifecycleLog(session: session, journal: journal).note(.release, hash)
        let result = try await TransactionDelivery(
            session: session,
            journal: journal,
            settings: settings,
            log: log,
            steps: 1,
            simulation: planned.plan.simulation
        ).deliver(signed, purpose: planned.plan.purpose, refused: .hold) { words in
            SignedFileError.nodeRefused(hash, words: words)
        }
        return await outcome(planned, result.sent)
    }

    private func outcome(
        _ planned: PlannedBroadcast,
        _ sent: SentTransaction
    ) async -> BroadcastOutcome {
        var warnings: [String] = []
        var mined: TransactionStatus?
        switch sent.stage {
        case .confirmed, .reverted:
            do throws(DexError) {
                mined = try await status(of: sent.hash)
            } catch {
                warnings.append(error.message)
            }
        default:
            warnings.append(
                sent.ending(
                    "the transaction",
                    nothing: "it never will be",
                    confirmations: settings.confirmations
                )
            )
        }
        return BroadcastOutcome(
            plan: planned.plan,
            transactions: [sent],
            mined: mined,
            warnings: warnings,
            ending: mined?.ending ?? sent.stage.ending
        )
    }

    /// The outcome by the receipt; a trade of this journal is held against its confirmed bounds.
    private func status(of hash: TransactionHash) async throws(DexError) -> TransactionStatus? {
        let state = try await StatusModel(session: session, journal: journal)
            .load(hash.word, confirmations: settings.confirmations)
        if case .transaction(let status) = state { return status }
        return nil
    }

    /// Tokens by address; a name that cannot be read hides nothing.
    private func names(_ addresses: Set<Address>) async -> [Address: Token] {
        do throws(DexError) {
            let read = try await TokenResolver(session: session)
                .checkedTokens(at: addresses.sorted())
            for warning in read.warnings { session.environment.warn(warning) }
            return read.tokens
        } catch {
            session.environment.warn(error.message)
            return [:]
        }
    }
}
