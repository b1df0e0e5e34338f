import Ethereum
import Synchronization

/// What the follower of the book tells the one of the account, so that nothing is read twice.
package final class RefreshTrigger: Sendable {
    /// A reading of what is beside the book is due when this differs.
    struct Beat: Hashable, Sendable {
        /// The latest block; nil before the first one.
        var head: BlockHash?
        /// Counts changes of the account's orders on the relays.
        var ownOrders = 0
    }

    private let state = Mutex(Beat())

    package init() {}

    var beat: Beat { state.withLock { $0 } }

    func set(head: BlockHash) { state.withLock { $0.head = head } }

    func changeOwnOrders() { state.withLock { $0.ownOrders += 1 } }
}
