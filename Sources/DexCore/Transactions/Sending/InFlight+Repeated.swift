import DexStore
import Ethereum

extension InFlight {
    /// Makes a plan; if it is refused, reports an earlier transaction that may have done the same.
    ///
    /// A user who repeats a killed command must learn that it succeeded, not that it is impossible
    /// now because the order is filled or the balance spent. It costs a request only if the plan is
    /// refused and something is unsettled; nothing is sent or written.
    ///
    /// - Throws: the body's error; or `DexError`, exit 12, `pending-transaction`; exit 6,
    ///   `unacknowledged-fill` and the like.
    func first<Value>(
        of account: Address,
        _ plan: () async throws(DexError) -> Value
    ) async throws(DexError) -> Value {
        do {
            return try await plan()
        } catch {
            let isRefused =
                error.kind == .refused || error.kind == .simulationFailed
                || error.concerns(.unknownOrder)
            guard isRefused, let earlier = await earlier(account, error) else { throw error }
            throw earlier
        }
    }

    private func earlier(_ account: Address, _ refusal: DexError) async -> DexError? {
        // What cannot be read adds nothing to the refusal.
        guard !conflicts.isAllowed, let unsettled = try? unsettled(account) else { return nil }
        let own = unsettled.filter { conflicts.repeats($0.knownPurpose) }
        let observer = TransactionObserver(session: session, journal: journal)
        guard !own.isEmpty, let answers = try? await observer.ask(own),  // nil: refused
            let all = try? await observer.observe(own, answers)  // nil: the refusal stands
        else { return nil }
        var unacknowledged: ObservedTransaction?
        for observed in all where !observed.isStillOver {
            if observed.life.isInDoubt {
                return InFlightError.undecided(observed.transaction)
            }
            switch observed.stage {
            case .signed, .dropped, .reorganized:
                if observed.transaction.successor == nil {
                    return InFlightError.lost(observed.transaction)
                }
            case .held:
                if observed.transaction.successor == nil {
                    return InFlightError.held(observed.transaction)
                }
            case .planned, .broadcast, .pooled:
                return observed.stillPending(gaps(all, answers.pending))
            case .mined, .confirmed:
                // Of a plan of an agent its record tells the outcome.
                if !observed.transaction.isOfPlan { unacknowledged = unacknowledged ?? observed }
            case .reverted, .replaced, .refused, .forgotten: break
            }
        }
        guard let unacknowledged else { return nil }
        return InFlightError.unacknowledged(unacknowledged.transaction).adding(
            "One more would be refused now: " + refusal.message
        )
    }

    /// The free nonces that transactions wait for; other holders of nonces come from the journal.
    ///
    /// None if the journal cannot be read: a nonce counts as free only if nothing can hold it.
    func gaps(_ observed: [ObservedTransaction], _ pending: [Address: UInt64]) -> NonceGaps {
        let chainID = session.network.chainID
        var waiting = observed.filter(\.isWaiting).map(\.transaction)
        let known = Set(observed.map(\.transaction.hash))
        for account in pending.keys {
            let others = try? journal.unsettled(chainID: chainID, sender: account)  // nil: unread
            guard let others else { return NonceGaps() }
            waiting += others.filter { !known.contains($0.hash) && $0.holdsNonce }
        }
        let unfinished = try? journal.unfinished(chainID: chainID)  // nil: unread
        guard let held = unfinished?.held(now: session.environment.now()) else {
            return NonceGaps()
        }
        return NonceGaps(waiting, pending: pending, held: held)
    }
}
