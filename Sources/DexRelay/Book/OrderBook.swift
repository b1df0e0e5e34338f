import Synchronization

/// The relay's shared orders: readers take a snapshot and never wait for a writer's work.
package final class OrderBook: Sendable {
    private let index = Mutex(OrderIndex())

    package var snapshot: OrderIndex {
        index.withLock { $0 }
    }

    /// Changes the book; the change must be short and must not wait.
    package func update(_ change: (inout OrderIndex) -> Void) {
        index.withLock { change(&$0) }
    }
}
