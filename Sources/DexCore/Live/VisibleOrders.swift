import Synchronization
package import ZeroEx

/// The orders on the screen: their funding is read again at each block.
package final class VisibleOrders: Sendable {
    private let state = Mutex<Set<OrderHash>>([])

    package init() {}

    package var hashes: Set<OrderHash> { state.withLock { $0 } }

    package func set(_ hashes: Set<OrderHash>) { state.withLock { $0 = hashes } }
}
