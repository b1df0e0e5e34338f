import DexStore
import Ethereum
import ZeroEx

extension ResumeModel {
    /// Sends and posts again what the plan lists, waits for what it sent, and records the outcome
    /// in the journal.
    ///
    /// - Throws: `DexError`, exit 3 or 4; the user interrupted.
    package func execute(_ planned: PlannedResume) async throws(DexError) -> ResumeState {
        var state = planned.state
        for observed in planned.observed.values { try life.update(observed) }
        let sending = Broadcast(session: session, journal: journal)
        // All are sent before any wait: each may depend on those before it.
        for index in state.items.indices where state.items[index].action == .send {
            guard let observed = observed(state.items[index], planned) else { continue }
            let transaction = observed.transaction
            switch try await sending.send(transaction.raw, hash: transaction.hash) {
            case .accepted: state.items[index].done = "sent"
            case .refused(let words):
                life.report(transaction.hash, .refused)
                state.items[index].done = "refused"
                state.items[index].status = .transaction(.refused)
                state.items[index].isInFlight = false
                state.items[index].notes = [
                    "The node refused it: \(PlainText.sentence(words)) The next transaction of the "
                        + "account takes its nonce, so that only one of the two can be mined."
                ]
            case .declined(let words):
                state.items[index].notes = [
                    "It was offered again, and no node took it: \(PlainText.sentence(words)) Pay more "
                        + "with `dex tx speedup \(transaction.hash)`, or take its nonce with "
                        + "`dex tx cancel \(transaction.hash)`."
                ]
            case .unknown(let reason):
                state.items[index].notes = [
                    "It was sent again, and the node did not answer: \(PlainText.sentence(reason))"
                ]
            }
        }
        let steps = state.items.count { $0.kind == .transaction && $0.done == "sent" }
        var step = 0
        for index in state.items.indices {
            switch state.items[index].kind {
            case .transaction:
                guard let observed = observed(state.items[index], planned) else { continue }
                if state.items[index].done == "sent" { step += 1 }
                try await finish(&state.items[index], observed, step: step, of: steps)
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

    private func observed(
        _ item: ResumeState.Item,
        _ planned: PlannedResume
    ) -> ObservedTransaction? {
        item.hash.flatMap { planned.observed[TransactionHash($0)] }
    }

    private func finish(
        _ item: inout ResumeState.Item,
        _ observed: ObservedTransaction,
        step: Int,
        of steps: Int
    ) async throws(DexError) {
        let transaction = observed.transaction
        switch observed.stage {
        case .replaced: return life.report(transaction.hash, .replaced)
        case .mined, .confirmed, .reverted: break
        case .held, .pooled, .broadcast, .planned, .refused, .forgotten: return
        case .signed, .dropped, .reorganized:
            guard item.done == "sent" else { return }
            let waiter = ReceiptWaiter(
                session: session,
                journal: journal,
                settings: settings,
                hash: transaction.hash,
                sender: transaction.sender,
                nonce: transaction.nonce,
                raw: transaction.raw,
                isAcknowledged: true,
                shown: TransactionWait(
                    purpose: transaction.noun,
                    hash: transaction.hash,
                    step: step,
                    steps: steps,
                    price: transaction.signed(session)?.transaction.maximumGasPrice,
                    since: session.environment.now()
                )
            )
            switch try await waiter.wait().stage {
            case .confirmed, .reverted: break
            case .replaced:
                item.status = .transaction(.replaced)
                item.isInFlight = false
                item.notes = ["It was sent again; another transaction with its nonce was mined."]
                return life.report(transaction.hash, .replaced)
            default:
                item.status = .transaction(.pooled)
                item.notes = [
                    "It was sent again and is not mined yet: follow it with "
                        + "`dex status \(transaction.hash) --wait`."
                ]
                return
            }
        }
        try await tell(&item, transaction)
    }

    /// The effects of a mined transaction; also settles it in the journal.
    private func tell(
        _ item: inout ResumeState.Item,
        _ transaction: JournalTransaction
    ) async throws(DexError) {
        let state = try await StatusModel(session: session, journal: journal)
            .load(transaction.hash.word, confirmations: settings.confirmations)
        guard case .transaction(let status) = state else { return }
        item.outcome = status
        item.isInFlight = status.ending == .notMinedYet
        item.status = .transaction(status.stage)
        item.notes = [
            item.done == "sent"
                ? "It was sent again and is mined." : "It was mined after its command had ended."
        ]
        if status.stage == .reverted { item.notes.append("It reverted: only gas was spent.") }
        if status.ending == .less, status.fills.isEmpty {
            item.notes.append("Nothing was filled or cancelled by it.")
        }
        item.notes += status.notes
    }

    /// After the report, returns unusable nonces and closes commands that ended without a report.
    private func tidy(_ planned: PlannedResume) {
        let now = session.environment.now()
        for one in planned.unfinished.reservations where one.isFree(now: now) {
            let reservation = NonceReservation(id: one.id, nonce: one.nonce)
            session.onceReported(.released(reservation), in: journal)
        }
        for intent in planned.abandoned {
            session.onceReported(closed: intent.id, by: .interrupted, in: journal)
        }
    }

    private var life: LifecycleLog { LifecycleLog(session: session, journal: journal) }
}
