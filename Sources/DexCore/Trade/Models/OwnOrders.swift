import DexStore
import Ethereum
import ZeroEx

/// An account's own orders, from the journal and from the relay.
struct OwnOrders {
    let session: Session
    let journal: any Journal

    /// All of them, open or not, each once; those of the relay only where they verify.
    ///
    /// A relay that cannot be asked is told of where the journal may not know every order.
    func all(of account: Address) async throws(DexError) -> [any SignedOrder] {
        let records: [JournalOrder]
        do {
            records = try journal.orders(
                chainID: session.network.chainID,
                exchange: session.network.exchange,
                maker: account
            )
        } catch {
            throw DexError(error)
        }
        var orders = records.compactMap { OrderFinder.order(of: $0, session: session) }
            .filter { $0.maker == account }
        guard let relay = session.relay else { return orders }
        var query = OrderQuery()
        query.exchange = session.network.exchange
        query.maker = account
        let served: RelayOrders
        do {
            served = try await relay.orders(query)
        } catch {
            throw DexError(error)
        }
        var seen = Set(orders.map(\.hash))
        let others = served.orders.filter { $0.maker == account && !seen.contains($0.hash) }
        for order in await OrderVerifier(session: session).verify(others).verified
        where seen.insert(order.hash).inserted {
            orders.append(order)
        }
        return orders
    }
}
