import DexStore
import Ethereum
import ZeroEx

/// Transactions of an account that the journal has and that may still be mined.
struct InFlight {
    let session: Session
    let journal: any Journal

    init(session: Session, journal: any Journal) {
        self.session = session
        self.journal = journal
    }

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

    /// What to tell of them in a plan.
    func warnings(_ questions: [Question], answers: ReadAnswers) -> [String] {
        questions.compactMap { question in
            let hash = question.transaction.hash
            if receipt(question, in: answers) != nil { return nil }
            if info(question, in: answers) != nil {
                return "An earlier transaction (\(question.transaction.purpose), \(hash)) is not "
                    + "mined yet; this one comes behind it."
            }
            return "An earlier transaction (\(question.transaction.purpose), \(hash)) is in the "
                + "journal and not known to the node; it is sent again before anything new is "
                + "signed."
        }
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
    /// - Throws: `DexError`: exit 12, `resumed`, where something was sent again; exit 4 where the
    ///   node is behind the journal.
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
        let pending = batch.add(.transactionCount(account, .pending))
        let mined = batch.add(.transactionCount(account, .latest))
        let questions = try questions(account: account, in: &batch)
        guard last != nil || !questions.isEmpty else { return }
        let answers = try await batch.send(to: session.chain)
        let number = { (answer: ChainAnswer) throws(ChainError) in try answer.number() }
        let node = try answers.value(chain, number)
        guard node == chainID else { throw .wrongChain(node: node, network: session.network) }
        let pendingCount = try answers.value(pending, number)
        let minedCount = try answers.value(mined, number)
        if let last, last.nonce >= pendingCount {
            return try forgetOrRefuse(last, count: pendingCount)
        }
        var resent: [JournalTransaction] = []
        for question in questions {
            let transaction = question.transaction
            if let receipt = receipt(question, in: answers) {
                try record { () throws(JournalError) in try journal.record(receipt, fills: []) }
            } else if info(question, in: answers) != nil {
                try mark(transaction, as: .sent)
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
        guard let first = resent.first else { return }
        throw DexError(
            .notMinedYet,
            code: "resumed",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) had not reached "
                + "the chain, and was sent again as it was; nothing new was signed.",
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted.",
            retryable: true
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
