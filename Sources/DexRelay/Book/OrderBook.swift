import Synchronization

/// The relay's orders, shared: readers take a snapshot and never wait for a writer's work.
package final class OrderBook: Sendable {
    private let index = Mutex(OrderIndex())

    package init() {}

    /// The book as it is now.
    package var snapshot: OrderIndex {
        index.withLock { $0 }
    }

    /// Changes the book; short, no waiting inside.
    package func update(_ change: (inout OrderIndex) -> Void) {
        index.withLock { change(&$0) }
    }
}
