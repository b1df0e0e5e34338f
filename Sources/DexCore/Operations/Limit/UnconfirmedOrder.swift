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
    ///
    /// Those of agents' plans are told by the plans.
    ///
    /// - Parameters:
    ///   - replaced: an order that is being cancelled.
    ///   - side: of a draft whose price follows the book: an order of the same amount of BASE counts
    ///     at any price, since the repeated command has another one.
    static func like(
        _ draft: OrderDraft,
        atAnyPriceOf side: TradeSide? = nil,
        except replaced: OrderHash? = nil,
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
        for record in records where record.isInDoubt && record.hash != replaced {
            guard let order = OrderFinder.order(of: record, session: session),
                order.expiry > now, order.hash == record.hash,
                [order.makerToken, order.takerToken] == [draft.makerToken, draft.takerToken],
                side == .buy || order.makerAmount == draft.makerAmount,
                side == .sell || order.takerAmount == draft.takerAmount,
                order.maker == draft.maker, order.taker == draft.taker,
                session.exchangeProtocol.hash(of: OrderDraft(order)) == order.hash,
                try !journaled(try journal.isOfPlan(order.hash))
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
    func warning(_ targets: [RelayTarget]) -> String {
        let having = targets.filter { $0.part == .hasIt }.map(\.relay).joined(separator: ", ")
        return "RESUMED: an earlier command signed this order (\(order.hash)), and got no answer "
            + "from the relay. "
            + (having.isEmpty
                ? "The relay does not have it, so it is posted as it was, "
                : "\(having) has it; it is posted as it was where it is missing, ")
            + "and nothing new is signed. --despite-pending places another one in addition."
    }

    /// Asks the relays for it.
    ///
    /// - Returns: every relay's part in a plan that posts it where it is missing.
    /// - Throws: `DexError`: exit 6, `unacknowledged-order`, if no relay that answers lacks it;
    ///   or the error of the read.
    func checkRelays() async throws(DexError) -> [RelayTarget] {
        let presence = await RelayPresence.of(order.hash, session)
        if let failure = presence.failure { throw DexError(RelayRefusal(failure)) }
        guard presence.lacking.isEmpty else { return presence.targets }
        session.onceReported(
            .posted(
                order.hash,
                relay: presence.having.joined(separator: " "),
                isInDoubt: !presence.failures.isEmpty
            ),
            in: journal
        )
        throw InFlightError.unacknowledgedOrder(order.hash, isFilled: false)
    }

    /// Checks its filled and cancelled amounts on chain.
    ///
    /// - Returns: whether it can still be posted; if not, it was cancelled.
    /// - Throws: `DexError`: exit 6, `unacknowledged-order`, if it was filled meanwhile.
    func isOpen(_ state: OrderState) throws(DexError) -> Bool {
        guard state.filled > .zero || state.remaining == .zero else { return true }
        guard state.filled == .zero else {
            session.onceReported(.notPosted(order.hash), in: journal)
            throw InFlightError.unacknowledgedOrder(order.hash, isFilled: true)
        }
        try journaled(try journal.clearDoubt(of: order.hash))
        return false
    }
}
