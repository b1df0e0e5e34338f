import DexStore
import Ethereum

/// Checks for transactions that are stuck, lost, or mined but not reported.
struct TransactionCheck {
    let session: Session
    /// nil if there is none, or it cannot be read.
    let journal: Journal?
    /// Seconds after which a pending transaction is stuck.
    let patience: UInt64

    /// The transactions in flight of all accounts, since all are the user's.
    ///
    /// Those of other programs are checked only if an account is named.
    ///
    /// - Parameter account: its problems come first; nil if none is named.
    func row(_ account: Address?) async -> DoctorState.Row {
        do throws(DexError) {
            return try await found(account)
        } catch {
            return .fail(.transactions, error)
        }
    }

    private func found(_ account: Address?) async throws(DexError) -> DoctorState.Row {
        let observer = TransactionObserver(session: session, journal: journal)
        let unfinished = try journal.map { journal throws(DexError) in
            try journaled(try journal.unfinished(chainID: session.network.chainID))
        }
        let unsettled = unfinished?.transactions ?? []
        guard account != nil || !unsettled.isEmpty else {
            return .skipped(.transactions, "No account is known.")
        }
        async let counting = pendingCount(account)
        let named = account.map { [$0] } ?? []
        let answers = try await observer.ask(unsettled, accounts: named)
        let all = try await observer.observe(unsettled, answers)
        let held = unfinished?.held(now: session.environment.now()) ?? [:]
        let others = Set(all.map(\.transaction.sender)).subtracting(named).sorted()
        var rows: [DoctorState.Row] = []
        for sender in named + others {
            let own = all.filter { $0.transaction.sender == sender }
            let gaps = NonceGaps(
                own.map(\.transaction).filter(\.holdsNonce),
                pending: answers.pending.filter { $0.key == sender },
                held: held
            )
            let whose = sender == account ? nil : sender
            if let row = row(of: own, gaps: gaps, whose: whose) { rows.append(row) }
        }
        let pendingCount = try await counting.get()
        guard let first = rows.first(where: { $0.mark == .fail }) ?? rows.first else {
            let minedCount = try account.map(answers.count) ?? 0
            guard let pendingCount, pendingCount > minedCount else {
                return .ok(.transactions, "None is in flight.")
            }
            return .warn(
                .transactions,
                "\(Self.count(Int(clamping: pendingCount - minedCount))) of another program and "
                    + "not mined yet: what dex sends comes behind.",
                "Wait, or look for it in that program."
            )
        }
        guard rows.count > 1 else { return first }
        return first.adding(
            "See those of your other accounts, too: dex tx list --unsettled"
        )
    }

    /// The problems of one account's transactions; nil if there are none.
    ///
    /// - Parameter whose: an account other than the named one.
    private func row(
        of all: [ObservedTransaction],
        gaps: NonceGaps,
        whose: Address?
    ) -> DoctorState.Row? {
        var waiting: [JournalTransaction] = []
        var lost: [ObservedTransaction] = []
        var unsent: [JournalTransaction] = []
        var replaced: [JournalTransaction] = []
        var unavailable: [JournalTransaction] = []
        var undecided: [JournalTransaction] = []
        for observed in all where !observed.isStillOver {
            let transaction = observed.transaction
            if observed.life.isInDoubt {
                undecided.append(transaction)
                continue
            }
            switch observed.stage {
            case .mined, .confirmed, .reverted: unavailable.append(transaction)
            case .pooled, .broadcast: waiting.append(transaction)
            case .held: if transaction.successor == nil { unsent.append(transaction) }
            // Its replacement is checked separately.
            case .signed, .dropped, .reorganized, .replaced:
                if transaction.successor != nil || !transaction.holdsNonce { continue }
                if observed.stage == .replaced {
                    replaced.append(transaction)
                } else {
                    lost.append(observed)
                }
            // A refused transaction is reported once a pool or a block has it.
            case .planned, .refused, .forgotten: break
            }
        }
        if let first = lost.min(by: { $0.transaction.nonce < $1.transaction.nonce }) {
            return Self.row(lost: first, whose)
        }
        if let first = undecided.first {
            return .fail(
                .transactions,
                "The nonce of a transaction (\(first.noun))\(Self.name(whose)) is used, and no node "
                    + "shows yet whether by it or by another one: \(first.hash).",
                "It may be mined. Ask again in a minute: dex status \(first.hash)",
                .notMinedYet
            )
        }
        // The lowest nonce delays all others.
        if let first = waiting.min(by: { $0.nonce < $1.nonce }) {
            return row(waiting: first, of: waiting.count, gap: gaps[first.hash], whose)
        }
        if let first = unsent.min(by: { $0.nonce < $1.nonce }) {
            return .warn(
                .transactions,
                "\(unsent.count == 1 ? "One transaction is" : "\(unsent.count) transactions are") "
                    + "signed and not sent\(Self.name(whose)): \(first.hash) (\(first.noun)). What "
                    + "is sent later waits behind.",
                "Send it: dex broadcast FILE\n"
                    + "Or take its nonce: dex tx cancel \(first.hash)\(Self.option(whose))"
            )
        }
        if let first = replaced.first {
            return .warn(
                .transactions,
                "Another transaction was mined in the place of this one (\(first.noun))"
                    + "\(Self.name(whose)): \(first.hash).",
                "See it, and settle the journal: dex resume"
            )
        }
        if let first = unavailable.first {
            return .warn(
                .transactions,
                "\(Self.count(unavailable.count)) mined after the command had ended"
                    + "\(Self.name(whose)): \(first.hash).",
                "See what it did: dex status \(first.hash)"
            )
        }
        return nil
    }

    /// Shown only if it is not the account of the check.
    private static func name(_ whose: Address?) -> String {
        whose.map { " of \($0.checksummed)" } ?? ""
    }

    /// Only the account itself can replace its transactions.
    private static func option(_ whose: Address?) -> String {
        whose.map { " --wallet \($0.checksummed)" } ?? ""
    }

    /// The account's transaction count at a node, including its pool.
    private func pendingCount(_ account: Address?) async -> Result<UInt64?, DexError> {
        guard let account else { return .success(nil) }
        return await Result { () async throws(ChainError) in
            try await session.chain.read(.transactionCount(account, .pending))
        }.mapError(DexError.init)
    }

    private func row(
        waiting first: JournalTransaction,
        of count: Int,
        gap: NonceGap?,
        _ whose: Address?
    ) -> DoctorState.Row {
        let now = session.environment.now()
        let age = now - min(now, first.created)
        let found =
            count == 1
            ? "One transaction (\(first.noun))\(Self.name(whose)), signed \(age) s ago, is not "
                + "mined yet: \(first.hash)."
            : "\(count) transactions\(Self.name(whose)) are not mined yet. The first of them "
                + "(\(first.noun)) was signed \(age) s ago: \(first.hash)."
        if let gap {
            return .fail(
                .transactions,
                "\(found) \(gap.words)",
                (gap.holder == nil
                    ? "Trade on, which uses that nonce.\n" : "Send that one: dex broadcast FILE\n")
                    + "Or take it back: dex tx cancel \(first.hash)\(Self.option(whose))",
                .notMinedYet
            )
        }
        guard age >= patience else {
            return .warn(.transactions, found, "Wait for it: dex status \(first.hash) --wait")
        }
        return .fail(
            .transactions,
            "\(found) Nothing later of the account can be mined before it.",
            "Pay more for it: dex tx speedup \(first.hash)\(Self.option(whose))\n"
                + "Or take it back: dex tx cancel \(first.hash)\(Self.option(whose))",
            .notMinedYet
        )
    }

    private static func row(lost observed: ObservedTransaction, _ whose: Address?)
        -> DoctorState.Row
    {
        let transaction = observed.transaction
        let why =
            switch observed.life.stage {
            case .reorganized: "a reorganization took its block out of the chain"
            case .signed: "no node knows it"
            default: "no node has it any more"
            }
        return .fail(
            .transactions,
            "A transaction (\(transaction.noun))\(name(whose)) is signed, and \(why): "
                + "\(transaction.hash).",
            "Send it again as it is: dex resume\n"
                + "Or take its nonce: dex tx cancel \(transaction.hash)\(option(whose))",
            .replacedOrDropped
        )
    }

    private static func count(_ count: Int) -> String {
        count == 1 ? "One transaction is" : "\(count) transactions are"
    }
}
