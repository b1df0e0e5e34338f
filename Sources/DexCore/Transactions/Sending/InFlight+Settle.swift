import DexStore
import Ethereum

extension InFlight {
    /// Brings the journal up to date before anything new is signed.
    ///
    /// A transaction that no node has is sent again with the same bytes, and nothing new is done:
    /// the user may be repeating a command whose transaction got lost, and must not buy twice. A
    /// reorganized transaction becomes unsettled again, wherever it is now. A refused or replaced one
    /// blocks nothing, unless a pool or a block has it after all. One whose nonce is used blocks
    /// everything until it is proved by what.
    ///
    /// - Throws: `DexError`: exit 12, `resumed`, if something was sent again, or
    ///   `pending-transaction`; exit 6, `unacknowledged-fill`; exit 4 if the node is behind the
    ///   journal.
    func settle(account: Address) async throws(DexError) {
        let last = try journaled(
            try journal.lastMined(chainID: session.network.chainID, sender: account)
        )
        let unsettled = try unsettled(account)
        guard last != nil || !unsettled.isEmpty else { return }
        let observer = TransactionObserver(session: session, journal: journal)
        var asked = unsettled
        var answers = try await observer.ask(asked, accounts: [account])
        let count = try answers.count(of: account)
        if let last, last.nonce >= count {
            // A node that is behind, or a restarted chain, lacks the block too.
            guard let block = last.block, answers.head >= block else {
                return try await forgetOrRefuse(last, count: count)
            }
            asked = try lost(account, from: count) + unsettled
            answers = try await observer.ask(asked)
        }
        var outcome = Outcome()
        for observed in try await observer.observe(asked, answers) {
            try await settle(observed, &outcome)
        }
        if let first = outcome.resent.first {
            throw InFlightError.resumed(first.transaction, wasMined: first.wasMined)
        }
        if let (first, words) = outcome.declined.first {
            throw InFlightError.declined(first.transaction, words: words)
        }
        if let first = outcome.pending.first {
            throw first.stillPending(gaps(outcome.pending, answers.pending))
        }
        if let first = outcome.held.first {
            throw InFlightError.held(first.transaction)
        }
        if let first = outcome.unacknowledged.first {
            throw InFlightError.unacknowledged(first.transaction)
        }
    }

    /// The reasons that stop a command.
    private struct Outcome {
        var resent: [ObservedTransaction] = []
        /// With a node's words, in quotes.
        var declined: [(ObservedTransaction, words: String)] = []
        var pending: [ObservedTransaction] = []
        var held: [ObservedTransaction] = []
        var unacknowledged: [ObservedTransaction] = []
    }

    private func settle(
        _ observed: ObservedTransaction,
        _ outcome: inout Outcome
    ) async throws(DexError) {
        let transaction = observed.transaction
        let life = LifecycleLog(session: session, journal: journal)
        let written = try life.update(observed)
        // Its stage is as reported.
        if transaction.isMinedByJournal, written == nil { return }
        let purpose = transaction.knownPurpose
        if observed.isStillOver { return }
        // Whatever used its nonce, sending it again changes nothing.
        if observed.life.isInDoubt {
            if conflicts.isStopped(by: purpose) { outcome.pending.append(observed) }
            return
        }
        switch observed.stage {
        case .mined, .confirmed, .reverted:
            // A transaction that moved money stays unsettled until it is reported: a repeated
            // command stops at it, and one that continues anyway leaves it to be reported.
            guard observed.stage != .reverted, purpose?.movesMoney == true,
                // Of a plan of an agent its record tells the outcome.
                !transaction.isOfPlan
            else {
                return try life.settle(observed)
            }
            if conflicts.repeats(purpose), !conflicts.isAllowed {
                outcome.unacknowledged.append(observed)
            }
        case .planned, .broadcast, .pooled:
            if conflicts.isStopped(by: purpose) { outcome.pending.append(observed) }
        case .replaced: try life.settle(observed)
        case .held:
            // Only its user sends it, or its replacement.
            if transaction.successor == nil, conflicts.isStopped(by: purpose) {
                outcome.held.append(observed)
            }
        case .signed, .dropped, .reorganized:
            // Its replacement is sent instead.
            if transaction.successor != nil { return }
            // In doubt it may be mined, and the next observation shows it; sending the same bytes
            // again does no harm.
            let sending = Broadcast(session: session, journal: journal)
            switch try await sending.send(transaction.raw, hash: transaction.hash) {
            case .refused: try life.note(.refuse, transaction.hash)
            case .accepted, .unknown: outcome.resent.append(observed)
            case .declined(let words): outcome.declined.append((observed, words))
            }
        case .refused, .forgotten: break
        }
    }

    /// Transactions that the journal has as mined and the account's nonce does not cover, by nonce.
    private func lost(
        _ account: Address,
        from nonce: UInt64
    ) throws(DexError) -> [JournalTransaction] {
        let all = try journaled(
            try journal.transactions(
                chainID: session.network.chainID,
                sender: account,
                limit: Self.maximumLost
            )
        )
        return all.filter { $0.nonce >= nonce && $0.isMinedByJournal }
            .sorted { $0.nonce < $1.nonce }
    }

    /// A reorganization is a few blocks deep, so it never removes more of an account's.
    private static let maximumLost = 1_000
}

extension JournalTransaction {
    /// The journal has its receipt.
    var isMinedByJournal: Bool { stage.isInBlock }
}
