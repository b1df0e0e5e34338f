import Ethereum
import Synchronization
package import ZeroEx

/// Which orders of a relay an event on chain can change, for the order watcher.
///
/// It is kept in step by the relay's committed changes alone.
package final class TouchIndex: BookFollower {
    private let orders: Mutex<WatchedOrders>

    /// - Parameter markets: the exchanges of the orders' versions.
    package init(markets: @escaping @Sendable () -> [LogReading.Market]) {
        orders = Mutex(
            WatchedOrders { version, order in
                let market = markets().first { $0.exchangeProtocol.version == version }
                guard let market else { return [order.makerToken] }
                return OrderFunding(
                    order,
                    by: market.exchangeProtocol,
                    contracts: market.contracts
                ).tokens
            }
        )
    }

    package func reset(to orders: [BookChange], sequences: [MarketKey: UInt64]) {
        self.orders.withLock { $0.reset(to: orders) }
    }

    package func apply(_ changes: [BookChange]) {
        orders.withLock { orders in
            for change in changes { orders.apply(change) }
        }
    }

    package subscript(hash: OrderHash) -> WatchedOrder? {
        orders.withLock { $0.orders[hash] }
    }

    /// Reads or changes the tables; it must be short and must not wait.
    func withLock<Value: Sendable>(_ body: (inout WatchedOrders) -> Value) -> Value {
        orders.withLock { body(&$0) }
    }
}
