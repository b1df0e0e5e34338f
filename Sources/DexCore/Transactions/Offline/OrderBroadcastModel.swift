package import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `dex broadcast` of an order: posts one that was signed earlier, here or on another machine.
///
/// It has no key and signs nothing. The order's hash is computed and its signature recovered; what is
/// shown is read from its terms and from the chain.
package struct OrderBroadcastModel: Sendable {
    let session: Session
    let journal: Journal
    let settings: TradeSettings

    package init(session: Session, journal: Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The order in a file; nil if it is the file of a transaction, or none of both.
    package static func order(in content: [UInt8]) -> JSONValue? {
        // nil: the file of a transaction says what is wrong with it
        guard let json = try? JSONParser.parse(content), json.objectValue != nil,
            json["schema"] == nil, json["raw"] == nil
        else { return nil }
        return json
    }

    /// Checks an order against the network and the chain; nothing is posted or written.
    ///
    /// - Throws: `DexError`: exit 2 for JSON that is no order; exit 6 if it is not its maker's, is for
    ///   another exchange, cannot be filled any more, or crosses the book by more than 1 %; exit 3
    ///   without a relay; exit 4 if node or relay do not answer.
    package func plan(_ json: JSONValue) async throws(DexError) -> OrderBroadcastPlan {
        let order = try reported(
            OrderError.self,
            try session.exchangeProtocol.decodeOrder(json)
        )
        if let rejection = session.rejection(of: order) { throw DexError(rejection) }
        _ = try session.requiredRelay()
        let presence = await RelayPresence.of(order.hash, session)
        if let failure = presence.failure { throw DexError(failure) }
        let inspection = try await OrderInspector(session: session, settings: settings.reading)
            .rows(
                for: [order],
                served: presence.having.isEmpty ? [] : [order.hash],
                relays: [order.copyID: presence.having]
            )
        guard let row = inspection.rows.first else {
            throw TradeError.badOrder(inspection.dropped.first?.reason)
        }
        try check(row)
        let isThere = presence.lacking.isEmpty && !presence.having.isEmpty
        var warnings: [String] = []
        if !isThere {
            warnings += try await LimitPriceCheck(session: session, settings: settings)
                .check(order)
        }
        warnings += inspection.warnings
        if row.flags.contains(.unreadable) {
            warnings.append("Its maker's balance or allowance could not be read.")
        }
        if row.flags.contains(.unfunded) {
            warnings.append("Its maker lacks the balance or the allowance: relays may refuse it.")
        }
        return OrderBroadcastPlan(
            row: row,
            block: inspection.block.number,
            targets: presence.targets,
            warnings: warnings
        )
    }

    private func check(_ row: OrdersState.Row) throws(DexError) {
        for (flag, reason) in row.endings where row.flags.contains(flag) {
            throw TradeError.notFillable(row.order.hash, flag, reason: reason, remedy: "")
        }
    }

    /// Journals the order, posts it where it is missing, and reads it back.
    ///
    /// Everything is checked once more right before. After a crash `dex resume` asks the relays.
    ///
    /// - Throws: `DexError`, as `plan`; exit 7 if all relays refuse it, exit 4 if none is known to
    ///   have it.
    package func execute(
        _ planned: OrderBroadcastPlan
    ) async throws(DexError) -> OrderBroadcastOutcome {
        if planned.isPosted { return OrderBroadcastOutcome(plan: planned, postings: []) }
        let order = planned.row.order
        let wire = session.exchangeProtocol.encodeOrder(order)
        let plan = try await plan(wire)
        if plan.isPosted { return OrderBroadcastOutcome(plan: plan, postings: []) }
        let log = IntentLog(session: session, journal: journal)
        let intent = try log.open("broadcast", account: order.maker)
        return try await log.closing(intent) { () async throws(DexError) in
            try journaled(
                try journal.save(
                    session.journalOrder(order, wire: wire.text, isInDoubt: true),
                    for: intent
                )
            )
            return OrderBroadcastOutcome(
                plan: plan,
                postings: try await OrderPosting(session: session, journal: journal)
                    .post(order, to: plan.relays)
            )
        }
    }
}
