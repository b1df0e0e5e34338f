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

    /// All of them, open or not, each once; those of the relay only if they verify.
    ///
    /// A relay without an answer is reported if the journal may not have every order.
    func all(of account: Address) async throws(DexError) -> [any SignedOrder] {
        var orders = try journal.ownOrders(of: account, session: session)
        guard let relay = session.relay else { return orders }
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
        return orders
    }
}
