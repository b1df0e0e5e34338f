import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Orders that expire or cannot be filled are told once")
struct WatchedOrdersTests {
    let stage: WatchStage
    private var market: TestMarket { stage.market }

    init() throws {
        stage = try WatchStage()
        stage.fund(TestMarket.units("1000"))
        stage.mine(101, time: TestMarket.now)
    }

    /// Watches until so many looks are over; `action` happens before each of them but the first.
    private func follow(
        _ looks: Int,
        every seconds: UInt64,
        _ action: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> [WatchNotice] {
        let before = stage.sink.notices.count
        market.clock.onSleep { [clock = market.clock] _ in
            let number = clock.sleeps.count
            if number % looks == 0 { throw CancellationError() }
            action(number % looks)
        }
        try await stage.model(WatchSettings(interval: seconds * 1_000))
            .follow(stage.account, from: .journal)
        return Array(stage.sink.notices.dropFirst(before))
    }

    @Test("an order is said to expire soon and to have expired, although no block comes")
    func expires() async throws {
        let order = try await stage.own(expiresIn: 1_800)
        let reported = try await follow(9, every: 300)
        #expect(reported.map(\.word) == ["expiring", "expired"])
        #expect(reported.allSatisfy { $0.event.orderHash == order.hash })
        #expect(reported.allSatisfy { $0.event.transaction == nil })
        #expect(reported.map(\.message.noted) == [900, 1_800].map { TestMarket.now + $0 })
        #expect(reported.first?.event.expiry == UInt256(TestMarket.now + 1_800))
        #expect(reported.first?.event.amount == TestMarket.units("10"))
        // Another process knows.
        stage.mine(102, time: TestMarket.now + 4_000)
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(from: .block(0)).isEmpty)
    }

    @Test("what is left of a partly filled order is told, of a filled one nothing")
    func remaining() async throws {
        let partly = try await stage.own(salt: 1, expiresIn: 600)
        let filled = try await stage.own(salt: 2, expiresIn: 600)
        let cancelled = try await stage.own(salt: 3, expiresIn: 600)
        market.use(partly, filled: TestMarket.units("0.75"))
        market.use(filled, filled: TestMarket.units("1"))
        market.use(cancelled, cancelled: TestMarket.units("1"))
        let reported = try await follow(3, every: 400)
        #expect(reported.map(\.word) == ["expiring", "expired"])
        #expect(reported.allSatisfy { $0.event.orderHash == partly.hash })
        #expect(reported.allSatisfy { $0.event.amount == TestMarket.units("2.5") })
        #expect(reported.allSatisfy { $0.other?.raw == TestMarket.units("0.25") })
    }

    @Test("what expired before watching began is not told")
    func before() async throws {
        _ = try await stage.own(salt: 1, expiresIn: 0)
        #expect(try await stage.look().isEmpty)
    }

    @Test("an order of the journal that comes while no block does is looked at")
    func comes() async throws {
        #expect(try await stage.look().isEmpty)
        _ = try await stage.own(expiresIn: 500)
        #expect(try await stage.look().map(\.word) == ["expiring"])
        #expect(try await stage.look().isEmpty)
    }

    @Test("funds that go and come are told each time they do, across restarts")
    func funds() async throws {
        let order = try await stage.own()
        #expect(try await stage.look().isEmpty)
        var words: [[String]] = []
        var block: UInt64 = 102
        for (balance, allowance) in [
            ("0", UInt256.max), ("0", .max), ("1", .max), ("1", .max), ("1000", 0), ("1000", .max),
        ] {
            stage.fund(TestMarket.units(balance), allowance: allowance)
            stage.mine(block)
            block += 1
            words.append(try await stage.look().map(\.word))
        }
        #expect(words == [["unfunded"], [], ["funded"], [], ["unfunded"], ["funded"]])
        #expect(stage.sink.notices.allSatisfy { $0.event.orderHash == order.hash })
        #expect(Set(stage.sink.notices.map(\.message.id)).count == 4)
    }

    @Test("a token that cannot be read says nothing of funds, and an ended order has none")
    func unreadable() async throws {
        let order = try await stage.own()
        stage.fund(0)
        #expect(try await stage.look().map(\.word) == ["unfunded"])
        market.chain.answer(
            TestMarket.zrx,
            ERC20.balanceOf(stage.account),
            with: .failure(.reverted(data: [], message: "paused"))
        )
        stage.mine(102)
        #expect(try await stage.look().isEmpty)
        stage.fund(TestMarket.units("1000"))
        market.use(order, cancelled: TestMarket.units("1"))
        stage.mine(103)
        #expect(try await stage.look().isEmpty)
    }

    @Test("orders that only the relay has are watched; a relay that is away is told once")
    func relayed() async throws {
        let order = try await market.ask(
            by: market.trader,
            "10",
            for: "1",
            expiresIn: 600,
            salt: 9
        )
        let foreign = try await market.ask(by: market.makers[0], "1", for: "1", expiresIn: 600)
        market.relay.set { relay in
            relay.onOrders = { _ in .success(RelayOrders(orders: [order, foreign])) }
        }
        let first = try await stage.look()
        #expect(first.map { $0.event.orderHash } == [order.hash])
        let stage = stage
        let reported = try await follow(5, every: 1) { number in
            stage.market.relay.set { relay in
                relay.onOrders = { _ in
                    number > 2
                        ? .success(RelayOrders(orders: []))
                        : .failure(.unreachable(url: "u", reason: "down"))
                }
            }
            stage.mine(101 + UInt64(number))
        }
        #expect(reported.isEmpty)
        let words = stage.statuses.filter { if case .begun = $0 { false } else { true } }
        #expect(
            words == [.relayFailing("The relay at u cannot be reached: down."), .recovered]
        )
    }
}
