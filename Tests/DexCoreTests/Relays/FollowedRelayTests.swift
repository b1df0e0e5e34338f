import DexTestSupport
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A feed whose events a test sends.
final class FakeFeed: RelayFeed {
    private struct State {
        var receive: (@Sendable (RelayFeedEvent) async -> Void)?
        var end: CheckedContinuation<RelayFeedEnd, Never>?
        var follows = 0
    }

    private let state = Mutex(State())
    private let began: AsyncStream<Void>
    private let begin: AsyncStream<Void>.Continuation

    init() { (began, begin) = AsyncStream.makeStream() }

    var follows: Int { state.withLock(\.follows) }

    func follow(
        base _: Address,
        quote _: Address,
        receive: @escaping @Sendable (RelayFeedEvent) async -> Void
    ) async -> RelayFeedEnd {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    state.receive = receive
                    state.follows += 1
                    if Task.isCancelled { return true }
                    state.end = continuation
                    return false
                }
                begin.yield()
                if isCancelled { continuation.resume(returning: RelayFeedEnd(reason: "cancelled")) }
            }
        } onCancel: {
            finish(RelayFeedEnd(reason: "cancelled"))
        }
    }

    /// Waits until the feed is followed once more.
    func started() async throws {
        _ = try await began.next("the feed to be followed")
    }

    func send(_ event: RelayFeedEvent) async {
        await state.withLock(\.receive)?(event)
    }

    func finish(_ end: RelayFeedEnd) {
        let continuation = state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
        continuation?.resume(returning: end)
    }
}

@Suite("A relay's book is kept from its feed")
struct FollowedRelayTests {
    let market: TestMarket
    let feed = FakeFeed()
    let gate = Gate()
    let relay: FollowedRelay

    init() throws {
        market = try TestMarket()
        let gate = gate
        relay = FollowedRelay(
            name: "https://a.example",
            relay: market.relay,
            feed: feed,
            base: TestMarket.zrx,
            quote: TestMarket.weth,
            clock: RelayGroup.Clock(
                elapsed: { gate.milliseconds },
                sleep: { _ in try await gate.wait() }
            ),
            signal: WakeSignal()
        )
    }

    private func hashes() async throws -> [OrderHash] {
        let book = try await relay.orderbook(base: TestMarket.zrx, quote: TestMarket.weth)
        return (book.bids.orders + book.asks.orders).map(\.hash)
    }

    private func expect(
        _ expected: [OrderHash],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await hashes()
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    private func reads() -> Int { market.relay.requests.count { $0 == "orderbook" } }

    /// Runs a test beside the feed.
    private func following(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let relay = relay
            group.addTask { await relay.run { _ in } }
            try await feed.started()
            try await body()
            group.cancelAll()
        }
    }

    @Test("after one read the feed's changes are enough, and the relay is not asked again")
    func changes() async throws {
        let first = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let second = try await market.bid(by: market.makers[1], "10", for: "0.05")
        market.setBook(asks: [first])
        try await following {
            await feed.send(.subscribed)
            await feed.send(.numbered)
            try await expect([first.hash])
            await feed.send(.shown([second]))
            try await expect([second.hash, first.hash])
            await feed.send(.changed([RelayOrderChange(hash: first.hash, isShown: false)]))
            try await expect([second.hash])
            #expect(reads() == 1)
            #expect(relay.isFollowing)
        }
    }

    @Test("whether there is a feed is known once it has begun, or could not begin")
    func decided() async throws {
        try await following {
            #expect(!relay.isDecided)
            feed.finish(RelayFeedEnd(reason: "no such path", isPermanent: false))
            try await until("the failure of the feed") { relay.isDecided }
            #expect(!relay.isFollowing)
        }
        let other = FollowedRelay(
            name: "https://b.example",
            relay: market.relay,
            feed: feed,
            base: TestMarket.zrx,
            quote: TestMarket.weth,
            clock: RelayGroup.Clock(elapsed: { 0 }, sleep: { _ in }),
            signal: WakeSignal()
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await other.run { _ in } }
            try await feed.started()
            #expect(!other.isDecided)
            await feed.send(.subscribed)
            #expect(other.isDecided && other.isFollowing)
            group.cancelAll()
        }
    }

    @Test("after a gap, and for a change of an unknown order, the book is read again")
    func gaps() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "0.1")
        market.setBook()
        try await following {
            await feed.send(.subscribed)
            await feed.send(.numbered)
            try await expect([])
            market.setBook(asks: [order])
            try await expect([])
            await feed.send(.gap)
            try await expect([order.hash])
            market.setBook()
            let unknown = RelayOrderChange(hash: OrderHash(.zero), isShown: true)
            await feed.send(.changed([unknown]))
            try await expect([])
            #expect(reads() == 3)
        }
    }

    @Test(
        "a whole snapshot is the book; one that may be cut is not",
        arguments: [(true, 0), (false, 1)]
    )
    func snapshots(isWhole: Bool, wanted: Int) async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "0.1")
        market.setBook(asks: [order])
        let book = RelayOrderbook(
            bids: RelayOrders(orders: []),
            asks: RelayOrders(orders: [order])
        )
        try await following {
            await feed.send(.subscribed)
            await feed.send(.snapshot(book, isWhole: isWhole))
            try await expect([order.hash])
            #expect(reads() == wanted)
        }
    }

    @Test("without numbers the book is read again after 15 s, with them after a minute")
    func refresh() async throws {
        market.setBook()
        try await following {
            await feed.send(.subscribed)
            _ = try await hashes()
            gate.pass(14_999)
            _ = try await hashes()
            #expect(reads() == 1)
            gate.pass(1)
            _ = try await hashes()
            #expect(reads() == 2)
            await feed.send(.numbered)
            gate.pass(59_999)
            _ = try await hashes()
            #expect(reads() == 2)
            gate.pass(1)
            _ = try await hashes()
            #expect(reads() == 3)
        }
    }

    @Test("when the feed ends the relay is polled, and the feed is tried again after a while")
    func ends() async throws {
        market.setBook()
        try await following {
            await feed.send(.subscribed)
            await feed.send(.numbered)
            _ = try await hashes()
            feed.finish(RelayFeedEnd(reason: "cut"))
            gate.open()
            try await feed.started()
            #expect(!relay.isFollowing)
            _ = try await hashes()
            _ = try await hashes()
            #expect(reads() == 3)
            #expect(feed.follows == 2)
        }
    }

    @Test("a relay that has no feed is not asked for one again")
    func permanent() async throws {
        let relay = relay
        let feed = feed
        async let running: Void = relay.run { end in
            if end.reason != "no such path" { Issue.record("another end") }
        }
        try await feed.started()
        feed.finish(RelayFeedEnd(reason: "no such path", isPermanent: true))
        await running
        #expect(feed.follows == 1)
    }

    @Test("a watch says what it follows, and shows an order of the feed without another read")
    func watch() async throws {
        let first = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let second = try await market.ask(by: market.makers[1], "10", for: "0.2")
        for maker in market.makers { market.fund(maker.address, TestMarket.zrx, balance: .max) }
        market.setBook(asks: [first])
        var session = try market.session()
        session.feed = feed
        let step = Mutex(0)
        let feed = feed
        market.clock.onSleep { _ in
            // Nothing happens any longer: the test has hung.
            if step.withLock({ $0 }) > 200 { throw CancellationError() }
            step.withLock { $0 += 1 }
        }
        let seen = Mutex<[OrderbookState]>([])
        let model = OrderbookModel(session: session)
        try await model.watch(pairText: "ZRX/WETH") { state in
            let count = seen.withLock { seen in
                seen.append(state)
                return seen.count
            }
            if count == 1 {
                do { try await feed.started() } catch { Issue.record(error) }
                await feed.send(.subscribed)
                await feed.send(.numbered)
            } else if count == 2 {
                await feed.send(.shown([second]))
            }
            return state.askCount < 2
        }
        let states = seen.withLock { $0 }
        #expect(states.first?.askCount == 1)
        #expect(states.last?.askCount == 2)
        #expect(market.relay.requests.count { $0 == "orderbook" } == 2)
        #expect(states.first?.source?.polling == ["http://127.0.0.1:2"])
        #expect(states.last?.source?.following == ["http://127.0.0.1:2"])
    }
}
