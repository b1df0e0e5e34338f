import DexStore
import Ethereum

/// Looks for transactions that are stuck, lost, or mined and told to nobody.
struct TransactionExamination {
    let session: Session
    /// nil where there is none, or where it cannot be read.
    let journal: (any Journal)?
    /// Seconds after which a transaction that waits is stuck.
    let patience: UInt64

    func row(_ account: Address) async -> DoctorState.Row {
        do throws(DexError) {
            return try await found(account)
        } catch {
            return .fail(.transactions, error)
        }
    }

    private func found(_ account: Address) async throws(DexError) -> DoctorState.Row {
        let reader = LifeReader(session: session)
        let chainID = session.network.chainID
        var unsettled: [JournalTransaction] = []
        var held: [Address: Set<UInt64>] = [:]
        do throws(JournalError) {
            if let journal {
                unsettled = try journal.unsettled(chainID: chainID, sender: account)
                held = try journal.unfinished(chainID: chainID).held(now: session.environment.now())
            }
        } catch {
            throw DexError(error)
        }
        async let counting = pendingCount(account)
        let asked = try await reader.ask(unsettled, accounts: [account])
        var waiting: [JournalTransaction] = []
        var lost: [LifeReader.Seen] = []
        var replaced: [JournalTransaction] = []
        var untold: [JournalTransaction] = []
        for seen in try await reader.look(asked) {
            let transaction = seen.transaction
            switch seen.stage {
            case .mined, .confirmed, .reverted: untold.append(transaction)
            case .pooled, .broadcast: waiting.append(transaction)
            // What took its place is looked at by itself.
            case .signed, .dropped, .reorganized, .replaced:
                if transaction.successor != nil { continue }
                if seen.stage == .replaced {
                    replaced.append(transaction)
                } else {
                    lost.append(seen)
                }
            // The journal calls none of these unsettled.
            case .planned, .refused, .forgotten: break
            }
        }
        let pendingCount = try await counting.get()
        if let first = lost.min(by: { $0.transaction.nonce < $1.transaction.nonce }) {
            return Self.row(lost: first)
        }
        // The lowest nonce holds up all others.
        if let first = waiting.min(by: { $0.nonce < $1.nonce }) {
            let gaps = NonceGaps(waiting, pending: [account: pendingCount], held: held)
            return row(waiting: first, of: waiting.count, gap: gaps[first.hash])
        }
        if let first = replaced.first {
            return .warn(
                .transactions,
                "Another transaction was mined in the place of this one (\(first.noun)): "
                    + "\(first.hash).",
                "See it, and settle the journal: dex resume"
            )
        }
        if let first = untold.first {
            return .warn(
                .transactions,
                "\(Self.count(untold.count)) mined after the command had ended: \(first.hash).",
                "See what it did: dex status \(first.hash)"
            )
        }
        let minedCount = asked.counts[account] ?? 0
        guard pendingCount <= minedCount else {
            let count = pendingCount - minedCount
            return .warn(
                .transactions,
                "\(Self.count(Int(clamping: count))) of another program and not mined yet: what "
                    + "dex sends comes behind.",
                "Wait, or look for it in that program."
            )
        }
        return .ok(.transactions, "None is in flight.")
    }

    /// How many transactions a node counts for the account, those in its pool included.
    private func pendingCount(_ account: Address) async -> Result<UInt64, DexError> {
        var batch = ReadBatch()
        let place = batch.add(.transactionCount(account, .pending))
        do throws(DexError) {
            let answers = try await batch.send(to: session.chain)
            return .success(
                try answers.value(place) { answer throws(ChainError) in try answer.number() }
            )
        } catch {
            return .failure(error)
        }
    }

    private func row(
        waiting first: JournalTransaction,
        of count: Int,
        gap: UInt64?
    ) -> DoctorState.Row {
        let now = session.environment.now()
        let age = now - min(now, first.created)
        let found =
            count == 1
            ? "One transaction (\(first.noun)), signed \(age) s ago, is not mined yet: "
                + "\(first.hash)."
            : "\(count) transactions are not mined yet. The first of them (\(first.noun)) was "
                + "signed \(age) s ago: \(first.hash)."
        if let gap {
            return .fail(
                .transactions,
                "\(found) \(NonceGaps.words(gap))",
                "Trade on, which uses that nonce.\nOr take it back: dex tx cancel \(first.hash)",
                .notMinedYet
            )
        }
        guard age >= patience else {
            return .warn(.transactions, found, "Wait for it: dex status \(first.hash) --wait")
        }
        return .fail(
            .transactions,
            "\(found) Nothing later of the account can be mined before it.",
            "Pay more for it: dex tx speedup \(first.hash)\n"
                + "Or take it back: dex tx cancel \(first.hash)",
            .notMinedYet
        )
    }

    private static func row(lost seen: LifeReader.Seen) -> DoctorState.Row {
        let transaction = seen.transaction
        let why =
            switch seen.life.stage {
            case .reorganized: "a reorganization took its block out of the chain"
            case .signed: "no node knows it"
            default: "no node has it any more"
            }
        return .fail(
            .transactions,
            "A transaction (\(transaction.noun)) is signed, and \(why): \(transaction.hash).",
            "Send it again as it is: dex resume\n"
                + "Or take its nonce: dex tx cancel \(transaction.hash)",
            .replacedOrDropped
        )
    }

    private static func count(_ count: Int) -> String {
        count == 1 ? "One transaction is" : "\(count) transactions are"
    }
}
