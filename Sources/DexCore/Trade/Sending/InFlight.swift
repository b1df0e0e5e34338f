import DexStore
import Ethereum
import ZeroEx

/// Transactions of an account that the journal has and that may still be mined.
///
/// A command that is repeated must not trade twice: while a fill or an approval of the account is
/// pending, and after a fill was mined whose end no command has told, nothing more is traded.
struct InFlight {
    /// What a command does, as far as transactions in flight matter to it.
    enum Concern: Hashable, Sendable {
        /// Moves money; allowed in spite of others by a flag.
        case move(TransactionPurpose, isAllowed: Bool)
        /// Signs an order, and may approve for it, or only approves.
        case order(isAllowed: Bool)
        /// Cancels, or takes an allowance back: the more often the better.
        case cancel

        /// A pending transaction of this purpose stops the command.
        func isStopped(by purpose: TransactionPurpose?) -> Bool {
            switch (self, purpose) {
            case (.move(_, false), .cancel): false
            // What a later version of dex sent may move money too.
            case (.move(_, false), _): true
            case (.order(false), .approve), (.order(false), .resetAllowance): true
            case (.move, _), (.order, _), (.cancel, _): false
            }
        }

        /// A mined transaction of this purpose may be the very one that the command would send.
        func repeats(_ purpose: TransactionPurpose?) -> Bool {
            if case .move(let own, _) = self { own == purpose } else { false }
        }

        /// A flag allows to go on beside others.
        var isAllowed: Bool {
            switch self {
            case .move(_, let isAllowed), .order(let isAllowed): isAllowed
            case .cancel: true
            }
        }
    }

    let session: Session
    let journal: any Journal
    let concern: Concern

    /// A transaction and the places of its receipt and itself in a batch.
    struct Question {
        let transaction: JournalTransaction
        let receipt: Int
        let info: Int
    }

    /// Asks about each unsettled transaction along with other questions.
    func questions(
        account: Address,
        in batch: inout ReadBatch
    ) throws(DexError) -> [Question] {
        let unsettled: [JournalTransaction]
        do {
            unsettled = try journal.unsettled(chainID: session.network.chainID, sender: account)
        } catch {
            throw DexError(error)
        }
        return unsettled.map {
            Question(
                transaction: $0,
                receipt: batch.add(.receipt($0.hash)),
                info: batch.add(.transaction($0.hash))
            )
        }
    }

    /// What to tell of them in a plan, asked for by themselves; no request where there are none.
    func warnings(account: Address) async throws(DexError) -> [String] {
        var batch = ReadBatch()
        let questions = try questions(account: account, in: &batch)
        return warnings(questions, answers: try await batch.send(to: session.chain))
    }

    /// What to tell of them in a plan.
    func warnings(_ questions: [Question], answers: ReadAnswers) -> [String] {
        questions.compactMap { question in
            let transaction = question.transaction
            let hash = transaction.hash
            let purpose = transaction.knownPurpose
            if let receipt = receipt(question, in: answers) {
                guard concern.repeats(purpose), receipt.succeeded else { return nil }
                return "MINED MEANWHILE: an earlier \(transaction.noun) of this account "
                    + "(\(hash)) was mined after its command had ended; see what it did with `dex "
                    + "status \(hash)`. "
                    + (concern.isAllowed
                        ? "This one is made besides it."
                        : "Nothing more is sent before that, unless --despite-pending is given.")
            }
            if info(question, in: answers) != nil {
                return "PENDING: an earlier transaction of this account "
                    + "(\(transaction.purpose), \(hash)) is not mined yet; follow it with "
                    + "`dex status \(hash) --wait`. \(consequence(of: purpose))"
            }
            return "An earlier transaction (\(transaction.purpose), \(hash)) is in the journal and "
                + "not known to the node; it is sent again before anything new is signed. Follow "
                + "it with `dex status \(hash) --wait`."
        }
    }

    private func consequence(of purpose: TransactionPurpose?) -> String {
        if concern.isStopped(by: purpose) {
            return "This command sends nothing until then, unless --despite-pending is given."
        }
        return concern.repeats(purpose)
            ? "This one is made besides it."
            : "What it moves is not counted here, and this comes behind it."
    }

    func receipt(_ question: Question, in answers: ReadAnswers) -> TransactionReceipt? {
        let receipt = answers.optional(question.receipt) { answer throws(ChainError) in
            try answer.receipt()
        }
        guard let receipt, receipt.transactionHash == question.transaction.hash,
            receipt.from == question.transaction.sender
        else { return nil }
        return receipt
    }

    func info(_ question: Question, in answers: ReadAnswers) -> TransactionInfo? {
        let info = answers.optional(question.info) { answer throws(ChainError) in
            try answer.transaction()
        }
        return info?.hash == question.transaction.hash ? info : nil
    }

    /// Brings the journal up to date before anything new is signed.
    ///
    /// What no node has is sent again, the same bytes, and then nothing new is done: the user may
    /// be repeating a command whose transaction got lost, and must not buy twice.
    ///
    /// - Throws: `DexError`: exit 12, `resumed`, where something was sent again, or
    ///   `pending-transaction`; exit 6, `unseen-fill`; exit 4 where the node is behind the journal.
    func settle(account: Address) async throws(DexError) {
        let chainID = session.network.chainID
        let last: JournalTransaction?
        do {
            last = try journal.lastMined(chainID: chainID, sender: account)
        } catch {
            throw DexError(error)
        }
        var batch = ReadBatch()
        let chain = batch.add(.chainID)
        let next = batch.add(.transactionCount(account, .pending))
        let mined = batch.add(.transactionCount(account, .latest))
        let newest = batch.add(.blockNumber)
        let questions = try questions(account: account, in: &batch)
        guard last != nil || !questions.isEmpty else { return }
        let answers = try await batch.send(to: session.chain)
        let number = { (answer: ChainAnswer) throws(ChainError) in try answer.number() }
        let node = try answers.value(chain, number)
        guard node == chainID else { throw .wrongChain(node: node, network: session.network) }
        let pendingCount = try answers.value(next, number)
        let minedCount = try answers.value(mined, number)
        if let last, last.nonce >= pendingCount {
            // A node that is behind, or a chain that began anew, lacks the block as well.
            guard let block = last.block, try answers.value(newest, number) >= block else {
                return try forgetOrRefuse(last, count: pendingCount)
            }
            try await restore(account, from: pendingCount)
        }
        var resent: [JournalTransaction] = []
        var pending: [JournalTransaction] = []
        var unseen: [JournalTransaction] = []
        for question in questions {
            let transaction = question.transaction
            if let receipt = receipt(question, in: answers) {
                // Until somebody is told, what moved money stays unsettled: a repeated command
                // stops at it.
                let purpose = transaction.knownPurpose
                if receipt.succeeded, purpose?.movesMoney == true,
                    !(concern.repeats(purpose) && concern.isAllowed)
                {
                    if concern.repeats(purpose) { unseen.append(transaction) }
                } else {
                    try record { () throws(JournalError) in
                        try journal.record(receipt, fills: [])
                    }
                }
            } else if info(question, in: answers) != nil {
                try mark(transaction, as: .sent)
                if concern.isStopped(by: transaction.knownPurpose) { pending.append(transaction) }
            } else if transaction.nonce < minedCount {
                try mark(transaction, as: .replaced)
            } else {
                let sending = Broadcast(session: session, journal: journal)
                switch try await sending.send(transaction.raw, hash: transaction.hash) {
                case .refused: try mark(transaction, as: .refused)
                case .accepted, .unknown: resent.append(transaction)
                }
            }
        }
        if let first = resent.first { throw Self.resumed(first) }
        if let first = pending.first { throw Self.stillPending(first) }
        if let first = unseen.first { throw Self.unseen(first) }
    }

    /// Sends again what was mined in blocks that a reorganization took out of the chain.
    ///
    /// - Throws: `DexError`: exit 12, `resumed`, unless no node will have any of it.
    private func restore(_ account: Address, from nonce: UInt64) async throws(DexError) {
        let all: [JournalTransaction]
        do {
            all = try journal.transactions(
                chainID: session.network.chainID,
                sender: account,
                limit: Self.mostRestored
            )
        } catch {
            throw DexError(error)
        }
        let lost = all.filter {
            $0.nonce >= nonce && ($0.status == .mined || $0.status == .reverted)
        }.sorted { $0.nonce < $1.nonce }
        // First of all they are unsettled again, whatever happens while they are sent.
        for transaction in lost { try mark(transaction, as: .dropped) }
        var first: JournalTransaction?
        let sending = Broadcast(session: session, journal: journal)
        for transaction in lost {
            switch try await sending.send(transaction.raw, hash: transaction.hash) {
            case .refused: try mark(transaction, as: .refused)
            case .accepted, .unknown: first = first ?? transaction
            }
        }
        guard let first else { return }
        throw DexError(
            .notMinedYet,
            code: "resumed",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) was mined, and a "
                + "reorganization took its block out of the chain again; it was sent again as it "
                + "was, and nothing new was signed.",
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted.",
            retryable: true
        )
    }

    /// A reorganization is a few blocks deep, so more of an account's are never taken out at once.
    private static let mostRestored = 1_000

    private static func resumed(_ first: JournalTransaction) -> DexError {
        DexError(
            .notMinedYet,
            code: "resumed",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) had not reached "
                + "the chain, and was sent again as it was; nothing new was signed.",
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted.",
            retryable: true
        )
    }

    private static func stillPending(_ first: JournalTransaction) -> DexError {
        DexError(
            .notMinedYet,
            code: "pending-transaction",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) is not mined yet; "
                + "nothing new was signed, so that nothing is done twice.",
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted. --despite-pending goes on at once.",
            retryable: true
        )
    }

    private static func unseen(_ first: JournalTransaction) -> DexError {
        DexError(
            .refused,
            code: "unseen-\(first.purpose)",
            message: "An earlier \(first.noun) (\(first.hash)) was mined after its command had "
                + "ended, and it may be this very one; nothing new was signed.",
            hint: "See what it did with `dex status \(first.hash)`, then run the command again if "
                + "it is still wanted. --despite-pending goes on at once."
        )
    }

    private func forgetOrRefuse(
        _ last: JournalTransaction,
        count: UInt64
    ) throws(DexError) {
        if session.network.isSandbox {
            // The sandbox was reset: its chain began anew.
            let chainID = session.network.chainID
            try record { () throws(JournalError) in
                try journal.forgetTransactions(chainID: chainID)
            }
            return
        }
        throw DexError(
            .unreachable,
            code: "node-behind",
            message: "The node knows \(count) transactions of the account, and by the journal the "
                + "one with nonce \(last.nonce) is mined: the node is behind, or its chain began "
                + "anew.",
            hint: "Wait, or name another node with --rpc. If the chain began anew, move the "
                + "journal away.",
            retryable: true
        )
    }

    private func mark(
        _ transaction: JournalTransaction,
        as status: JournalTransaction.Status
    ) throws(DexError) {
        let now = session.environment.now()
        try record { () throws(JournalError) in
            try journal.mark(transaction.hash, as: status, now: now)
        }
    }

    private func record(_ body: () throws(JournalError) -> Void) throws(DexError) {
        do {
            try body()
        } catch {
            throw DexError(error)
        }
    }
}

extension JournalTransaction {
    /// nil where a later version of `dex` wrote it.
    var knownPurpose: TransactionPurpose? { TransactionPurpose(rawValue: purpose) }

    /// In a sentence: `an earlier fill`.
    var noun: String { knownPurpose?.noun ?? PlainText.clean(purpose, limit: 40) }
}
