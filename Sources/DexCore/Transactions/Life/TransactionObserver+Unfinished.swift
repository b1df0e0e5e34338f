import DexStore
import Ethereum

extension TransactionObserver {
    /// What of a journal did not come to its end, and how it stands.
    struct Unfinished {
        var transactions: [ObservedTransaction] = []
        /// The number of the latest block; nil where there was nothing to ask.
        var head: UInt64?
        /// The free nonces that they wait for.
        var gaps = NonceGaps()
    }

    /// What became of what is unsettled, and of what the journal takes for mined where the
    /// account's number of mined transactions does not count it any more.
    ///
    /// - Parameter held: nonces with which a process is about to sign.
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

    /// What of a network did not come to its end, as far as there is something to report.
    ///
    /// It is unsettled by the journal, or a reorganization took it out of the chain. What was
    /// refused is reported once a pool or a block has it after all.
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
        found.transactions.removeAll { $0.stage == .refused }
        return found
    }
}
