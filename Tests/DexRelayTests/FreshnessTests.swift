import DexRelay
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing
import ZeroEx

/// Orders are kept as the bytes that are served, in lists that are kept sorted: whatever happens to
/// an order, the next answer says so.
@Suite struct FreshnessTests {
    private static let bookPath =
        "/v0/orderbook?baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
        + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)"

    private static func list(_ bodies: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + bodies.joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    private static func book(_ asks: [[UInt8]]) -> [UInt8] {
        Array(#"{"bids":[],"asks":"#.utf8) + list(asks) + Array("}".utf8)
    }

    /// Every way to ask for these asks shows them, in this order, byte for byte as they were
    /// signed, and no others.
    private func expect(
        _ asks: [any SignedOrder],
        without gone: [any SignedOrder] = [],
        of fixture: RelayFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let bodies = asks.map { fixture.json($0) }
        try await fixture.talk(.inProcess) { relay in
            let whole = try await relay.get(Self.bookPath)
            #expect(whole.body == Self.book(bodies), sourceLocation: sourceLocation)
            let sorted = try await relay.get(
                "/v0/orders?makerTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
                    + "&takerTokenAddress=\(RelayFixture.weth.lowercaseHex)"
            )
            #expect(sorted.body == Self.list(bodies), sourceLocation: sourceLocation)
            let all = try await relay.get("/v0/orders")
            #expect(
                try Set(hashes(all.json)) == Set(asks.map(\.hash)),
                sourceLocation: sourceLocation
            )
            for (index, body) in bodies.enumerated() {
                let page = try await relay.get(Self.bookPath + "&per_page=1&page=\(index + 1)")
                #expect(page.body == Self.book([body]), sourceLocation: sourceLocation)
                let one = try await relay.get("/v0/order/\(asks[index].hash.hex)")
                #expect(one.body == body, sourceLocation: sourceLocation)
            }
            let behind = try await relay.get(
                Self.bookPath + "&per_page=1&page=\(bodies.count + 1)"
            )
            #expect(behind.body == Self.book([]), sourceLocation: sourceLocation)
            for order in gone {
                let answer = try await relay.get("/v0/order/\(order.hash.hex)")
                #expect(answer.status == 404, sourceLocation: sourceLocation)
            }
        }
    }

    /// Asks whose prices rise with their number.
    private func ask(
        _ fixture: RelayFixture,
        _ number: UInt64,
        life: UInt64 = 3600
    ) async throws -> any SignedOrder {
        try await fixture.order {
            $0.takerAmount = UInt256(2000 + number)
            $0.expiry = UInt256(RelayFixture.startTime + life)
        }
    }

    @Test("an order is gone from the second of its expiry, whatever came or went before")
    func expiry() async throws {
        let fixture = try RelayFixture()
        let intake = fixture.server.intake
        let long = try await ask(fixture, 3)
        let short = try await ask(fixture, 1, life: 10)
        let middle = try await ask(fixture, 2, life: 20)
        _ = try await intake.post(long)
        try await expect([long], of: fixture)
        _ = try await intake.post(short)
        _ = try await intake.post(middle)
        fixture.clock.advance(by: 9)
        try await expect([short, middle, long], of: fixture)
        fixture.clock.advance(by: 1)
        try await expect([middle, long], without: [short], of: fixture)
        // The first to expire leaves; the next one still expires in time.
        #expect(await fixture.server.pruner.step() == 1)
        fixture.clock.advance(by: 9)
        try await expect([middle, long], without: [short], of: fixture)
        fixture.clock.advance(by: 1)
        try await expect([long], without: [short, middle], of: fixture)
        // One that came in bulk, with the last ones not yet taken out.
        let last = try await ask(fixture, 4, life: 30)
        try await fixture.add([last])
        try await expect([long, last], without: [short, middle], of: fixture)
        fixture.clock.advance(by: 10)
        try await expect([long], without: [short, middle, last], of: fixture)
        #expect(await fixture.server.pruner.step() == 2)
        try await expect([long], without: [short, middle, last], of: fixture)
    }

    @Test("filled, cancelled and unfunded orders go with the next step, others keep their bytes")
    func pruning() async throws {
        let fixture = try RelayFixture()
        let orders = [
            try await ask(fixture, 0), try await ask(fixture, 1), try await ask(fixture, 2),
            try await ask(fixture, 3), try await ask(fixture, 4),
        ]
        let poor = try await fixture.order {
            $0.maker = fixture.other.address
            $0.takerAmount = 2010
        }
        try await fixture.add(orders + [poor])
        try await expect(orders + [poor], of: fixture)
        fixture.chain.set { state in
            state.block += 1
            // Filled or cancelled as a whole, and in part.
            state.unavailable[orders[1].hash.word] = 2001
            state.unavailable[orders[3].hash.word] = 1000
            state.balances[.init(owner: fixture.other.address, token: RelayFixture.zrx)] = 0
        }
        #expect(await fixture.server.pruner.step() == 2)
        let left = [orders[0], orders[2], orders[3], orders[4]]
        try await expect(left, without: [orders[1], poor], of: fixture)
        // Funds that come back bring the order back once it is posted again, at its old place.
        fixture.chain.set {
            $0.block += 1
            $0.balances[.init(owner: fixture.other.address, token: RelayFixture.zrx)] = 1 << 100
        }
        #expect(await fixture.server.pruner.step() == 0)
        #expect(try await fixture.server.intake.post(poor))
        try await expect(left + [poor], without: [orders[1]], of: fixture)
        let cheaper = try await fixture.order { $0.takerAmount = 1 }
        #expect(try await fixture.server.intake.post(cheaper))
        try await expect([cheaper] + left + [poor], without: [orders[1]], of: fixture)
    }

    @Test("a restart serves the bytes that were served before")
    func restart() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-relay-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm", "-lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let first = try RelayFixture(storePath: path)
        let orders = [try await ask(first, 1), try await ask(first, 2, life: 10)]
        try await first.add([orders[1]])
        _ = try await first.server.intake.post(orders[0])
        try await expect(orders, of: first)
        try await first.store.close()
        let second = try RelayFixture(storePath: path)
        #expect(try await second.server.restore() == 2)
        try await expect(orders, of: second)
        second.clock.advance(by: 10)
        try await expect([orders[0]], without: [orders[1]], of: second)
        try await second.store.close()
    }

    @Test("once all was looked at, only a new block or a new order is a reason to look again")
    func finished() async throws {
        let fixture = try RelayFixture { $0.auditChunk = 4 }
        let orders = try await fixture.orders(6)
        try await fixture.add(orders)
        let pruner = fixture.server.pruner
        func batches(of steps: Int) async -> Int {
            let before = fixture.chain.batches.count
            for _ in 0..<steps { await pruner.step() }
            return fixture.chain.batches.count - before
        }
        // The block each time, and two chunks of orders.
        #expect(await batches(of: 5) == 5 + 2)
        #expect(await batches(of: 5) == 5)
        let late = try await fixture.order { $0.salt = 99 }
        #expect(try await fixture.server.intake.post(late))
        fixture.chain.set { $0.unavailable[late.hash.word] = 2000 }
        #expect(await pruner.step() == 1)
        #expect(await batches(of: 3) == 3)
        fixture.chain.set {
            $0.block += 1
            $0.unavailable[orders[0].hash.word] = 2000
        }
        #expect(await batches(of: 5) == 5 + 2)
        #expect(fixture.server.intake.book.read { $0.shown.count } == 5)
    }
}
