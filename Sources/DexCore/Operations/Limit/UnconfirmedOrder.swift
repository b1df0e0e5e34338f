import DexStore
import Ethereum
import ZeroEx

/// A signed order whose posting is unconfirmed.
///
/// A repeated command must not place the order twice.
struct UnconfirmedOrder {
    let session: Session
    let journal: Journal
    let order: any SignedOrder
    /// Seconds since 1970.
    let signed: UInt64

    /// The newest unexpired one with a draft's terms, except salt, expiry and fees; nil without
    /// one.
    static func like(
        _ draft: OrderDraft,
        session: Session,
        journal: Journal
    ) throws(DexError) -> UnconfirmedOrder? {
        let records = try journaled(
            try journal.orders(
                chainID: session.network.chainID,
                exchange: draft.exchange,
                maker: draft.maker
            )
        )
        let now = UInt256(session.environment.now())
        for record in records where record.isInDoubt {
            guard let order = OrderFinder.order(of: record, session: session),
                order.expiry > now, order.hash == record.hash,
                [order.makerToken, order.takerToken] == [draft.makerToken, draft.takerToken],
                [order.makerAmount, order.takerAmount] == [draft.makerAmount, draft.takerAmount],
                order.maker == draft.maker, order.taker == draft.taker,
                session.exchangeProtocol.hash(of: OrderDraft(order)) == order.hash
            else { continue }
            return UnconfirmedOrder(
                session: session,
                journal: journal,
                order: order,
                signed: record.created
            )
        }
        return nil
    }

    /// The warning in a plan that posts it again.
    var warning: String {
        "RESUMED: an earlier command signed this very order (\(order.hash)), and did not learn "
            + "whether the relay took it. The relay does not have it, so it is posted as it was, "
            + "and nothing new is signed. --despite-pending places another one besides it."
    }

    /// Checks the relay for it.
    ///
    /// - Throws: `DexError`: exit 6, `unacknowledged-order`, if the relay has it, which confirms
    ///   it; or the error of the read.
    func checkRelay(_ relay: any RelayClient) async throws(DexError) {
        let found: (any SignedOrder)?
        do {
            found = try await relay.order(order.hash)
        } catch {
            throw DexError(RelayRefusal(error))
        }
        guard found != nil else { return }
        let relay = session.network.relayName ?? "relay"
        session.onceReported(.posted(order.hash, relay: relay), in: journal)
        throw DexError(InFlightError.unacknowledgedOrder(order.hash, isFilled: false))
    }

    /// Checks its filled and cancelled amounts on chain.
    ///
    /// - Returns: whether it can still be posted; if not, it was cancelled.
    /// - Throws: `DexError`: exit 6, `unacknowledged-order`, if it was filled meanwhile.
    func isOpen(_ state: OrderState) throws(DexError) -> Bool {
        guard state.filled > .zero || state.remaining == .zero else { return true }
        guard state.filled == .zero else {
            session.onceReported(.notPosted(order.hash), in: journal)
            throw DexError(InFlightError.unacknowledgedOrder(order.hash, isFilled: true))
        }
        try journaled(try journal.clearDoubt(of: order.hash))
        return false
    }
}
