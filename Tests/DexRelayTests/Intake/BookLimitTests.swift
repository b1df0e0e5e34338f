import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexRelay

/// Limits that depend on what the book has: its size, prices, what makers own.
@Suite struct BookLimitTests {
    private func order(
        _ fixture: PostFixture,
        _ takerAmount: UInt64,
        salt: UInt64 = 1,
        _ makerToken: Address = RelayFixture.zrx
    ) async throws -> any SignedOrder {
        try await fixture.base.order {
            $0.makerToken = makerToken
            $0.takerAmount = UInt256(takerAmount)
            $0.salt = UInt256(salt)
        }
    }

    @Test("in a full book the worst price makes room, and it is told to all as removed")
    func full() async throws {
        let fixture = try PostFixture { $0.maximumOrders = 3 }
        // DAI's second order is twice its best, ZRX's is 1.5 times its.
        let best = try await order(fixture, 2000)
        let middle = try await order(fixture, 3000)
        let dai = try await order(fixture, 100, RelayFixture.dai)
        for order in [best, middle, dai] { #expect(await fixture.reasons(order) == []) }
        let worse = try await order(fixture, 3001)
        #expect(await fixture.reasons(worse) == [.full])
        let same = try await order(fixture, 3000, salt: 9)
        #expect(await fixture.reasons(same) == [.full])
        let better = try await order(fixture, 2500)
        #expect(await fixture.reasons(better) == [])
        #expect(fixture.state(middle) == .removed)
        #expect(fixture.book.read { $0.count } == 3)
        // Posted again it is like any other.
        #expect(await fixture.reasons(middle) == [.full])
        // Where every order is its pair's best, none has to go.
        let first = try await order(fixture, 1000)
        #expect(await fixture.reasons(first) == [])
        #expect(fixture.state(better) == .removed)
        let farther = try await order(fixture, 110, RelayFixture.dai)
        #expect(await fixture.reasons(farther) == [])
        #expect(fixture.state(best) == .removed)
        #expect(fixture.state(dai) == .shown)
    }

    @Test("in a full book an order without funds makes room first, then a hidden one")
    func unshownFirst() async throws {
        let fixture = try PostFixture { $0.maximumOrders = 4 }
        var old: [any SignedOrder] = []
        for amount: UInt64 in [2000, 2100, 2200, 2300] {
            old.append(try await order(fixture, amount))
            #expect(await fixture.reasons(old[old.count - 1]) == [])
        }
        try await fixture.set(old[1], .hidden)
        try await fixture.set(old[0], .dormant)
        try await fixture.set(old[3], .dormant)
        try await fixture.set(old[3], .shown)
        #expect(fixture.book.read { $0.count } == 4)
        // Whatever its price: what cannot be filled is worse.
        let bad = try await order(fixture, 9000)
        #expect(await fixture.reasons(bad) == [])
        #expect(old.map(fixture.state) == [.removed, .hidden, .shown, .shown])
        let worse = try await order(fixture, 9500)
        #expect(await fixture.reasons(worse) == [])
        #expect(old.map(fixture.state) == [.removed, .removed, .shown, .shown])
        #expect(await fixture.reasons(try await order(fixture, 9600)) == [.full])
        let good = try await order(fixture, 2050)
        #expect(await fixture.reasons(good) == [])
        #expect(fixture.state(worse) == .removed)
        #expect(fixture.book.read { $0.count } == 4)
    }

    @Test("orders without funds never keep funded ones out, however many there are")
    func dormantFlood() async throws {
        let fixture = try PostFixture { $0.maximumOrders = 20 }
        for salt in 1...20 as ClosedRange<UInt64> {
            let spam = try await order(fixture, 2000, salt: salt)
            #expect(await fixture.reasons(spam) == [])
            try await fixture.set(spam, .dormant)
        }
        for salt in 101...120 as ClosedRange<UInt64> {
            let funded = try await order(fixture, 2000 + salt, salt: salt)
            #expect(await fixture.reasons(funded) == [])
            #expect(fixture.book.read { $0.count } == 20)
        }
        #expect(fixture.book.read { $0.shown.count } == 20)
    }

    @Test("orders of one post push out as many, or the post is refused as a whole")
    func fullForMany() async throws {
        let fixture = try PostFixture { $0.maximumOrders = 4 }
        var old: [any SignedOrder] = []
        for amount: UInt64 in [1000, 2000, 3000, 4000] {
            old.append(try await order(fixture, amount))
            #expect(await fixture.reasons(old[old.count - 1]) == [])
        }
        let (one, two) = (try await order(fixture, 1100), try await order(fixture, 1200))
        let bad = try await order(fixture, 2500)
        #expect(await fixture.reasons(one, two, bad) == [.full])
        #expect(old.map(fixture.state) == [.shown, .shown, .shown, .shown])
        #expect(await fixture.reasons(one, two) == [])
        #expect(old.map(fixture.state) == [.shown, .shown, .removed, .removed])
        #expect(fixture.book.read { $0.count } == 4)
    }

    @Test("a price may be worse than the pair's best by so much, exactly, and not more")
    func distance() async throws {
        let fixture = try PostFixture { $0.limits.maximumBasisPointsFromBest = 1_000 }
        // The first order of a side has no limit.
        let first = try await order(fixture, 5000)
        #expect(await fixture.reasons(first) == [])
        let best = try await order(fixture, 2000)
        #expect(await fixture.reasons(best) == [])
        let far = [OrderRefusal.farFromMarket(basisPoints: 1_000)]
        #expect(await fixture.reasons(try await order(fixture, 2200)) == [])
        #expect(await fixture.reasons(try await order(fixture, 2201)) == far)
        #expect(await fixture.reasons(try await order(fixture, 1)) == [])
        // The other side and the other pair have their own best.
        #expect(await fixture.reasons(try await order(fixture, 9000, RelayFixture.dai)) == [])
        let reads = fixture.chain.reads.count
        #expect(await fixture.reasons(try await order(fixture, 2000, salt: 4)) == far)
        #expect(fixture.chain.reads.count == reads)
    }

    @Test("prices of any size are compared exactly")
    func wideDistance() async throws {
        let fixture = try PostFixture()
        let entry = try PostSamples.entry(
            try await fixture.base.order {
                $0.makerAmount = .max
                $0.takerAmount = .max / 2
            }
        )
        let order = try await fixture.base.order {
            $0.makerAmount = .max
            $0.takerAmount = .max / 2 + 1
        }
        #expect(entry.isBetter(than: order, byMoreThan: 0, .price))
        #expect(!entry.isBetter(than: order, byMoreThan: 1, .price))
        #expect(!entry.isBetter(than: entry.order, byMoreThan: 0, .price))
        let extreme = try await fixture.base.order {
            $0.makerAmount = 1
            $0.takerAmount = .max
        }
        #expect(entry.isBetter(than: extreme, byMoreThan: .max, .price))
        let other = try PostSamples.entry(extreme)
        #expect(!other.isBetter(than: entry.order, byMoreThan: 0, .price))
    }

    @Test("a maker's open orders give at most three times what it owns of the token")
    func holdings() async throws {
        let fixture = try PostFixture()
        let maker = fixture.base.maker.address
        fixture.base.chain.fund(maker, RelayFixture.zrx, 1500)
        var orders: [any SignedOrder] = []
        for salt: UInt64 in 1...5 { orders.append(try await order(fixture, 2000, salt: salt)) }
        for order in orders[..<4] { #expect(await fixture.reasons(order) == []) }
        let refusal = OrderRefusal.beyondHoldings(times: 3, open: 5000, owned: 1500)
        #expect(await fixture.reasons(orders[4]) == [refusal])
        // Another token and another maker have their own sums.
        #expect(await fixture.reasons(try await order(fixture, 2000, RelayFixture.dai)) == [])
        // The chain says that half of it is filled already.
        fixture.base.chain.set { $0.unavailable[orders[4].hash.word] = 1000 }
        #expect(await fixture.reasons(orders[4]) == [])
        fixture.base.chain.set { $0.unavailable[orders[4].hash.word] = 0 }
        let next = try await order(fixture, 2000, salt: 6)
        #expect(
            await fixture.reasons(next)
                == [.beyondHoldings(times: 3, open: 5500, owned: 1500)]
        )
        try await fixture.set(orders[0], .cancelled)
        #expect(await fixture.reasons(next) == [])
        // Orders without funds count: they return with the funds.
        try await fixture.set(orders[1], .dormant)
        let more = try await order(fixture, 2000, salt: 7)
        #expect(
            await fixture.reasons(more)
                == [.beyondHoldings(times: 3, open: 5500, owned: 1500)]
        )
        var free = fixture.live.current
        free.limits.maximumTimesOwned = nil
        fixture.live.replace(with: free)
        #expect(await fixture.reasons(more) == [])
    }

    @Test("posts that come together cannot give more together")
    func holdingsOfBatch() async throws {
        let fixture = try PostFixture()
        fixture.base.chain.fund(fixture.base.maker.address, RelayFixture.zrx, 1000)
        let orders = try await fixture.base.orders(8)
        #expect(
            await fixture.reasons(orders[0], orders[1], orders[2], orders[3])
                == [.beyondHoldings(times: 3, open: 4000, owned: 1000)]
        )
        let gate = Gate()
        fixture.chain.hold(at: gate)
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { gate.open() }
            group.addTask { await fixture.reasons(orders[0]) == [] }
            try await gate.waitForArrivals(1)
            for order in orders[1...] {
                group.addTask { await fixture.reasons(order) == [] }
            }
            try await fixture.waitForWaiting(7)
            gate.open()
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 3)
        #expect(fixture.book.read { $0.count } == 3)
    }

    @Test("three times a number above 256 bits is no limit")
    func holdingsOverflow() async throws {
        let fixture = try PostFixture()
        fixture.base.chain.fund(fixture.base.maker.address, RelayFixture.zrx, .max)
        for salt: UInt64 in 1...4 {
            let order = try await fixture.base.order {
                $0.makerAmount = .max / 4
                $0.takerAmount = 4
                $0.salt = UInt256(salt)
            }
            #expect(await fixture.reasons(order) == [])
        }
    }
}
