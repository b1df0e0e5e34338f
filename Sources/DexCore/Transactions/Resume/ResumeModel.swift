package import DexStore
import Ethereum
import ZeroEx

/// `dex resume`: checks everything unfinished in the journal of a network, reports its outcome,
/// and finishes it with existing signatures; it signs nothing.
package struct ResumeModel: Sendable {
    let session: Session
    let journal: Journal
    let settings: TradeSettings

    package init(session: Session, journal: Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The unfinished entries and their state; nothing is sent or written.
    ///
    /// - Parameter intent: the only one whose entries count; nil is all of them.
    /// - Throws: `DexError`, exit 3 or 4.
    package func plan(of intent: Int64? = nil) async throws(DexError) -> PlannedResume {
        var unfinished = try journaled(
            try journal.unfinished(chainID: session.network.chainID)
        )
        if let intent {
            let orders = try journaled(try journal.signed(for: intent)).orders
            unfinished = unfinished.of(intent, orders: Set(orders))
        }
        var items: [ResumeState.Item] = []
        var observed: [TransactionHash: ObservedTransaction] = [:]
        let mined = try journaled(
            try journal.transactions(
                chainID: session.network.chainID,
                sender: nil,
                limit: Self.maximumMined
            )
        ).filter { $0.isMinedByJournal && (intent == nil || $0.intent == intent) }
        let now = session.environment.now()
        let found = try await TransactionObserver(session: session, journal: journal)
            .unfinished(unfinished, mined: mined)
        for one in found.transactions {
            observed[one.transaction.hash] = one
            items.append(item(one, gap: found.gaps[one.transaction.hash]))
        }
        items += unfinished.reservations.map { item($0, now: now) }
        if !unfinished.orders.isEmpty {
            let head = try await ChainHead.read(session)
            let time = await ClockCheck(session: session).time(head)
            for order in unfinished.orders { items.append(try await item(order, time: time)) }
        }
        let reserved = Set(unfinished.reservations.map(\.intent))
        // The signed parts of the others are reported separately.
        items += unfinished.intents.filter { $0.isUndone && !reserved.contains($0.id) }.map(item)
        return PlannedResume(
            state: ResumeState(items: items),
            unfinished: unfinished,
            observed: observed,
            abandoned: unfinished.intents.filter { !$0.isHeld }
        )
    }

    /// A reorganization is a few blocks deep, so it reverts only the newest.
    private static let maximumMined = 1_000

    private func item(_ observed: ObservedTransaction, gap: NonceGap?) -> ResumeState.Item {
        let transaction = observed.transaction
        var notes: [String] = []
        var action: ResumeState.Item.Action?
        var isInFlight = true
        switch observed.stage {
        case _ where observed.life.isInDoubt:
            notes.append(
                "Its nonce is used, and no node shows yet whether by it or by another transaction. "
                    + "It may be mined: ask again in a minute with `dex status \(transaction.hash)`."
            )
        case .mined, .confirmed, .reverted:
            isInFlight = false
            notes.append("It was mined after its command had ended.")
        case .replaced:
            isInFlight = false
            notes.append("Another transaction with its nonce was mined: it never will be.")
        case .planned, .broadcast, .pooled:
            if observed.wasMined {
                notes.append("It was mined, and a reorganization took its block out of the chain.")
            }
            notes.append(
                transaction.successor.map {
                    "It waits in the pool, and \($0) was signed to take its place: either of the two "
                        + "may be mined. Follow them with `dex status \(transaction.hash) --wait`."
                }
                    ?? "It waits in the pool. Follow it with `dex status \(transaction.hash) --wait`, "
                    + "pay more with `dex tx speedup \(transaction.hash)`, or take its nonce with "
                    + "`dex tx cancel \(transaction.hash)`."
            )
        case .held:
            isInFlight = false
            notes.append(
                transaction.successor.map { "\($0) was signed to take its place." }
                    ?? "It is signed and not sent, as you asked: send it with `dex broadcast FILE`. "
                    + "`dex tx export \(transaction.hash) --out FILE` writes it again. Where it is not "
                    + "wanted any more, take its nonce with `dex tx cancel \(transaction.hash)`."
            )
        case .signed, .dropped, .reorganized:
            if let successor = transaction.successor {
                notes.append("\(successor) was signed to take its place.")
                isInFlight = false
                break
            }
            notes.append(Self.lost(observed))
            if hasExpired(transaction) {
                notes.append(
                    "Its deadline has passed: mined now it would revert and cost its gas. It is not "
                        + "sent again; take its nonce with `dex tx cancel \(transaction.hash)`."
                )
            } else {
                notes.append(
                    "The same bytes can be sent again; where it is not wanted any more, take its "
                        + "nonce with `dex tx cancel \(transaction.hash)`."
                )
                action = .send
            }
        case .refused, .forgotten: isInFlight = false
        }
        if isInFlight, let gap {
            notes.append(gap.words)
        }
        return ResumeState.Item(
            kind: .transaction,
            account: transaction.sender,
            hash: transaction.hash.word,
            nonce: transaction.nonce,
            purpose: transaction.purpose,
            created: transaction.created,
            was: transaction.stage,
            status: .transaction(observed.stage),
            action: action,
            notes: notes,
            isInFlight: isInFlight
        )
    }

    /// A trade at Uniswap's pools that no block takes any more.
    private func hasExpired(_ transaction: JournalTransaction) -> Bool {
        guard let signed = transaction.signed(session)?.transaction, let to = signed.to else {
            return false
        }
        let call = CallRequest(to: to, data: signed.data, value: signed.value)
        return session.network.poolDeadline(of: call)
            .map { $0 < session.environment.now() } ?? false
    }

    private static func lost(_ observed: ObservedTransaction) -> String {
        switch observed.life.stage {
        case .signed: "It was signed, and the node does not know it."
        case .reorganized:
            "It was mined, and a reorganization took its block out of the chain."
        default: "A node took it, and has it no more."
        }
    }

    // MARK: Unsigned entries

    private func item(_ reservation: JournalReservation, now: UInt64) -> ResumeState.Item {
        let isFree = reservation.isFree(now: now)
        return ResumeState.Item(
            kind: .reservation,
            account: reservation.sender,
            hash: nil,
            nonce: reservation.nonce,
            purpose: reservation.purpose,
            created: reservation.created,
            was: .planned,
            status: .transaction(.planned),
            notes: [
                isFree
                    ? "Nothing was signed, and its nonce is free."
                    : "Nothing is signed yet: a dex that runs may be signing, which keeps the nonce "
                        + "for \(reservation.lease - now) s more."
            ],
            isInFlight: !isFree
        )
    }

    private func item(_ intent: JournalOpenIntent) -> ResumeState.Item {
        let words =
            intent.isHeld
            ? "A dex that runs is at work on it."
            : intent.signed.isEmpty
                ? "It was confirmed, and nothing was signed."
                : intent.isHalfReplaced
                    ? "It was confirmed, and only its cancel was signed: the new order was not. Place "
                        + "it with `dex place-limit`."
                    : "It was confirmed, and only its approval was signed: what it was for was not "
                        + "done."
        return ResumeState.Item(
            kind: .intent,
            account: intent.account,
            hash: nil,
            nonce: nil,
            purpose: intent.command,
            created: intent.created,
            was: nil,
            status: .transaction(.planned),
            notes: [words],
            isInFlight: intent.isHeld
        )
    }
}

extension JournalReservation {
    /// It can no longer be used for signing.
    func isFree(now: UInt64) -> Bool { !isHeld || lease < now }
}

extension JournalOpenIntent {
    /// Its purpose was not signed: nothing was, or only a preparatory step.
    var isUndone: Bool {
        if isHalfReplaced { return true }
        return isPreparedOnly
    }

    /// An order was cancelled, or is being cancelled, and its replacement was not signed.
    var isHalfReplaced: Bool {
        placesOrder && signed.contains("cancel") && !signed.contains("order")
    }

    private var isPreparedOnly: Bool {
        signed.allSatisfy { TransactionPurpose(rawValue: $0)?.isApproval == true }
            && (signed.isEmpty || !command.hasPrefix("allowance "))
    }
}

/// The unfinished entries: the shown state, and the data that `execute` needs.
package struct PlannedResume: Sendable {
    /// The part that is shown and confirmed.
    package let state: ResumeState
    let unfinished: JournalUnfinished
    let observed: [TransactionHash: ObservedTransaction]
    /// Commands that ended without a report and have nothing in flight.
    let abandoned: [JournalOpenIntent]

    /// The number of pending actions.
    package var actions: Int { state.items.count { $0.action != nil } }
}
