import DexStore
import Ethereum

/// Checks for guards that wait for a price which no process watches.
struct GuardsCheck {
    let session: Session
    /// nil if there is none, or it cannot be read.
    let journal: Journal?

    func row(_ account: Address) -> DoctorState.Row {
        guard let journal else { return .ok(.guards, "The journal has no guard.") }
        let waiting: [JournalGuard]
        do throws(DexError) {
            waiting = try GuardsModel(session: session, journal: journal).waiting(account)
        } catch {
            return .fail(.guards, error)
        }
        guard !waiting.isEmpty else { return .ok(.guards, "No guard waits.") }
        if let row = neverFiring(waiting) { return row }
        let alone = waiting.filter { !$0.isWatched }
        guard let first = alone.first else {
            return .ok(
                .guards,
                waiting.count == 1
                    ? "One guard waits, and its price is watched."
                    : "\(waiting.count) guards wait, and their prices are watched."
            )
        }
        return .warn(
            .guards,
            alone.count == 1
                ? "Guard \(first.id) waits, and nothing watches its price."
                : "\(alone.count) guards wait, and nothing watches their prices.",
            "Watch them: dex guard run. Or remove them: dex guard list, then dex guard remove ID"
        )
    }

    /// Guards that protect nothing, though they seem to wait: they have to be named.
    private func neverFiring(_ waiting: [JournalGuard]) -> DoctorState.Row? {
        let dead = waiting.filter { $0.neverFires != nil }
        guard let first = dead.first, let reason = first.neverFires else { return nil }
        let numbers = dead.map { String($0.id) }.joined(separator: ", ")
        return .warn(
            .guards,
            dead.count == 1
                ? "Guard \(first.id) never fires. \(reason)"
                : "Guards \(numbers) never fire. Of \(first.id): \(reason)",
            "See it: dex guard list. Then remove it, and add it again as it is shown there: dex "
                + "guard remove \(first.id)"
        )
    }
}
