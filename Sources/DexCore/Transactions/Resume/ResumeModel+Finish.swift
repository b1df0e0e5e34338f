import DexStore
import Ethereum
import ZeroEx

extension ResumeModel {
    /// Sends and posts again what the plan says, waits for what it sent, and notes in the journal
    /// what happened.
    ///
    /// - Throws: `DexError`, exit 3 or 4; the user interrupted.
    package func execute(_ planned: PlannedResume) async throws(DexError) -> ResumeState {
        var state = planned.state
        // First of all it is unsettled again, whatever happens to it now.
        for seen in planned.seen.values
        where seen.transaction.isMinedByJournal && !seen.stage.isInBlock {
            try mark(seen.transaction, as: .reorganized)
        }
        let sending = Broadcast(session: session, journal: journal)
        // All leave before one is waited for: each may wait for those before it.
        for index in state.items.indices where state.items[index].action == .send {
            guard let seen = seen(state.items[index], planned) else { continue }
            let transaction = seen.transaction
            switch try await sending.send(transaction.raw, hash: transaction.hash) {
            case .accepted: state.items[index].done = "sent"
            case .refused(let words):
                markOnceTold(transaction, as: .refused)
                state.items[index].done = "refused"
                state.items[index].status = "refused"
                state.items[index].isInFlight = false
                state.items[index].notes = [
                    "The node refused it: \(PlainText.sentence(words)) The next transaction of the "
                        + "account takes its nonce, so that only one of the two can be mined."
                ]
            case .unknown(let reason):
                state.items[index].notes = [
                    "It was sent again, and the node did not answer: \(PlainText.sentence(reason))"
                ]
            }
        }
        for index in state.items.indices {
            switch state.items[index].kind {
            case .transaction:
                guard let seen = seen(state.items[index], planned) else { continue }
                try await finish(&state.items[index], seen)
            case .order:
                let record = planned.unfinished.orders.first {
                    $0.hash.word == state.items[index].hash
                }
                if let record { try await finish(&state.items[index], record) }
            case .reservation, .intent: break
            }
        }
        tidy(planned)
        return state
    }

    private func seen(_ item: ResumeState.Item, _ planned: PlannedResume) -> LifeReader.Seen? {
        item.hash.flatMap { planned.seen[TransactionHash($0)] }
    }

    private func finish(
        _ item: inout ResumeState.Item,
        _ seen: LifeReader.Seen
    ) async throws(DexError) {
        let transaction = seen.transaction
        switch seen.stage {
        case .replaced: return markOnceTold(transaction, as: .replaced)
        case .mined, .confirmed, .reverted: break
        case .pooled, .broadcast, .planned: return try mark(transaction, as: .sent)
        case .signed, .dropped, .reorganized:
            guard item.done == "sent" else { return }
            let waiter = ReceiptWaiter(
                session: session,
                settings: settings,
                hash: transaction.hash,
                sender: transaction.sender,
                nonce: transaction.nonce,
                raw: transaction.raw,
                isAcknowledged: true
            )
            switch try await waiter.wait() {
            case .mined: break
            case .replaced:
                item.status = "replaced"
                item.isInFlight = false
                item.notes = ["It was sent again; another transaction with its nonce was mined."]
                return markOnceTold(transaction, as: .replaced)
            case .pending, .unconfirmed, .dropped:
                item.status = "pooled"
                item.notes = [
                    "It was sent again and is not mined yet: follow it with "
                        + "`dex status \(transaction.hash) --wait`."
                ]
                return
            }
        case .refused, .forgotten: return
        }
        try await tell(&item, transaction)
    }

    /// What a mined one did, which also settles it in the journal.
    private func tell(
        _ item: inout ResumeState.Item,
        _ transaction: JournalTransaction
    ) async throws(DexError) {
        let state = try await StatusModel(session: session, journal: journal)
            .load(text: transaction.hash.hex, confirmations: settings.confirmations)
        guard case .transaction(let status) = state else { return }
        item.outcome = status
        item.isInFlight = status.exit == .notMinedYet
        item.status = status.status.rawValue
        item.notes = [
            item.done == "sent"
                ? "It was sent again and is mined." : "It was mined after its command had ended."
        ]
        if status.status == .reverted { item.notes.append("It reverted: only gas was spent.") }
        if status.status == .mined, status.exit == .filledLess, status.fills.isEmpty {
            item.notes.append("Nothing was filled or cancelled by it.")
        }
        item.notes += status.notes
    }

    /// Once it was told: gives back what nobody can sign with, and closes what ended without a
    /// word.
    private func tidy(_ planned: PlannedResume) {
        let now = session.environment.now()
        session.environment.onReported { [journal] in
            for one in planned.unfinished.reservations where one.isFree(now: now) {
                try? journal.release(NonceReservation(id: one.id, nonce: one.nonce))
            }
            for intent in planned.abandoned {
                try? journal.close(
                    intent: intent.id,
                    exit: ExitCode.interrupted.rawValue,
                    at: now
                )
            }
        }
    }

    private func markOnceTold(
        _ transaction: JournalTransaction,
        as status: JournalTransaction.Status
    ) {
        session.environment.onReported { [journal, now = session.environment.now] in
            try? journal.mark(transaction.hash, as: status, now: now())
        }
    }

    private func mark(
        _ transaction: JournalTransaction,
        as status: JournalTransaction.Status
    ) throws(DexError) {
        let now = session.environment.now()
        try journaled(try journal.mark(transaction.hash, as: status, now: now))
    }
}
