import Synchronization
package import ZeroEx

/// The orders of one protocol version in memory, as the ledger's changes make them.
package final class OrderBook: BookFollower {
    private let version: ProtocolVersion
    private let index = Mutex(OrderIndex())

    package init(_ version: ProtocolVersion) {
        self.version = version
    }

    /// Reads the orders of one moment; the body must be short and must not wait.
    ///
    /// What takes longer is done with a list that the body returns.
    package func read<Result: Sendable>(_ body: (borrowing OrderIndex) -> Result) -> Result {
        index.withLock { body($0) }
    }

    package var statistics: BookStatistics {
        read { $0.statistics }
    }

    package func reset(to orders: [BookChange], sequences: [MarketKey: UInt64]) {
        // Built beside the old one, which is read meanwhile.
        var fresh: OrderIndex? = OrderIndex(
            orders.filter { $0.version == version },
            after: read { $0.revision }
        )
        index.withLock { index in
            guard let built = fresh.take() else { return }
            index = built
        }
    }

    package func apply(_ changes: [BookChange]) {
        index.withLock { index in
            for change in changes {
                if change.version == version {
                    index.apply(change)
                } else {
                    index.pass(change.number)
                }
            }
        }
    }
}
