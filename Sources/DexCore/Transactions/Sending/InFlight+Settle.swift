import DexStore
import Ethereum

extension InFlight {
    /// Brings the journal up to date before anything new is signed.
    ///
    /// What no node has is sent again, the same bytes, and then nothing new is done: the user may
    /// be repeating a command whose transaction got lost, and must not buy twice. What a
    /// reorganization took out of its block is unsettled again, wherever it is now. What a node
    /// refused holds nothing up, unless a pool or a block has it after all.
    ///
    /// - Throws: `DexError`: exit 12, `resumed`, where something was sent again, or
    ///   `pending-transaction`; exit 6, `unacknowledged-fill`; exit 4 where the node is behind the journal.
    func settle(account: Address) async throws(DexError) {
        let last = try journaled(
            try journal.lastMined(chainID: session.network.chainID, sender: account)
        )
        let unsettled = try unsettled(account)
        guard last != nil || !unsettled.isEmpty else { return }
        let reader = LifeReader(session: session)
        var asked = try await reader.ask(unsettled, accounts: [account])
        let count = asked.counts[account] ?? 0
        if let last, last.nonce >= count {
            // A node that is behind, or a chain that began anew, lacks the block as well.
            guard let block = last.block, asked.head >= block else {
                return try forgetOrRefuse(last, count: count)
            }
            asked = try await reader.ask(try lost(account, from: count) + unsettled)
        }
        var outcome = Outcome()
        for seen in try await reader.look(asked) { try await settle(seen, &outcome) }
        if let first = outcome.resent.first { throw Self.resumed(first) }
        if let first = outcome.pending.first {
            throw Self.stillPending(
                first.transaction,
                wasMined: first.wasMined,
                gap: gaps(outcome.pending, asked.pending)[first.transaction.hash]
            )
        }
        if let first = outcome.unacknowledged.first { throw Self.unacknowledged(first.transaction) }
    }

    /// What stops a command.
    private struct Outcome {
        var resent: [LifeReader.Seen] = []
        var pending: [LifeReader.Seen] = []
        var unacknowledged: [LifeReader.Seen] = []
    }

    private func settle(_ seen: LifeReader.Seen, _ outcome: inout Outcome) async throws(DexError) {
        let transaction = seen.transaction
        if transaction.isMinedByJournal {
            // As it was told.
            if seen.life.stage.isInBlock, seen.life.block == transaction.block { return }
            // First of all it is unsettled again, whatever happens to it now.
            try mark(transaction, as: .reorganized)
        }
        switch seen.stage {
        case .mined, .confirmed, .reverted:
            try settleMined(seen, &outcome)
        case .planned, .broadcast, .pooled:
            try settlePooled(seen, &outcome)
        case .replaced: try mark(transaction, as: .replaced)
        case .signed, .dropped, .reorganized:
            // What is to take its place goes out instead.
            if transaction.successor != nil { return }
            // In doubt it may be mined, and the next look tells; the same bytes do no harm.
            let sending = Broadcast(session: session, journal: journal)
            switch try await sending.send(transaction.raw, hash: transaction.hash) {
            case .refused: try mark(transaction, as: .refused)
            case .accepted, .unknown: outcome.resent.append(seen)
            }
        case .refused, .forgotten: break
        }
    }

    private func settleMined(_ seen: LifeReader.Seen, _ outcome: inout Outcome) throws(DexError) {
        let transaction = seen.transaction
        let purpose = transaction.knownPurpose
        // Until somebody is told, what moved money stays unsettled: a repeated command stops at it,
        // and one that goes on regardless leaves it to be told.
        if seen.life.stage != .reverted, purpose?.movesMoney == true {
            // Its nonce is used, so nothing else is signed with it.
            if transaction.status == .refused { try mark(transaction, as: .sent) }
            if conflicts.repeats(purpose), !conflicts.isAllowed {
                outcome.unacknowledged.append(seen)
            }
        } else if let receipt = seen.observation.receipt {
            _ = try journaled(try journal.record(receipt, of: session))
        }
    }

    private func settlePooled(_ seen: LifeReader.Seen, _ outcome: inout Outcome) throws(DexError) {
        try mark(seen.transaction, as: .sent)
        if conflicts.isStopped(by: seen.transaction.knownPurpose) { outcome.pending.append(seen) }
    }

    /// What the journal takes for mined and the account's number of mined transactions does not
    /// count, by nonce.
    private func lost(
        _ account: Address,
        from nonce: UInt64
    ) throws(DexError) -> [JournalTransaction] {
        let all = try journaled(
            try journal.transactions(
                chainID: session.network.chainID,
                sender: account,
                limit: Self.mostLost
            )
        )
        return all.filter { $0.nonce >= nonce && $0.isMinedByJournal }
            .sorted { $0.nonce < $1.nonce }
    }

    /// A reorganization is a few blocks deep, so more of an account's are never taken out at once.
    private static let mostLost = 1_000

    private func forgetOrRefuse(
        _ last: JournalTransaction,
        count: UInt64
    ) throws(DexError) {
        if session.network.isSandbox {
            // The sandbox was reset: its chain began anew.
            let chainID = session.network.chainID
            return try journaled(try journal.forgetTransactions(chainID: chainID))
        }
        throw DexError(ReadError.nodeBehind(count: count, nonce: last.nonce))
    }

    private func mark(
        _ transaction: JournalTransaction,
        as status: JournalTransaction.Status
    ) throws(DexError) {
        let now = session.environment.now()
        try journaled(try journal.mark(transaction.hash, as: status, now: now))
    }
}

extension JournalTransaction {
    /// The journal has its receipt.
    var isMinedByJournal: Bool { status == .mined || status == .reverted }
}
