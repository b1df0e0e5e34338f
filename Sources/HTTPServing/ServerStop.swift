package import NIOCore
import NIOPosix
import Synchronization

/// Ends a server in an orderly way: requests under way are answered, and no new ones taken.
package final class ServerStop: Sendable {
    private struct State {
        var connections: OpenConnections?
        /// Set once the stop is made.
        var patience: TimeAmount?
        var timer: Scheduled<Void>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Begins the stop.
    ///
    /// - Parameter patience: after this time nothing is waited for any more.
    package func make(within patience: TimeAmount) {
        let connections = state.withLock { state in
            state.patience = patience
            return state.connections
        }
        if let connections { stop(connections, within: patience) }
    }

    func attach(_ connections: OpenConnections) {
        let patience = state.withLock { state in
            state.connections = connections
            return state.patience
        }
        if let patience { stop(connections, within: patience) }
    }

    func detach() {
        state.withLock { state in
            state.connections = nil
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func stop(_ connections: OpenConnections, within patience: TimeAmount) {
        connections.stop()
        let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: patience) {
            connections.cut()
        }
        state.withLock { $0.timer = timer }
    }
}
