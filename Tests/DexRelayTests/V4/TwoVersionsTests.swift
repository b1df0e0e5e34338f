import DexNetwork
import Ethereum
import EthereumWallet
import Foundation
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
        for suffix in ["", "-wal", "-shm", "-lock"] {
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
        #expect(try await fixture.store.open(.v1) == [old.hash])
        #expect(try await fixture.store.open(.v4) == [new.hash])
    }

    @Test("a restart finds both versions' orders, and what was left of them")
    func restart() async throws {
        let path = temporaryPath()
        defer { remove(path) }
        let first = try RelayFixtureV4(storePath: path)
        let old = try await orderV1(first)
        let new = try await first.order()
        let brief = try await first.order { $0.expiry = RelayFixture.startTime + 20 }
        _ = try await first.server.intake.post(old)
        #expect(try await first.market.intake.post([new, brief]) == 2)
        try await first.store.close()

        let second = try RelayFixtureV4(storePath: path)
        second.clock.advance(by: 20)
        #expect(try await second.server.restore() == 2)
        #expect(second.server.intake.book.read { $0.shown }.entries.map(\.hash) == [old.hash])
        let own = "/sra/v4/orders?maker=\(second.maker.address.lowercaseHex)&unfillable=true"
        try await second.talk(.inProcess) { relay in
            let page = try await PageV4(relay.get("/sra/v4/orders").json)
            #expect(page.hashes == [new.hash])
            #expect(page.remaining == ["2000"])
            #expect(try await Set(PageV4(relay.get(own).json).states) == ["ADDED", "EXPIRED"])
        }
        try await second.store.close()
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
