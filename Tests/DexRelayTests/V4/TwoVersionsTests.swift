import DexNetwork
import Ethereum
import EthereumWallet
import Foundation
import GRDB
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

/// One relay and one store for orders of v1 and v4.
@Suite struct TwoVersionsTests {
    private func temporaryPath() -> String {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-relay-\(UUID().uuidString).sqlite").path
    }

    private func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    private func orderV1(_ fixture: RelayFixtureV4) async throws -> any SignedOrder {
        try await ZeroExV1().sign(
            OrderDraft(
                exchange: RelayFixture.exchange,
                maker: fixture.maker.address,
                makerToken: RelayFixture.zrx,
                takerToken: RelayFixture.weth,
                makerAmount: 1000,
                takerAmount: 2000,
                expiry: UInt256(RelayFixture.startTime + 3600),
                salt: 1
            ),
            with: fixture.maker
        )
    }

    @Test("each API has the orders of its version and knows nothing of the other's")
    func apart() async throws {
        let fixture = try RelayFixtureV4()
        let old = try await orderV1(fixture)
        let new = try await fixture.order()
        try await fixture.talk(.inProcess) { relay in
            let first = try await relay.post("/v0/order", ZeroExV1().encodeOrder(old).utf8)
            #expect(first.status == 201)
            #expect(try await relay.post("/sra/v4/order", fixture.json(new)).status == 200)
            #expect(try await hashes(relay.get("/v0/orders").json) == [old.hash])
            #expect(try await PageV4(relay.get("/sra/v4/orders").json).hashes == [new.hash])
            #expect(try await relay.get("/v0/order/\(new.hash.hex)").status == 404)
            #expect(try await relay.get("/sra/v4/order/\(old.hash.hex)").status == 404)
            let wrong = try await relay.post("/sra/v4/order", ZeroExV1().encodeOrder(old).utf8)
            #expect(wrong.status == 400)
            let other = try await relay.post("/v0/order", fixture.json(new))
            #expect(other.status == 400)
        }
        #expect(try await fixture.store.all(.v1).map(\.hash) == [old.hash])
        #expect(try await fixture.store.all(.v4).map(\.hash) == [new.hash])
    }

    @Test("a restart finds both versions' orders; v4's are shown once the chain was asked again")
    func restart() async throws {
        let path = temporaryPath()
        defer { remove(path) }
        let first = try RelayFixtureV4(storePath: path)
        let old = try await orderV1(first)
        let new = try await first.order()
        let brief = try await first.order { $0.expiry = RelayFixture.startTime + 20 }
        _ = try await first.server.intake.post(old)
        #expect(try await first.market.intake.post([new, brief]) == 2)
        try first.store.close()

        let second = try RelayFixtureV4(storePath: path)
        second.clock.advance(by: 20)
        #expect(try await second.server.restore() == 2)
        #expect(second.server.intake.book.snapshot.all.map(\.hash) == [old.hash])
        let own = "/sra/v4/orders?maker=\(second.maker.address.lowercaseHex)&unfillable=true"
        try await second.talk(.inProcess) { relay in
            let before = try await PageV4(relay.get("/sra/v4/orders").json)
            #expect(before.total == 0)
            #expect(try await second.market.pruner.step() == 0)
            #expect(try await PageV4(relay.get("/sra/v4/orders").json).hashes == [new.hash])
            #expect(try await Set(PageV4(relay.get(own).json).states) == ["ADDED", "EXPIRED"])
        }
        try second.store.close()
    }

    @Test("a store from before there were two versions keeps its orders and its numbers")
    func migration() async throws {
        let path = temporaryPath()
        defer { remove(path) }
        let hash = OrderHash(UInt256(1).word)
        let maker = Address(truncating: UInt256(2).word)
        var past = DatabaseMigrator()
        past.registerMigration("orders") { database in
            try database.execute(
                sql: """
                    CREATE TABLE orders (
                        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                        hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
                        maker BLOB NOT NULL CHECK (length(maker) = 20),
                        body TEXT NOT NULL
                            CHECK (length(body) <= 16384 AND json_type(body) = 'object'),
                        received_at INTEGER NOT NULL CHECK (received_at >= 0)
                    ) STRICT
                    """
            )
        }
        let queue = try DatabaseQueue(path: path)
        try past.migrate(queue)
        try await queue.write { database in
            let row = "INSERT INTO orders (sequence, hash, maker, body, received_at) VALUES"
            try database.execute(
                sql: "\(row) (7, ?, ?, '{}', 1), (9, ?, ?, '{}', 1)",
                arguments: [
                    Data(hash.word.bytes), Data(maker.bytes), Data(UInt256(3).word.bytes),
                    Data(maker.bytes),
                ]
            )
            try database.execute(sql: "DELETE FROM orders WHERE sequence = 9")
        }
        try queue.close()

        let store = try RelayStore(path: path)
        let kept = try await store.all(.v1)
        #expect(kept.map(\.sequence) == [7])
        #expect(kept.map(\.hash) == [hash])
        #expect(kept.map(\.body) == [Array("{}".utf8)])
        #expect(try await store.all(.v4).isEmpty)
        let record = RelayStore.NewRecord(
            hash: OrderHash(UInt256(4).word),
            maker: maker,
            body: Array("{}".utf8),
            receivedAt: 1
        )
        // Numbers are never used twice, not even that of an order that is gone.
        #expect(try await store.insert([record], of: .v4).map(\.sequence) == [10])
        try store.close()
    }

    @Test("of one maker only the latest unfillable orders are kept")
    func bounded() async throws {
        let store = try RelayStore(path: nil)
        let maker = Address(truncating: UInt256(2).word)
        let most = RelayStore.mostUnfillableOfMaker
        for number in 0..<(most + 5) {
            let hash = OrderHash(UInt256(UInt64(number)).word)
            let body = Array("{}".utf8)
            let record = RelayStore.NewRecord(hash: hash, maker: maker, body: body, receivedAt: 1)
            #expect(try await store.insert([record], of: .v4).count == 1)
            try await store.retire([hash: .filled], since: UInt64(number))
        }
        let kept = try await store.unfillable(of: maker, .v4)
        #expect(kept.count == most)
        #expect(!kept.contains { $0.hash.word < UInt256(5).word })
        #expect(try await store.unfillable(of: maker, .v1).isEmpty)
        #expect(try await store.all(.v4).isEmpty)
    }

    @Test("our client and our relay understand each other in every request")
    func roundTrip() async throws {
        let fixture = try RelayFixtureV4 {
            $0.fees = FeeSchedule(
                recipient: RelayFixture.feeRecipient,
                standard: .init(makerFee: 0, takerFee: 3)
            )
        }
        for base in ["http://relay.test/sra/v4", "http://relay.test/orderbook/v1"] {
            try await fixture.talk(.inProcess) { relay in
                let client = RelayClientV4(
                    baseURL: base,
                    exchangeProtocol: RelayFixtureV4.zeroEx(),
                    transport: RouterTransport(relay: relay)
                )
                try await Self.converse(client, fixture, salt: UInt64(base.utf8.count))
            }
        }
    }

    private static func converse(
        _ client: RelayClientV4,
        _ fixture: RelayFixtureV4,
        salt: UInt64
    ) async throws {
        let fees = try await client.fees(for: OrderDraft(try await fixture.order()))
        #expect(
            fees == OrderFees(recipient: RelayFixture.feeRecipient, makerFee: 0, takerFee: 3)
        )
        #expect(try await client.feeRecipients() == [RelayFixture.feeRecipient])
        var orders: [SignedOrderV4] = []
        for number in 0..<600 {
            orders.append(
                try await fixture.order {
                    if number % 5 == 0 { swap(&$0.makerToken, &$0.takerToken) }
                    $0.feeRecipient = fees.recipient
                    $0.takerTokenFeeAmount = 3
                    $0.salt = UInt256(salt * 1_000 + UInt64(number))
                }
            )
        }
        let first = orders[0]
        #expect(try await client.order(first.hash) == nil)
        try await client.post(first)
        #expect(try await client.order(first.hash)?.hash == first.hash)
        for chunk in stride(from: 1, to: 600, by: 200) {
            try await client.post(Array(orders[chunk..<min(600, chunk + 200)]))
        }
        let book = try await client.orderbook(base: RelayFixture.zrx, quote: RelayFixture.weth)
        let wanted = Set(orders.map(\.hash))
        #expect(Set((book.bids.orders + book.asks.orders).map(\.hash)).isSuperset(of: wanted))
        #expect(book.bids.unreadable.count == 0 && book.asks.unreadable.count == 0)
        #expect(book.bids.orders.allSatisfy { $0.takerToken == RelayFixture.zrx })
        #expect(book.asks.orders.allSatisfy { $0.makerToken == RelayFixture.zrx })
        var query = OrderQuery()
        query.token = RelayFixture.zrx
        query.maker = fixture.maker.address
        query.includesUnfillable = true
        let all = try await client.orders(query)
        #expect(Set(all.orders.map(\.hash)).isSuperset(of: wanted))
        let tokens = try await client.tokenPairs(nil, nil).map {
            [$0.tokenA.token, $0.tokenB.token]
        }
        #expect(tokens == [[RelayFixture.zrx, RelayFixture.weth]])
        let bad = try await fixture.order { $0.expiry = 1 }
        do throws(RelayError) {
            try await client.post(bad)
            Issue.record("an expired order was taken")
        } catch {
            guard case .refused(400, 100, _, let fields) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(fields.map(\.field) == ["expiry"])
        }
    }
}
