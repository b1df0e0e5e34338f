import CProcess
import Ethereum
package import Logging
import StrictJSON
package import ZeroEx

/// The one way in which a relay's orders change: a commit to the store, then every part in memory.
///
/// Other instances' commits arrive by the store's changes, in the same order.
package actor OrderLedger {
    package nonisolated let store: any OrderStore
    private let protocols: [ProtocolVersion: any ExchangeProtocol]
    private let followers: [any BookFollower]
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    /// The number of the last applied change.
    private var applied: UInt64 = 0
    /// Decoded orders of the latest commits of this instance, so that none is decoded twice.
    private var fresh: [OrderHash: OrderEntry] = [:]
    /// A reading of the store goes on, which nothing else may overtake.
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Gone orders stay in memory this long, since a reorganization may bring them back: 64 blocks
    /// of 12 s, doubled.
    package static let secondsKept: UInt64 = 1_536

    /// A ledger over an open store; call `load` before anything else.
    ///
    /// - Parameters:
    ///   - protocols: decode the orders; each of a different version.
    ///   - followers: get each change in this order.
    ///   - now: seconds since 1970.
    ///   - sleep: waits, or throws as soon as it is cancelled.
    package init(
        store: any OrderStore,
        protocols: [any ExchangeProtocol],
        followers: [any BookFollower],
        now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        logger: Logger
    ) {
        self.store = store
        self.protocols = Dictionary(uniqueKeysWithValues: protocols.map { ($0.version, $0) })
        self.followers = followers
        self.now = now
        self.sleep = sleep
        self.logger = logger
    }

    /// Fills every follower from the store.
    ///
    /// - Returns: the watcher's position, and how many orders there are.
    /// - Throws: `OrderStoreError`.
    @discardableResult
    package func load() async throws(OrderStoreError) -> (position: WatchPosition?, orders: Int) {
        await beginReading()
        defer { endReading() }
        return try await readAll()
    }

    private func readAll() async throws(OrderStoreError) -> (position: WatchPosition?, orders: Int)
    {
        var rows: [ListedOrder] = []
        let oldest = now().subtractingReportingOverflow(Self.secondsKept)
        let head = try await store.load(goneSince: oldest.overflow ? 0 : oldest.partialValue) {
            rows.append($0)
        }
        let orders = await decoded(rows)
        rows = []
        // Reading needs much memory that nothing needs after it.
        dex_memory_trim()
        for follower in followers { follower.reset(to: orders, sequences: head.sequences) }
        applied = head.number
        dex_memory_trim()
        return (head.position, orders.count)
    }

    /// Commits a batch, then applies it; a caller that returns from here sees it in every follower.
    ///
    /// - Parameter entries: decoded orders of the batch that are new.
    /// - Returns: the changes that were made.
    /// - Throws: `OrderStoreError`.
    package func commit(
        _ batch: OrderBatch,
        entries: [OrderEntry] = []
    ) async throws(OrderStoreError) -> [OrderChange] {
        for entry in entries { fresh[entry.hash] = entry }
        defer { for entry in entries { fresh[entry.hash] = nil } }
        let changes = try await store.commit(batch, now: now())
        guard let first = changes.first, let last = changes.last else { return [] }
        if applied + 1 == first.number, !isReading {
            apply(changes)
        } else {
            do throws(OrderStoreError) {
                try await catchUp(to: last.number)
            } catch {
                // Committed all the same; `run` reads it when the store answers again.
                logger.warning("A commit is not in the book yet: \(error)")
            }
        }
        return changes
    }

    /// Applies what other instances commit, until cancelled.
    ///
    /// A wake-up comes once: what could not be read is read again until it is.
    package func run() async {
        for await wakeUp in store.wakeUps() {
            var isWarned = false
            while !Task.isCancelled {
                do throws(OrderStoreError) {
                    if wakeUp == .reconnected { try await load() }
                    try await catchUp()
                    break
                } catch {
                    if !isWarned { logger.warning("Changes of other instances wait: \(error)") }
                    isWarned = true
                    try? await sleep(Self.pause)  // cancelled: the loop ends
                }
            }
        }
    }

    /// Between attempts to read what was committed.
    static let pause = Duration.milliseconds(200)

    /// Applies all that is committed, by whichever instance.
    ///
    /// - Throws: `OrderStoreError`.
    package func catchUp() async throws(OrderStoreError) {
        try await catchUp(to: .max)
    }

    /// Reads and applies changes up to a number, or all that there are.
    private func catchUp(to number: UInt64) async throws(OrderStoreError) {
        await beginReading()
        defer { endReading() }
        while applied < number {
            guard let changes = try await store.changes(after: applied, limit: Self.maximumRead)
            else {
                logger.notice("Changes were missed; the whole book is read again.")
                _ = try await readAll()
                continue
            }
            guard !changes.isEmpty else { return }
            apply(changes)
        }
    }

    private func beginReading() async {
        while isReading {
            await withCheckedContinuation { waiting.append($0) }
        }
        isReading = true
    }

    private func endReading() {
        isReading = false
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    private func apply(_ changes: [OrderChange]) {
        let news = changes.compactMap { change -> BookChange? in
            guard change.number > applied else { return nil }
            applied = change.number
            guard let entry = fresh[change.order.hash] ?? readable(change.order) else {
                return nil
            }
            return BookChange(change, entry)
        }
        guard !news.isEmpty else { return }
        for follower in followers { follower.apply(news) }
    }

    /// Decodes stored orders on all cores, in their order; unreadable ones are left out.
    private func decoded(_ rows: [ListedOrder]) async -> [BookChange] {
        let chunks = rows.chunks(of: 1_024)
        return await chunks.concurrentMap { [self] in $0.compactMap { decoded($0) } }
            .flatMap { $0 }
    }

    /// A stored order, ready to use; nil if it cannot be read.
    nonisolated func decoded(_ row: ListedOrder) -> BookChange? {
        readable(row).map {
            BookChange(OrderChange(number: row.change, pairSequence: 0, order: row), $0)
        }
    }

    /// A stored order, ready to use; a damaged one is reported.
    private nonisolated func readable(_ row: ListedOrder) -> OrderEntry? {
        let entry = entry(of: row)
        if entry == nil, protocols[row.version] != nil {
            logger.error("The stored order \(row.hash) cannot be read and is left out.")
        }
        return entry
    }

    /// A stored order, ready to use; nil if it cannot be read.
    nonisolated func entry(of row: ListedOrder) -> OrderEntry? {
        guard
            let exchangeProtocol = protocols[row.version],
            let json = try? JSONParser.parse(  // nil: damaged
                row.body,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            ),
            let order = try? exchangeProtocol.decodeOrder(json),  // nil: damaged
            order.hash == row.hash
        else { return nil }
        let rules = RelayInterface(row.version).rules
        return OrderEntry(order, body: row.body, ranking: rules.ranking)
    }

    private static let maximumRead = 5_000
}

extension BookChange {
    fileprivate init(_ change: OrderChange, _ entry: OrderEntry) {
        self.init(
            number: change.number,
            pairSequence: change.pairSequence,
            version: change.order.version,
            entry: entry,
            state: change.order.state,
            standing: change.order.standing,
            since: change.order.since,
            previous: change.previous,
            wasHidden: change.order.wasHidden
        )
    }
}
