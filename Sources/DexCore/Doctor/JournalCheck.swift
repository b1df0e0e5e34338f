import DexStore
import Ethereum

/// Checks that the journal can be read, and for unfinished entries.
struct JournalCheck {
    let chainID: UInt64
    /// Seconds since 1970.
    let now: UInt64

    func row(_ journal: Journal?) -> DoctorState.Row {
        guard let journal else {
            return .ok(.journal, "No journal yet: nothing was signed here.")
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

    /// Unfinished entries without a transaction; those in flight have their own row.
    private func left(_ unfinished: JournalUnfinished) -> [String] {
        // Reservations of a running dex are left out.
        let reservations = unfinished.reservations.filter { $0.isFree(now: now) }
        let reserved = Set(unfinished.reservations.map(\.intent))
        let intents = unfinished.intents.filter {
            $0.isUndone && !$0.isHeld && !reserved.contains($0.id)
        }
        // A younger one may be in flight.
        let orders = unfinished.orders.filter {
            now > $0.created && now - $0.created > NonceReservation.lease
        }
        return reservations.map {
            "a transaction (\(PlainText.clean($0.purpose, limit: 40))) that was not signed"
        }
            + intents.map { intent in
                "dex \(PlainText.clean(intent.command, limit: 40)), which signed "
                    + (intent.signed.isEmpty ? "nothing" : "an approval only")
            }
            + orders.map { "the order \($0.hash), which a relay may have or not" }
    }
}
