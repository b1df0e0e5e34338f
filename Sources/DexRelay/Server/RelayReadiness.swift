import Synchronization

/// Whether a load balancer should send clients to this instance.
package final class RelayReadiness: Sendable {
    private struct State {
        var isLoading = true
        var isDraining = false
    }

    /// The node or the watcher may be fewer blocks late than this.
    package static let maximumBlocksLate: UInt64 = 3

    private let state = Mutex(State())
    /// The usual seconds from one block to the next; nil if the chain has no rhythm.
    private let secondsPerBlock: UInt64?

    package init(secondsPerBlock: UInt64? = nil) {
        self.secondsPerBlock = secondsPerBlock
    }

    /// The book is complete.
    package func loaded() {
        state.withLock { $0.isLoading = false }
    }

    /// The relay is about to stop: no new clients.
    package func drain() {
        state.withLock { $0.isDraining = true }
    }

    /// Why this instance is not ready, as sentences; none if it is.
    ///
    /// - Parameter now: seconds since 1970.
    package func reasons(
        watcher: WatcherStatistics?,
        store: StoreStatistics?,
        now: UInt64
    ) -> [String] {
        let state = state.withLock { $0 }
        var reasons: [String] = []
        if state.isDraining { reasons.append("The relay is stopping.") }
        if state.isLoading { reasons.append("The relay still reads its orders from the store.") }
        if store?.isReachable == false { reasons.append("The relay's store does not answer.") }
        if let watcher, watcher.isWatching {
            if let lag = watcher.lag, lag >= Self.maximumBlocksLate {
                reasons.append("The order watcher is \(lag) blocks behind the node.")
            }
            if let reason = lateNode(watcher, now) { reasons.append(reason) }
        }
        return reasons
    }

    private func lateNode(_ watcher: WatcherStatistics, _ now: UInt64) -> String? {
        guard let secondsPerBlock, let time = watcher.followedTime, now > time else { return nil }
        let (maximum, overflow) = secondsPerBlock.multipliedReportingOverflow(
            by: Self.maximumBlocksLate
        )
        let age = now - time
        // A block is seen a while after its time even by the best node.
        guard !overflow, age >= maximum, age - maximum >= secondsPerBlock else { return nil }
        return "The node's latest block is \(age) s old: it is at least \(Self.maximumBlocksLate) "
            + "blocks late."
    }
}
