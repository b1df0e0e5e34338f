package import Ethereum
package import Logging
import Synchronization
import ZeroEx

/// Follows the chain block by block and keeps the states of a relay's orders in step with it.
///
/// Only what a block's logs touched is audited again, beside a small part of the book as a net. Of
/// several instances with one store, the one that holds the store's lease watches for all.
package actor ChainWatcher {
    /// The outcome of one round.
    package enum Round: Hashable, Sendable {
        /// Another instance watches.
        case elsewhere
        /// Nothing is left to do before the next block.
        case done
        /// Orders still wait for their audit at this block.
        case more
        /// The chain or the store gave no answer; nothing has changed.
        case failed
    }

    /// Orders whose states are read in one batch.
    package static let chunk = 500
    /// How often an instance asks for the lease while another one watches.
    package static let takeOverInterval = Duration.seconds(2)
    /// How often the node is asked for a new block.
    package static let interval = Duration.milliseconds(250)

    let chain: any ChainClient
    let ledger: OrderLedger
    let index: TouchIndex
    let markets: @Sendable () -> [LogReading.Market]
    let now: @Sendable () -> UInt64
    let logger: Logger
    private let published = Mutex(Published())

    private(set) var lease: (any WatchLease)?
    var trail = BlockTrail()
    /// What is still to be audited although nothing touched it.
    var leftovers = WatchLeftovers()
    private var lastProblem: String?

    private struct Published {
        var statistics = WatcherStatistics()
        var isCaughtUp = false
    }

    /// - Parameters:
    ///   - index: one of the ledger's followers.
    ///   - markets: the exchange of each protocol version.
    ///   - now: seconds since 1970.
    package init(
        chain: any ChainClient,
        ledger: OrderLedger,
        index: TouchIndex,
        markets: @escaping @Sendable () -> [LogReading.Market],
        now: @escaping @Sendable () -> UInt64,
        logger: Logger
    ) {
        self.chain = chain
        self.ledger = ledger
        self.index = index
        self.markets = markets
        self.now = now
        self.logger = logger
    }

    /// What it did since the start.
    package nonisolated var statistics: WatcherStatistics {
        published.withLock { $0.statistics }
    }

    /// Every order was audited at a block that is still followed, here or by another instance.
    package nonisolated var isCaughtUp: Bool {
        published.withLock { $0.isCaughtUp }
    }

    /// Watches until cancelled.
    package func run(
        every interval: Duration = ChainWatcher.interval,
        pause: @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)
        }
    ) async {
        while !Task.isCancelled {
            switch await step() {
            case .more: await Task.yield()
            case .elsewhere:
                try? await pause(Self.takeOverInterval)  // cancelled: the loop ends
            case .done, .failed:
                try? await pause(interval)  // cancelled: the loop ends
            }
        }
        await stop()
    }

    /// Gives the lease back, so that another instance can watch at once.
    package func stop() async {
        await lease?.release()
        lease = nil
        report { $0.isWatching = false }
    }

    /// One round: takes the lease if it is free, then follows the chain by what is new.
    @discardableResult
    package func step() async -> Round {
        do {
            guard try await holdsLease() else { return .elsewhere }
            let round: Round
            do {
                round = try await follow()
            } catch let error as ChainError {
                report { $0.nodeFailures += 1 }
                try await expire()
                throw error
            }
            if lastProblem != nil { logger.notice("The order watcher goes on.") }
            lastProblem = nil
            return round
        } catch OrderStoreError.superseded {
            // This instance hung or was cut off; what it knows is not the store's any more.
            logger.notice("Another instance watches the chain now.")
            await stop()
            return .elsewhere
        } catch {
            // A stop cuts reads short: that is no problem of the node or the store.
            guard !Task.isCancelled else { return .failed }
            let problem = "\(error)"
            if problem != lastProblem { logger.warning("The order watcher waits: \(problem)") }
            lastProblem = problem
            return .failed
        }
    }

    private func holdsLease() async throws(OrderStoreError) -> Bool {
        if let lease {
            if await lease.isHeld { return true }
            logger.notice("Another instance may watch the chain now.")
            self.lease = nil
        }
        guard let lease = try await ledger.store.takeWatch() else {
            index.withLock { $0.age() }
            report { $0.isWatching = false }
            report(isCaughtUp: true)
            return false
        }
        do throws(OrderStoreError) {
            let watched = try await ledger.store.watched()
            // Whoever watched before may have committed what is not in memory yet.
            try await ledger.catchUp()
            // What ended before this instance started may not be in memory either.
            let missing = watched.ended.lazy.filter { [index] in index[$0.hash] == nil }
                .compactMap { [ledger] in ledger.decoded($0) }
            for change in missing { index.withLock { $0.remember(change) } }
            trail = BlockTrail(watched.position)
        } catch {
            await lease.release()
            throw error
        }
        let (steps, now) = (trail.steps, now())
        index.withLock { $0.place(among: steps, now: now) }
        leftovers = WatchLeftovers()
        self.lease = lease
        report { $0.isWatching = true }
        report(isCaughtUp: false)
        return true
    }

    // MARK: Reports

    func report(_ change: (inout WatcherStatistics) -> Void) {
        published.withLock { change(&$0.statistics) }
    }

    func report(isCaughtUp: Bool) {
        published.withLock { $0.isCaughtUp = isCaughtUp }
    }
}
