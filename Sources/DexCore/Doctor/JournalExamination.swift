import DexStore
import Ethereum

/// Looks whether the journal can be read, and for what was begun and never ended.
struct JournalExamination {
    let chainID: UInt64
    /// Seconds since 1970.
    let now: UInt64

    func row(_ journal: (any Journal)?) -> DoctorState.Row {
        guard let journal else {
            return .ok(.journal, "There is none yet: nothing was signed here.")
        }
        let unfinished: JournalUnfinished
        do throws(JournalError) {
            unfinished = try journal.unfinished(chainID: chainID)
        } catch {
            return .fail(.journal, DexError(error))
        }
        let left = left(unfinished)
        guard !left.isEmpty else {
            return .ok(.journal, "It is read, and no command was left unfinished.")
        }
        return .warn(
            .journal,
            "Left unfinished: \(left.joined(separator: ", ")).",
            "See what became of it, and finish it: dex resume"
        )
    }

    /// What no transaction tells of; those in flight have a row of their own.
    private func left(_ unfinished: JournalUnfinished) -> [String] {
        // What is younger may be another dex that still runs.
        let reservations = unfinished.reservations.filter { $0.lease < now }
        let told = Set(
            unfinished.transactions.map(\.intent) + unfinished.reservations.map(\.intent)
        )
        let intents = unfinished.intents.filter {
            $0.isEmpty && !told.contains($0.id) && ResumeModel.isOver($0.created, now: now)
        }
        let orders = unfinished.orders.filter { ResumeModel.isOver($0.created, now: now) }
        return reservations.map {
            "a transaction (\(PlainText.clean($0.purpose, limit: 40))) that was not signed"
        }
            + intents.map { "dex \(PlainText.clean($0.command, limit: 40)), which signed nothing" }
            + orders.map { "the order \($0.hash), which a relay may have or not" }
    }
}
