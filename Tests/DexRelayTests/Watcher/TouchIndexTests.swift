import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// The watcher's tables, held against a plain list of the orders.
@Suite struct TouchIndexTests {
    @Test("an expiry queue gives what has expired, in order, whatever came in between")
    func queue() {
        var random = SeededGenerator(seed: 3)
        var queue = ExpiryQueue()
        var plain: [UInt64] = []
        for time in 0..<400 as Range<UInt64> {
            for _ in 0..<random.below(6) {
                let expiry = time + UInt64(random.below(50))
                plain.append(expiry)
                queue.insert(.init(expiry: expiry, hash: OrderHash(UInt256(expiry).word)))
            }
            var found: [UInt64] = []
            while let item = queue.next(expiredAt: time) { found.append(item.expiry) }
            #expect(found == plain.filter { $0 <= time }.sorted())
            plain.removeAll { $0 <= time }
            #expect(queue.count == plain.count)
        }
    }

    @Test("after any changes the index finds exactly the orders that a search of all finds")
    func search() async throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let fixture = try WatchFixture()
            let makers = (1...4).map { Address(truncating: UInt256(0xA0 + $0 as UInt64).word) }
            let tokens = [WatchFixture.zrx, WatchFixture.weth, WatchFixture.dai]
            let orders = try (1...120).map { salt in
                try fixture.order(salt: salt) { draft in
                    draft.maker = random.pick(makers)
                    draft.makerToken = random.pick(tokens)
                    draft.takerToken = random.pick(tokens)
                    draft.expiry = UInt256(1_000 + UInt64(random.below(1_000)))
                    if random.chance(30) {
                        draft.fees = OrderFees(
                            recipient: WatchFixture.taker,
                            makerFee: 3,
                            takerFee: 0
                        )
                    }
                }
            }
            for round in 0..<120 {
                if random.chance(40) || round == 0 {
                    try await fixture.add([random.pick(orders), random.pick(orders)])
                } else {
                    var batch = OrderBatch()
                    for _ in 0..<5 {
                        batch.updated.append(
                            .init(
                                hash: random.pick(orders).hash,
                                state: random.pick(ListingState.allCases),
                                standing: OrderStanding(
                                    fillable: UInt256(random.next()),
                                    isPartlyFilled: true
                                )
                            )
                        )
                    }
                    _ = try await fixture.ledger.commit(batch)
                }
                if random.chance(5) { try await fixture.ledger.load() }
                compare(fixture, orders, makers, tokens, at: 1_000 + UInt64(random.below(1_000)))
            }
        }
    }

    private func compare(
        _ fixture: WatchFixture,
        _ orders: [any SignedOrder],
        _ makers: [Address],
        _ tokens: [Address],
        at time: UInt64
    ) {
        let states = fixture.store.states
        let live = orders.filter { states[$0.hash]?.isGone == false }
        let index = fixture.index
        func needs(_ order: any SignedOrder) -> [Address] {
            order.makerFee == .zero ? [order.makerToken] : [order.makerToken, WatchFixture.zrx]
        }
        for maker in makers {
            var signers = LogTouches()
            signers.makers = [.init(version: .v1, maker: maker)]
            let signed = index.withLock { [signers] in $0.touched(by: signers) }
            #expect(signed == Set(live.filter { $0.maker == maker }.map(\.hash)))
            signers.makers = [.init(version: .v4, maker: maker)]
            let others = index.withLock { [signers] in $0.touched(by: signers) }
            #expect(others.isEmpty)
            for token in tokens {
                var touches = LogTouches()
                touches.holdings = [TokenHolding(token: token, owner: maker)]
                let found = index.withLock { [touches] in $0.touched(by: touches) }
                let wanted = live.filter { $0.maker == maker && needs($0).contains(token) }
                #expect(found == Set(wanted.map(\.hash)))
                touches = LogTouches()
                let cancel = PairCancel(
                    maker: maker,
                    makerToken: token,
                    takerToken: WatchFixture.weth,
                    minimumSalt: 60
                )
                touches.pairCancels = [.init(version: .v1, cancel: cancel)]
                let covered = index.withLock { [touches] in $0.touched(by: touches) }
                #expect(covered == Set(live.filter(cancel.covers).map(\.hash)))
                touches.pairCancels = [.init(version: .v4, cancel: cancel)]
                let foreign = index.withLock { [touches] in $0.touched(by: touches) }
                #expect(foreign.isEmpty)
            }
        }
        #expect(
            Set(index.withLock { $0.neededTokens }) == Set(live.flatMap(needs))
        )
        let expired = index.withLock { $0.expired(at: time) }
        #expect(expired.count == Set(expired).count)
        #expect(Set(expired) == Set(live.filter { $0.expiry <= UInt256(time) }.map(\.hash)))
        // Asked again, it says the same: only a state ends an expiry.
        #expect(Set(index.withLock { $0.expired(at: time) }) == Set(expired))
        let slices = (0..<256).flatMap { slice in index.withLock { $0.slice(slice) } }
        #expect(slices.count == live.count)
        #expect(Set(slices) == Set(live.map(\.hash)))
        for order in live { #expect(index[order.hash]?.state == states[order.hash]) }
    }

    @Test("an order that ended is kept for its reorganization, and forgotten after it")
    func forgetting() async throws {
        let fixture = try WatchFixture()
        let orders = try [fixture.order(salt: 1), fixture.order(salt: 2)]
        try await fixture.add(orders)
        var batch = OrderBatch()
        batch.updated = [
            .init(
                hash: orders[0].hash,
                state: .filled,
                standing: OrderStanding(fillable: 0, isPartlyFilled: true)
            )
        ]
        fixture.index.withLock { $0.height = 50 }
        _ = try await fixture.ledger.commit(batch)
        let later = fixture.clock.now + 10
        fixture.index.withLock { $0.forget(before: later, height: 50) }
        #expect(fixture.index[orders[0].hash]?.state == .filled)
        fixture.index.withLock { $0.forget(before: later - 10, height: 51) }
        #expect(fixture.index[orders[0].hash]?.state == .filled)
        fixture.index.withLock { $0.forget(before: later, height: 51) }
        #expect(fixture.index[orders[0].hash] == nil)
        #expect(fixture.index[orders[1].hash]?.state == .shown)
    }

    @Test("while another instance watches, orders that came in wait for so long and no longer")
    func aging() async throws {
        let fixture = try WatchFixture()
        try await fixture.add([try fixture.order(salt: 1)])
        #expect(fixture.index.withLock { $0.fresh.count } == 1)
        for _ in 0..<15 { fixture.index.withLock { $0.age() } }
        try await fixture.add([try fixture.order(salt: 2)])
        #expect(fixture.index.withLock { $0.fresh.count } == 2)
        fixture.index.withLock { $0.age() }
        #expect(fixture.index.withLock { $0.fresh.count } == 1)
    }
}
