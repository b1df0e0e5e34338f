import DexTestSupport
import Ethereum
import EthereumWallet
import Logging
import Synchronization
import ZeroEx

@testable import DexRelay

/// An intake whose chain, store, policy and clock a test holds in its hand.
struct PostFixture {
    let base: RelayFixture
    let chain: HeldChain
    let store: HeldStore
    let clock = ManualClock()
    let live: LiveConfiguration
    let book = OrderBook(.v1)
    let holdings = MakerHoldings()
    let ledger: OrderLedger
    let intake: OrderIntake

    init(
        policy: (any OrderPolicy)? = nil,
        maximumWaiting: Int = PostQueue.maximumWaiting,
        configure: (inout RelayConfiguration) -> Void = { _ in }
    ) throws {
        base = try RelayFixture()
        var configuration = RelayConfiguration(
            contracts: RelayFixture.contracts,
            pairs: [
                RelayFixture.pair(RelayFixture.zrx, RelayFixture.weth),
                RelayFixture.pair(RelayFixture.dai, RelayFixture.weth),
            ]
        )
        configure(&configuration)
        live = LiveConfiguration(configuration)
        chain = HeldChain(base.chain)
        store = HeldStore(try SQLiteOrderStore(path: nil))
        let (seconds, clock) = (base.clock, clock)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ledger = OrderLedger(
            store: store,
            protocols: [ZeroExV1()],
            followers: [book, holdings],
            now: { seconds.now },
            sleep: clock.sleep,
            logger: logger
        )
        let parts = PostQueue.Parts(
            exchangeProtocol: ZeroExV1(),
            live: live,
            auditor: OrderAuditor(
                exchangeProtocol: ZeroExV1(),
                chain: chain,
                contracts: RelayFixture.contracts
            ),
            book: book,
            holdings: holdings,
            ledger: ledger,
            policy: policy,
            now: { seconds.now },
            sleep: clock.sleep,
            logger: logger,
            maximumWaiting: maximumWaiting
        )
        intake = OrderIntake(parts, verifier: SignatureVerifier(), keys: RelayKeys(now: parts.now))
    }

    /// The reasons of a refused post; none if it was accepted.
    func reasons(_ orders: any SignedOrder...) async -> [OrderRefusal] {
        do throws(OrderIntake.RefusedPost) {
            _ = try await intake.post(orders)
            return []
        } catch {
            return error.refusals.reasons
        }
    }

    func state(_ order: any SignedOrder) -> ListingState? {
        book.read { $0.listing(order.hash)?.state }
    }

    /// Commits a new state of an order, as the watcher does.
    func set(_ order: any SignedOrder, _ state: ListingState) async throws {
        var batch = OrderBatch()
        batch.updated = [
            .init(
                hash: order.hash,
                state: state,
                standing: OrderStanding(fillable: .zero, isPartlyFilled: false)
            )
        ]
        _ = try await ledger.commit(batch)
    }

    /// Returns once so many orders wait.
    func waitForWaiting(_ count: Int) async throws {
        try await until("\(count) orders in the queue") { intake.queue.waiting >= count }
    }
}

/// A chain that can hold its answers back.
final class HeldChain: ChainClient {
    private let chain: FakeChain
    private let gate = Mutex<Gate?>(nil)
    private let questions = Collected<Int>()

    init(_ chain: FakeChain) {
        self.chain = chain
    }

    /// How many questions came in each read.
    var reads: [Int] { questions.values }

    /// Every read waits for the gate, which a cancelled read opens; nil lets reads pass.
    func hold(at gate: Gate?) {
        self.gate.withLock { $0 = gate }
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        questions.append(reads.count)
        if let gate = gate.withLock({ $0 }) {
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                gate.open()
            }
        }
        return try await chain.read(reads)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("a relay sends nothing")
    }
}

/// A store that can hold its commits back, or fail.
final class HeldStore: OrderStore {
    private struct State {
        var gate: Gate?
        var failure: OrderStoreError?
        /// The failure comes after the commit was written.
        var failsAfter = false
    }

    private let store: SQLiteOrderStore
    private let state = Mutex(State())
    private let batches = Collected<OrderBatch>()

    init(_ store: SQLiteOrderStore) {
        self.store = store
    }

    var commits: [OrderBatch] { batches.values }

    func hold(at gate: Gate?) {
        state.withLock { $0.gate = gate }
    }

    func fail(with failure: OrderStoreError?, after isAfter: Bool = false) {
        state.withLock {
            $0.failure = failure
            $0.failsAfter = isAfter
        }
    }

    func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange] {
        batches.append(batch)
        await state.withLock { $0.gate }?.pass()
        let (failure, isAfter) = state.withLock { ($0.failure, $0.failsAfter) }
        if let failure, !isAfter { throw failure }
        let changes = try await store.commit(batch, now: now)
        if let failure { throw failure }
        return changes
    }

    func changes(
        after number: UInt64,
        limit: Int
    ) async throws(OrderStoreError) -> [OrderChange]? {
        try await store.changes(after: number, limit: limit)
    }

    func load(
        goneSince: UInt64,
        _ row: (ListedOrder) -> Void
    ) async throws(OrderStoreError) -> StoreHead {
        try await store.load(goneSince: goneSince, row)
    }

    func watched() async throws(OrderStoreError) -> WatchedState {
        try await store.watched()
    }

    func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws(OrderStoreError) -> [ListedOrder] {
        try await store.unshown(of: maker, version)
    }

    func prune(before: UInt64) async throws(OrderStoreError) {
        try await store.prune(before: before)
    }

    func wakeUps() -> AsyncStream<StoreWakeUp> { store.wakeUps() }

    func takeWatch() async throws(OrderStoreError) -> (any WatchLease)? {
        try await store.takeWatch()
    }

    var statistics: StoreStatistics { store.statistics }

    func close() async throws(OrderStoreError) {
        try await store.close()
    }
}

/// A policy that a test writes in a line.
struct TestPolicy: OrderPolicy {
    let decide: @Sendable (PolicyQuestion) async throws(OrderPolicyError) -> PolicyVerdict

    func verdict(on question: PolicyQuestion) async throws(OrderPolicyError) -> PolicyVerdict {
        try await decide(question)
    }
}
