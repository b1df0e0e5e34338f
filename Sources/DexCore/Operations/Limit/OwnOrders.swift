import DexStore
import Ethereum
import ZeroEx

extension Journal {
    /// The orders that an account signed here for a network's exchange, newest first.
    ///
    /// - Parameter maker: nil is every account.
    func orders(
        of maker: Address?,
        network: Network
    ) throws(JournalError) -> [JournalOrder] {
        try orders(chainID: network.chainID, exchange: network.exchange, maker: maker)
    }

    /// The same as orders, without unreadable ones.
    func ownOrders(
        of maker: Address?,
        session: Session
    ) throws(DexError) -> [any SignedOrder] {
        try journaled(try orders(of: maker, network: session.network))
            .compactMap { OrderFinder.order(of: $0, session: session) }
            .filter { maker == nil || $0.maker == maker }
    }
}

/// An account's own orders, from the journal and from the relay.
struct OwnOrders {
    let session: Session
    let journal: Journal

    /// The orders that were found, and the relays that did not answer.
    struct Found: Sendable {
        var orders: [any SignedOrder]
        /// Of several relays those without a usable answer: orders that only they have are missing.
        var unread: [RelayError.Failure] = []

        /// One sentence for each relay that did not answer, or whose list is not whole.
        ///
        /// - Parameter consequence: what follows for orders that only it has.
        func warnings(_ consequence: String) -> [String] {
            unread.map { failure in
                if case .nonsense(let reason) = failure.error {
                    "\(failure.relay) gave no whole answer: "
                        + PlainText.sentence(reason) + " \(consequence)"
                } else {
                    "\(failure.relay) did not answer: "
                        + PlainText.sentence(failure.error.reason) + " \(consequence)"
                }
            }
        }
    }

    /// All of them, open or not, each once; those of the relays only if they verify.
    ///
    /// - Throws: `DexError`, exit 4, if no relay answers: the journal may not have every order.
    func all(of account: Address) async throws(DexError) -> Found {
        var orders = try journal.ownOrders(of: account, session: session)
        guard let relay = session.relay else { return Found(orders: orders) }
        var query = OrderQuery()
        query.exchange = session.network.exchange
        query.maker = account
        let served = try await relayed(try await relay.orders(query))
        var seen = Set(orders.map(\.hash))
        let others = served.orders.filter { $0.maker == account && !seen.contains($0.hash) }
        for order in await OrderVerifier(session: session).verify(others).verified
        where seen.insert(order.hash).inserted {
            orders.append(order)
        }
        let unread = (served.relays?.answers ?? []).compactMap { answer in
            answer.failure.map { RelayError.Failure(relay: answer.relay, error: $0) }
        }
        let incomplete = served.shortfall.map { shortfall in
            RelayError.Failure(
                relay: session.network.relayName ?? "the relay",
                error: .nonsense(shortfall.reason)
            )
        }
        return Found(orders: orders, unread: unread + [incomplete].compactMap(\.self))
    }
}
