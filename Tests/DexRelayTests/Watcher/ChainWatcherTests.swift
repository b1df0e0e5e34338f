import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// What the watcher makes of blocks, one at a time.
@Suite struct ChainWatcherTests {
    @Test("a fill in part changes what is left, a whole one ends the order")
    func fills() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        let other = try fixture.order(salt: 2)
        try await fixture.start([order, other])
        try await fixture.mine { $0.fill(order, 500, by: WatchFixture.taker) }
        #expect(fixture.state(order) == .shown)
        #expect(
            fixture.store.order(order.hash)?.standing
                == OrderStanding(fillable: 1500, isPartlyFilled: true)
        )
        try await fixture.mine { $0.fill(order, 1500, by: WatchFixture.taker) }
        #expect(fixture.state(order) == .filled)
        #expect(fixture.state(other) == .shown)
        #expect(fixture.store.position?.head?.hash == fixture.chain.head.hash)
        try await fixture.mine { $0.cancel(other) }
        #expect(fixture.state(other)?.isGone == true)
    }

    @Test("an order sleeps while its maker cannot pay, and is shown when it can")
    func funds() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        let wrapped = try fixture.order(salt: 2) {
            $0.makerToken = WatchFixture.weth
            $0.takerToken = WatchFixture.zrx
        }
        try await fixture.start([order, wrapped])
        let (maker, zrx, weth) = (fixture.maker, WatchFixture.zrx, WatchFixture.weth)
        let all = UInt256(1) << 100
        try await fixture.mine {
            $0.transfer(zrx, from: maker, to: WatchFixture.stranger, all)
        }
        #expect(fixture.state(order) == .dormant)
        #expect(fixture.state(wrapped) == .shown)
        try await fixture.mine {
            $0.transfer(zrx, from: WatchFixture.stranger, to: maker, 500)
        }
        #expect(fixture.state(order) == .shown)
        #expect(fixture.store.order(order.hash)?.standing.fillable == 1000)
        try await fixture.mine { $0.approve(zrx, by: maker, spender: WatchFixture.proxy, 0) }
        #expect(fixture.state(order) == .dormant)
        try await fixture.mine { $0.approve(zrx, by: maker, spender: WatchFixture.proxy, 100) }
        #expect(fixture.state(order) == .shown)
        // No Transfer tells of wrapping and unwrapping.
        try await fixture.mine { $0.withdraw(weth, by: maker, all) }
        #expect(fixture.state(wrapped) == .dormant)
        try await fixture.mine { $0.deposit(weth, by: maker, 1_000) }
        #expect(fixture.state(wrapped) == .shown)
    }

    @Test("a hidden order stays hidden, and comes back hidden")
    func hidden() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.start([])
        try await fixture.add([order], state: .hidden)
        try await fixture.settle()
        let all = UInt256(1) << 100
        try await fixture.mine {
            $0.transfer(WatchFixture.zrx, from: fixture.maker, to: WatchFixture.taker, all)
        }
        #expect(fixture.state(order) == .hidden)
        try await fixture.mine {
            $0.transfer(WatchFixture.zrx, from: WatchFixture.taker, to: fixture.maker, all)
        }
        try await fixture.mine { $0.cancel(order) }
        #expect(fixture.state(order)?.isGone == true)
        fixture.chain.undo(1)
        try await fixture.mine()
        #expect(fixture.state(order) == .hidden)
    }

    @Test("an order ends at its expiry by the chain's time, or by the clock")
    func expiry() async throws {
        let fixture = try WatchFixture()
        let start = ForkingChain.start
        let orders = try [
            fixture.order(salt: 1) { $0.expiry = UInt256(start + 1_000) },
            fixture.order(salt: 2) { $0.expiry = UInt256(start + 2_000) },
            fixture.order(salt: 3) { $0.expiry = UInt256(start + 9_000) },
        ]
        try await fixture.start(orders)
        // The chain is ahead of the clock.
        fixture.chain.mine(after: 1_500)
        try await fixture.settle()
        #expect(orders.map { fixture.state($0) } == [.expired, .shown, .shown])
        // Undone, its time does not count; the clock still does.
        fixture.chain.undo(1)
        fixture.chain.mine(after: 12)
        try await fixture.settle()
        #expect(orders.map { fixture.state($0) } == [.shown, .shown, .shown])
        fixture.clock.advance(by: 2_000)
        try await fixture.settle()
        #expect(orders.map { fixture.state($0) } == [.expired, .expired, .shown])
        // Also while the node is down.
        fixture.chain.fail(with: .nonsense("down"))
        fixture.clock.advance(by: 8_000)
        #expect(await fixture.watcher.step() == .failed)
        #expect(orders.map { fixture.state($0) } == [.expired, .expired, .expired])
    }

    @Test("what a log does not name changes with the net, within 256 blocks and one")
    func net() async throws {
        let fixture = try WatchFixture()
        let orders = try (1...40).map { try fixture.order(salt: $0) }
        try await fixture.start(orders)
        try await fixture.mine { world in
            world.balances[TokenHolding(token: WatchFixture.zrx, owner: fixture.maker)] = 0
        }
        for _ in 0..<257 { try await fixture.mine() }
        #expect(orders.allSatisfy { fixture.state($0) == .dormant })
    }

    @Test("one node's word alone does not make an order of the net or a new one dormant")
    func doubt() async throws {
        let fixture = try WatchFixture()
        try await fixture.start([])
        // Its maker's node is a block ahead of ours.
        let order = try fixture.order { $0.makerToken = WatchFixture.dai }
        fixture.chain.mine { $0.grant(WatchFixture.dai, to: fixture.maker, 0) }
        try await fixture.settle()
        try await fixture.add([order])
        try await fixture.settle()
        #expect(fixture.state(order) == .shown)
        try await fixture.mine { $0.grant(WatchFixture.dai, to: fixture.maker, 5_000) }
        #expect(fixture.state(order) == .shown)
        // Two blocks that agree are believed.
        let poor = try fixture.order(salt: 5) { $0.maker = WatchFixture.stranger }
        try await fixture.add([poor])
        try await fixture.settle()
        try await fixture.settle()
        #expect(fixture.state(poor) == .shown)
        try await fixture.mine()
        #expect(fixture.state(poor) == .dormant)
    }

    @Test("orders whose standing was never read are audited without a block")
    func migrated() async throws {
        let fixture = try WatchFixture()
        try await fixture.start([])
        let orders = try (1...3).map { try fixture.order(salt: $0) }
        try await fixture.add(orders, fillable: 0)
        try await fixture.ledger.load()
        try await fixture.settle()
        for order in orders {
            #expect(fixture.store.order(order.hash)?.standing.fillable == 2000)
        }
    }

    @Test(
        "the reads of a block are 3 and one for each 500 touched orders, whatever the book's size",
        arguments: [0, 1, 499, 500, 501, 1_600]
    )
    func reads(touched count: Int) async throws {
        let fixture = try WatchFixture()
        let orders = try (0..<2_000).map { number in
            try fixture.order(salt: UInt64(number)) {
                $0.maker = Address(truncating: UInt256(0x10_0000 + UInt64(number)).word)
            }
        }
        fixture.chain.mine { world in
            for order in orders { world.grant(WatchFixture.zrx, to: order.maker, 1_000) }
        }
        try await fixture.add(orders)
        try await fixture.settle()
        #expect(fixture.watcher.isCaughtUp)
        _ = fixture.chain.takeReads()
        try await fixture.mine { world in
            for order in orders.prefix(count) {
                world.transfer(
                    WatchFixture.zrx,
                    from: order.maker,
                    to: WatchFixture.stranger,
                    1_000
                )
            }
        }
        let reads = fixture.chain.takeReads()
        #expect(reads.count <= 3 + (count + 499) / 500)
        #expect(fixture.watcher.statistics.lastBlockRequests == reads.count)
        #expect(fixture.watcher.statistics.lastBlockTouched == count)
        let dormant = fixture.store.states.values.filter { $0 == .dormant }.count
        #expect(dormant == count)
        // One call for the order and two for its funds; the net adds 1/256.
        let calls = reads.joined().filter { if case .call = $0 { true } else { false } }
        #expect(calls.count <= 3 * (count + 40))
        // Everything is read at the block itself.
        for read in reads.joined() {
            switch read {
            case .call(_, let tag): #expect(tag == .hash(fixture.chain.head.hash))
            case .logs(let filter): #expect(filter.blockHash == fixture.chain.head.hash)
            default: #expect(read == .block(.latest))
            }
        }
        // A round without a block costs one read.
        try await fixture.settle()
        #expect(fixture.chain.takeReads().count == 1)
    }

    @Test("several blocks at once cost no more audits than what they touched together")
    func union() async throws {
        let fixture = try WatchFixture()
        let orders = try (1...600).map { try fixture.order(salt: $0) }
        try await fixture.start(orders)
        for amount in 1...10 as ClosedRange<UInt64> {
            fixture.chain.mine {
                $0.transfer(
                    WatchFixture.zrx,
                    from: fixture.maker,
                    to: WatchFixture.stranger,
                    UInt256(amount)
                )
            }
        }
        _ = fixture.chain.takeReads()
        let before = fixture.watcher.statistics.audits
        try await fixture.settle()
        #expect(fixture.watcher.statistics.audits - before == 600)
        // The head, nine parents, the logs of all, two chunks of audits.
        let reads = fixture.chain.takeReads().count
        #expect(reads == 13)
        #expect(fixture.store.position?.steps.count == 11)
    }

    @Test("without a position everything is audited, 500 a read, and blocks are followed meanwhile")
    func start() async throws {
        let fixture = try WatchFixture()
        let orders = try (1...1_700).map { number in
            try fixture.order(salt: number) {
                $0.maker = Address(truncating: UInt256(0x10_0000 + number).word)
            }
        }
        fixture.chain.mine { world in
            for order in orders.prefix(1_000) {
                world.grant(WatchFixture.zrx, to: order.maker, 1_000)
            }
        }
        try await fixture.add(orders)
        try await fixture.ledger.load()
        #expect(!fixture.watcher.isCaughtUp)
        #expect(await fixture.watcher.step() == .more)
        #expect(!fixture.watcher.isCaughtUp)
        // Fills go on while the rest waits.
        let filled = orders.prefix(3)
        fixture.chain.mine { world in
            for order in filled { world.fill(order, 2000, by: WatchFixture.taker) }
        }
        #expect(await fixture.watcher.step() == .more)
        #expect(filled.allSatisfy { fixture.state($0) == .filled })
        #expect(await fixture.watcher.step() == .more)
        #expect(await fixture.watcher.step() == .done)
        #expect(fixture.watcher.isCaughtUp)
        // What only the net found unfunded is asked again at the next block.
        fixture.chain.mine { _ in }
        #expect(await fixture.watcher.step() == .done)
        let states = fixture.store.states.values
        #expect(states.filter { $0 == .shown }.count == 997)
        #expect(states.filter { $0 == .dormant }.count == 700)
        let sizes = fixture.chain.takeReads().map { reads in
            reads.filter { if case .call = $0 { true } else { false } }.count
        }
        #expect(sizes.max() ?? 0 <= 3 * 500)
    }
}
