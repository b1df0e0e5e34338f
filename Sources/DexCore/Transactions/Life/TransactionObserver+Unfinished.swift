import DexStore
import Ethereum

extension TransactionObserver {
    /// The unfinished transactions of a journal and their state.
    struct Unfinished {
        var transactions: [ObservedTransaction] = []
        /// The number of the latest block; nil if there was nothing to ask.
        var head: UInt64?
        /// The free nonces that they wait for.
        var gaps = NonceGaps()
    }

    /// Observes unsettled transactions, and mined ones that the account's nonce no longer covers.
    ///
    /// - Parameter held: nonces that a process is about to sign with.
    /// - Throws: `DexError`, exit 3 or 4.
    func observe(
        unsettled: [JournalTransaction],
        mined: [JournalTransaction],
        held: [Address: Set<UInt64>]
    ) async throws(DexError) -> Unfinished {
        guard !unsettled.isEmpty || !mined.isEmpty else { return Unfinished() }
        var asked = unsettled
        var answers = try await ask(asked, accounts: mined.map(\.sender))
        var lost: [JournalTransaction] = []
        for one in mined where one.nonce >= (try answers.count(of: one.sender)) { lost.append(one) }
        if !lost.isEmpty {
            asked = lost + unsettled
            answers = try await ask(asked)
        }
        // A node that is behind changes nothing.
        let all = try await observe(asked, answers).filter {
            !($0.transaction.isMinedByJournal && $0.life.block == $0.transaction.block)
        }
        let waiting = all.filter(\.isWaiting).map(\.transaction)
        let gaps = NonceGaps(waiting, pending: answers.pending, held: held)
        return Unfinished(transactions: all, head: answers.head, gaps: gaps)
    }

    /// The unfinished transactions of a network that need a report.
    ///
    /// They are unsettled in the journal, or a reorganization removed their block. A refused one, or
    /// one that was replaced, is reported once a pool or a block has it after all.
    ///
    /// - Throws: `DexError`, exit 3 or 4.
    func unfinished(
        _ unfinished: JournalUnfinished,
        mined: [JournalTransaction]
    ) async throws(DexError) -> Unfinished {
        var found = try await observe(
            unsettled: unfinished.transactions,
            mined: mined,
            held: unfinished.held(now: session.environment.now())
        )
        found.transactions.removeAll(where: \.isStillOver)
        return found
    }
}
