import DexStore
import Ethereum
import ZeroEx

/// An account's transactions in the journal that may still be mined.
///
/// A repeated command must not trade twice. So there is no new trade while a fill or an approval of
/// the account is pending, or after a mined fill whose outcome no command has reported.
struct InFlight {
    /// The way a command treats transactions in flight.
    enum ConflictPolicy: Hashable, Sendable {
        /// Moves money; a flag allows it in spite of others.
        case move(TransactionPurpose, isAllowed: Bool)
        /// Signs an order, possibly with an approval, or only approves.
        case order(isAllowed: Bool)
        /// Cancels an order or an allowance: repeating it is harmless.
        case cancel

        /// A pending transaction of this purpose stops the command.
        func isStopped(by purpose: TransactionPurpose?) -> Bool {
            switch (self, purpose) {
            case (.move(_, false), .cancel): false
            // An unknown purpose of a later dex version may move money too.
            case (.move(_, false), _): true
            case (.order(false), .approve), (.order(false), .resetAllowance): true
            case (.move, _), (.order, _), (.cancel, _): false
            }
        }

        /// A mined transaction of this purpose may equal the planned one.
        ///
        /// A repeated market order may find the other venue the better one, so a fill and a swap
        /// count as the same.
        func repeats(_ purpose: TransactionPurpose?) -> Bool {
            guard case .move(let own, _) = self, let purpose else { return false }
            return own == purpose || own.isTrade && purpose.isTrade
        }

        /// A flag allows it to continue beside others.
        var isAllowed: Bool {
            switch self {
            case .move(_, let isAllowed), .order(let isAllowed): isAllowed
            case .cancel: true
            }
        }
    }

    let session: Session
    let journal: Journal
    let conflicts: ConflictPolicy

    /// Unsettled transactions that a plan's own request asks about.
    struct Questions {
        let transactions: [JournalTransaction]
        let asked: JointRead<TransactionObserver.Answers>
    }

    /// Adds questions about each unsettled transaction to a batch; nil if there is none.
    func questions(
        account: Address,
        in batch: inout ReadBatch
    ) throws(DexError) -> Questions? {
        let transactions = try unsettled(account)
        guard !transactions.isEmpty else { return nil }
        let readings = transactions.map { TransactionReading($0, rules: session.network.fees) }
        let asked = TransactionObserver(session: session).ask(readings, in: &batch)
        return Questions(transactions: transactions, asked: asked)
    }

    /// A plan's notes about earlier transactions.
    struct Report {
        var warnings: [String] = []
        /// Why the command would send nothing now; nil if it would.
        var stop: DexError?
    }

    /// A plan's notes about earlier transactions, with its own request if there are any.
    ///
    /// - Parameter next: as for the others.
    func report(account: Address, next: UInt64?) async throws(DexError) -> Report {
        var batch = ReadBatch()
        let questions = try questions(account: account, in: &batch)
        return try report(questions, answers: await batch.send(to: session.chain), next: next)
    }

    /// A plan's notes about earlier transactions.
    ///
    /// - Parameter next: the account's next nonce at the node, including its pool.
    /// - Throws: `DexError`, exit 3 if the node is on another chain, exit 4.
    func report(
        _ questions: Questions?,
        answers: ReadAnswers,
        next: UInt64?
    ) throws(DexError) -> Report {
        var report = Report()
        guard let questions else { return report }
        let transactions = questions.transactions
        let answers = try answers.value(questions.asked)
        let gaps = gaps(transactions, next: next)
        var unacknowledged: JournalTransaction?
        for (index, transaction) in transactions.enumerated() {
            let observation: TransactionObservation
            do throws(DexError) {
                observation = try answers.observation(index)
            } catch {
                report.warnings.append(
                    "An earlier transaction (\(transaction.purpose), \(transaction.hash)) is in "
                        + "the journal, and the node does not tell what became of it: "
                        + "\(error.message) Nothing is signed before that is known."
                )
                continue
            }
            // A plan only reports; the receipt's block is checked before anything is signed.
            if let receipt = observation.receipt {
                // Of a plan of an agent its record tells the outcome.
                guard !transaction.isOfPlan else { continue }
                guard conflicts.repeats(transaction.knownPurpose), receipt.succeeded else {
                    continue
                }
                report.warnings.append(minedWords(transaction))
                if !conflicts.isAllowed { unacknowledged = unacknowledged ?? transaction }
            } else if observation.info != nil {
                let gap = gaps[transaction.hash]
                report.warnings.append(pendingWords(transaction, gap: gap))
                if conflicts.isStopped(by: transaction.knownPurpose), report.stop == nil {
                    let wasMined = transaction.stage == .reorganized
                    report.stop = InFlightError.pending(transaction, wasMined: wasMined, gap: gap)
                }
            } else if observation.isNonceUsed == true {
                // Every node is asked about it before anything is signed.
                if transaction.holdsNonce { report.warnings.append(Self.undecided(transaction)) }
            } else if transaction.stage == .held {
                // Its replacement takes its nonce.
                if transaction.successor != nil { continue }
                report.warnings.append(heldWords(transaction))
                if conflicts.isStopped(by: transaction.knownPurpose), report.stop == nil {
                    report.stop = InFlightError.held(transaction)
                }
            } else if transaction.holdsNonce, transaction.successor == nil {
                report.warnings.append(
                    "An earlier transaction (\(transaction.purpose), \(transaction.hash)) is in "
                        + "the journal and not known to the node; it is sent again before anything "
                        + "new is signed. Follow it with `dex status \(transaction.hash) --wait`."
                )
            }
            // The next signature takes the nonce of a refused one; what was replaced is over.
        }
        report.stop =
            report.stop ?? unacknowledged.map { InFlightError.unacknowledged($0) }
        return report
    }

    private func minedWords(_ transaction: JournalTransaction) -> String {
        "MINED MEANWHILE: an earlier \(transaction.noun) of this account (\(transaction.hash)) was "
            + "mined after its command had ended; see what it did with `dex status "
            + "\(transaction.hash)`. "
            + (conflicts.isAllowed
                ? "This one is placed in addition."
                : "Nothing more is sent before that, unless --despite-pending is given.")
    }

    private static func undecided(_ transaction: JournalTransaction) -> String {
        "UNDECIDED: the nonce of an earlier transaction of this account (\(transaction.purpose), "
            + "\(transaction.hash)) is used, and the node does not show yet whether by it or by "
            + "another one. It may be mined; every node is asked before anything new is signed."
    }

    private func heldWords(_ transaction: JournalTransaction) -> String {
        "SIGNED, NOT SENT: an earlier transaction of this account (\(transaction.purpose), "
            + "\(transaction.hash)) holds the nonce \(transaction.nonce). This comes behind it, and "
            + "cannot be mined before it: send it with `dex broadcast FILE`, or take its nonce with "
            + "`dex tx cancel \(transaction.hash)`."
            + (conflicts.isStopped(by: transaction.knownPurpose)
                ? " This command sends nothing until then, unless --despite-pending is given." : "")
    }

    private func pendingWords(_ transaction: JournalTransaction, gap: NonceGap?) -> String {
        "PENDING: an earlier transaction of this account (\(transaction.purpose), "
            + "\(transaction.hash)) is not mined yet; follow it with `dex status "
            + "\(transaction.hash) --wait`. "
            + (gap.map { $0.words + " " } ?? "")
            + consequence(of: transaction.knownPurpose)
    }

    private func gaps(_ transactions: [JournalTransaction], next: UInt64?) -> NonceGaps {
        guard let next, let account = transactions.first?.sender,
            // A nonce counts as free only if no reservation can hold it.
            let unfinished = try? journal.unfinished(chainID: session.network.chainID)
        else { return NonceGaps() }
        return NonceGaps(
            transactions.filter(\.holdsNonce),
            pending: [account: next],
            held: unfinished.held(now: session.environment.now())
        )
    }

    private func consequence(of purpose: TransactionPurpose?) -> String {
        if conflicts.isStopped(by: purpose) {
            return "This command sends nothing until then, unless --despite-pending is given."
        }
        return conflicts.repeats(purpose)
            ? "This one is placed in addition."
            : "What it moves is not counted here, and this comes behind it."
    }

    /// An account's transactions that may still be mined, by nonce.
    func unsettled(_ account: Address) throws(DexError) -> [JournalTransaction] {
        try journaled(
            try journal.unsettled(chainID: session.network.chainID, sender: account)
        )
    }
}

extension JournalTransaction {
    /// Nothing else is signed with its nonce: no node refused it, and nothing took its place.
    var holdsNonce: Bool { stage != .refused && stage != .replaced }

    /// The transaction in its bytes; nil if they are damaged.
    func signed(_ session: Session) -> SignedTransaction? {
        try? SignedTransaction(raw: raw, recoverer: session.recoverer)  // nil: damaged
    }

    /// nil if a later version of `dex` wrote it.
    var knownPurpose: TransactionPurpose? { TransactionPurpose(rawValue: purpose) }

    /// A noun phrase: `an earlier fill`.
    var noun: String { knownPurpose?.noun ?? PlainText.clean(purpose, limit: 40) }
}
