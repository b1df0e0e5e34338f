import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// What undone blocks undo.
@Suite struct ReorganizationTests {
    @Test("an order that an undone block ended is back", arguments: [1, 2, 30, 64])
    func back(depth: Int) async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        let cancelled = try fixture.order(salt: 2)
        try await fixture.start([order, cancelled])
        for _ in 0..<70 { try await fixture.mine() }
        try await fixture.mine {
            $0.fill(order, 2000, by: WatchFixture.taker)
            $0.cancel(cancelled)
        }
        for _ in 1..<depth { try await fixture.mine() }
        #expect(fixture.state(order) == .filled)
        fixture.chain.undo(depth)
        for _ in 0...depth { fixture.chain.mine() }
        try await fixture.settle()
        #expect(fixture.state(order) == .shown)
        #expect(fixture.state(cancelled) == .shown)
        #expect(fixture.watcher.statistics.reorganizations == 1)
        #expect(fixture.watcher.statistics.deepestReorganization == depth)
    }

    @Test("one that is filled again in another block is gone, until that is undone too")
    func again() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        let fill = { (world: inout ForkingChain.World) in
            world.fill(order, 2000, by: WatchFixture.taker)
        }
        try await fixture.mine(fill)
        let first = fixture.chain.head.hash
        for _ in 0..<3 {
            fixture.chain.undo(1)
            try await fixture.mine(fill)
            #expect(fixture.state(order) == .filled)
        }
        fixture.chain.undo(1)
        try await fixture.mine()
        #expect(fixture.state(order) == .shown)
        // Back to the very first branch.
        fixture.chain.switch(to: first)
        try await fixture.mine()
        #expect(fixture.state(order) == .filled)
        fixture.chain.undo(2)
        for _ in 0..<3 { fixture.chain.mine() }
        try await fixture.settle()
        #expect(fixture.state(order) == .shown)
    }

    @Test("beyond 64 blocks everything is audited again")
    func deep() async throws {
        let fixture = try WatchFixture()
        let orders = try (1...600).map { try fixture.order(salt: $0) }
        try await fixture.start(orders)
        let gone = orders.prefix(5)
        try await fixture.mine { world in
            for order in gone { world.fill(order, 2000, by: WatchFixture.taker) }
        }
        for _ in 0..<70 { try await fixture.mine() }
        fixture.chain.undo(71)
        for _ in 0..<72 { fixture.chain.mine(after: 6) }
        #expect(await fixture.watcher.step() == .more)
        #expect(!fixture.watcher.isCaughtUp)
        try await fixture.settle()
        #expect(fixture.watcher.isCaughtUp)
        #expect(orders.allSatisfy { fixture.state($0) == .shown })
        #expect(fixture.watcher.statistics.reorganizations == 1)
    }

    @Test("an order that came in on funds of an undone block is asked about again")
    func fundsUndone() async throws {
        let fixture = try WatchFixture()
        try await fixture.start([])
        let maker = WatchFixture.stranger
        let order = try fixture.order { $0.maker = maker }
        try await fixture.mine { world in
            world.approve(WatchFixture.zrx, by: maker, spender: WatchFixture.proxy, .max)
            world.transfer(WatchFixture.zrx, from: fixture.maker, to: maker, 5_000)
        }
        // No log names it: it was not there yet.
        try await fixture.add([order])
        try await fixture.settle()
        #expect(fixture.state(order) == .shown)
        fixture.chain.undo(1)
        for _ in 0..<2 { fixture.chain.mine() }
        try await fixture.settle()
        #expect(fixture.state(order) == .dormant)
    }

    @Test("a restart in between changes nothing: the position says what was touched")
    func restart() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        try await fixture.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        try await fixture.mine()
        await fixture.watcher.stop()
        fixture.chain.undo(2)
        for _ in 0..<3 { fixture.chain.mine() }
        let next = try WatchFixture(chain: fixture.chain, store: fixture.store)
        next.clock.advance(by: 100)
        try await next.ledger.load()
        _ = fixture.chain.takeReads()
        try await next.settle()
        #expect(next.state(order) == .shown)
        #expect(next.watcher.statistics.audits == 1)
    }

    @Test("a stop of hours changes nothing: what the position names is known however old it is")
    func longStop() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        let hidden = try fixture.order(salt: 2)
        let other = try fixture.order(salt: 3)
        try await fixture.start([order, other])
        try await fixture.add([hidden], state: .hidden)
        try await fixture.mine {
            $0.fill(order, 2000, by: WatchFixture.taker)
            $0.cancel(hidden)
        }
        try await fixture.mine()
        #expect(fixture.state(hidden)?.isGone == true)
        await fixture.watcher.stop()
        fixture.chain.undo(2)
        for _ in 0..<3 { fixture.chain.mine() }
        let next = try WatchFixture(chain: fixture.chain, store: fixture.store)
        next.clock.advance(by: 100 + 3 * OrderLedger.secondsKept)
        try await next.ledger.load()
        try await next.settle()
        #expect(next.state(order) == .shown)
        #expect(next.state(hidden) == .hidden)
        #expect(next.state(other) == .shown)
        #expect(next.watcher.statistics.reorganizations == 1)
    }

    @Test("whoever takes the watch over learns what ended before it started")
    func takeOver() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        try await fixture.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        for _ in 0..<3 { try await fixture.mine() }
        let next = try WatchFixture(chain: fixture.chain, store: fixture.store)
        next.clock.advance(by: 200 + 3 * OrderLedger.secondsKept)
        // As if the position had named no order when this instance started.
        let position = fixture.store.position
        fixture.store.set(position: nil)
        try await next.ledger.load()
        fixture.store.set(position: position)
        #expect(next.index[order.hash] == nil)
        #expect(await next.watcher.step() == .elsewhere)
        await fixture.watcher.stop()
        fixture.chain.undo(4)
        for _ in 0..<5 { fixture.chain.mine() }
        try await next.settle()
        #expect(next.state(order) == .shown)
    }

    @Test("a hidden order that ended before a restart comes back hidden", arguments: [1, 3])
    func hidden(ends: Int) async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([])
        try await fixture.add([order], state: .hidden)
        // Also if it ended in several ways, one after the other.
        for end in 0..<ends {
            if end > 0 { fixture.chain.undo(1) }
            try await fixture.mine { world in
                if end == 1 {
                    world.fill(order, 2000, by: WatchFixture.taker)
                } else {
                    world.cancel(order)
                }
            }
        }
        #expect(fixture.store.order(order.hash)?.wasHidden == true)
        await fixture.watcher.stop()
        fixture.chain.undo(1)
        for _ in 0..<2 { fixture.chain.mine() }
        let next = try WatchFixture(chain: fixture.chain, store: fixture.store)
        next.clock.advance(by: 100)
        try await next.ledger.load()
        try await next.settle()
        #expect(next.state(order) == .hidden)
        #expect(fixture.store.order(order.hash)?.wasHidden == false)
    }

    @Test("a node that shows an earlier block of the same chain is behind; nothing is undone")
    func behind() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([order])
        let before = fixture.chain.head.hash
        try await fixture.mine { $0.fill(order, 2000, by: WatchFixture.taker) }
        fixture.chain.lag(at: before)
        try await fixture.settle()
        #expect(fixture.state(order) == .filled)
        #expect(fixture.watcher.statistics.reorganizations == 0)
        fixture.chain.lag(at: nil)
        try await fixture.mine()
        #expect(fixture.state(order) == .filled)
        #expect(fixture.watcher.statistics.reorganizations == 0)
    }
}
