import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

/// Bulk insertion, pruning, and what survives a restart.
@Suite struct KeepingTests {
    @Test("of many orders handed over at once only sound ones are taken, whatever is wrong")
    func bulk() async throws {
        let fixture = try RelayFixture()
        let good = try await fixture.order()
        let forged = try await ZeroExV1().sign(fixture.draft { $0.salt = 2 }, with: fixture.other)
        let old = try await fixture.order { $0.expiry = 1 }
        let used = try await fixture.order { $0.salt = 3 }
        let poor = try await fixture.order {
            $0.makerAmount = 1 << 101
            $0.salt = 4
        }
        fixture.chain.set { $0.unavailable[used.hash.word] = 2000 }
        let outcome = try await fixture.server.intake.add([good, forged, old, used, poor, good])
        #expect(outcome.added == 1)
        #expect(outcome.known == 1)
        let refused = Dictionary(uniqueKeysWithValues: outcome.refused.map { ($0.0, $0.1.reasons) })
        #expect(refused[forged.hash] == [.badSignature])
        #expect(refused[old.hash] == [.expired(now: RelayFixture.startTime, shortestLife: 1)])
        #expect(refused[used.hash] == [.usedUp])
        #expect(
            refused[poor.hash]
                == [.shortage(.balance(needed: 1 << 101, found: 1 << 100))]
        )
        let again = try await fixture.server.intake.add([good])
        #expect(again.added == 0)
        #expect(again.known == 1)
        fixture.chain.set { $0.failure = .nonsense("down") }
        await #expect(throws: ChainError.nonsense("down")) {
            try await fixture.server.intake.add([try await fixture.order { $0.salt = 9 }])
        }
    }

    @Test("a step drops what is expired, filled, cancelled or unfunded, and only that")
    func pruning() async throws {
        let fixture = try RelayFixture()
        let stays = try await fixture.order()
        let brief = try await fixture.order {
            $0.expiry = UInt256(RelayFixture.startTime + 10)
            $0.salt = 2
        }
        let filled = try await fixture.order { $0.salt = 3 }
        let part = try await fixture.order { $0.salt = 4 }
        let dust = try await fixture.order { $0.salt = 5 }
        let broke = try await fixture.order {
            $0.makerToken = RelayFixture.dai
            $0.salt = 6
        }
        try await fixture.add([stays, brief, filled, part, dust, broke])
        #expect(await fixture.server.watch() == 0)
        fixture.clock.advance(by: 10)
        #expect(await fixture.server.watch() == 1)
        fixture.chain.set { state in
            state.unavailable[filled.hash.word] = 2000
            state.unavailable[part.hash.word] = 1500
            // One taker unit buys half a maker unit: nothing.
            state.unavailable[dust.hash.word] = 1999
            state.balances[.init(owner: fixture.maker.address, token: RelayFixture.dai)] = 0
        }
        // The chain is not read again before it has a new block.
        let batches = fixture.chain.batches.count
        #expect(await fixture.server.watch() == 0)
        #expect(fixture.chain.batches.count == batches + 1)
        fixture.chain.set { $0.block += 1 }
        #expect(await fixture.server.watch() == 3)
        let left = fixture.server.intake.book.read { $0.shown }.entries.map(\.hash)
        #expect(left == [stays.hash, part.hash].sorted())
        // Without funds they may be shown again.
        let stored = try await fixture.store.open(.v1)
        #expect(Set(stored) == Set(left + [dust.hash, broke.hash]))
    }

    @Test("while the chain cannot be read nothing is dropped but what has expired")
    func pruningWithoutChain() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        try await fixture.add([order])
        fixture.chain.set {
            $0.failure = .unreachable(url: "http://node", reason: "down")
            $0.unavailable[order.hash.word] = 2000
        }
        #expect(await fixture.server.watch() == 0)
        #expect(fixture.server.intake.book.read { $0.shown.count } == 1)
        fixture.clock.advance(by: 3600)
        await fixture.server.watch()
        #expect(fixture.server.intake.book.read { $0.shown.count } == 0)
    }

    @Test("a restart finds every order again in the same order, without the expired ones")
    func restart() async throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-relay-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm", "-lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let first = try RelayFixture(storePath: path)
        let late = try await first.order { $0.makerAmount = 900 }
        let brief = try await first.order { $0.expiry = UInt256(RelayFixture.startTime + 10) }
        let early = try await first.order { $0.makerAmount = 1100 }
        for order in [late, brief, early] { _ = try await first.server.intake.post(order) }
        try await first.store.close()

        let second = try RelayFixture(storePath: path)
        second.clock.advance(by: 10)
        #expect(try await second.server.restore() == 2)
        // Only the instance that watches writes: to end the third is its part.
        #expect(try await second.store.open(.v1).count == 3)
        try await second.talk(.inProcess) { relay in
            let shown = try await relay.get("/v0/orders").json.arrayValue?.count
            #expect(shown == 2)
        }
        #expect(await second.server.watcher.step() != .elsewhere)
        #expect(try await second.store.open(.v1).count == 2)
        let direction = PairDirection(makerToken: RelayFixture.zrx, takerToken: RelayFixture.weth)
        let side = second.server.intake.book.read { $0.side(direction) }
        #expect(side.entries.map(\.hash) == [early.hash, late.hash])
        #expect(try await second.server.intake.post(late) == false)
        try await second.store.close()
    }

    @Test("a file that is no store is an error with a way out")
    func notAStore() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-relay-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        try Data("this is no database, but it is long enough to look at".utf8)
            .write(to: URL(fileURLWithPath: path))
        let error = try #require(throws: OrderStoreError.self) { try SQLiteOrderStore(path: path) }
        #expect(error.description.contains(path))
        #expect(error.description.contains("orders can be posted again"))
    }

    @Test("a page of 100 + 100 orders out of 10,000 is served from ready bytes")
    func largeBook() async throws {
        let fixture = try RelayFixture { $0.auditChunk = 1000 }
        let entries = (0..<10_000).compactMap { index in
            OrderEntry(
                PlainOrder(
                    UInt64(index),
                    direction: index.isMultiple(of: 2) ? PlainOrder.ask : PlainOrder.bid,
                    takerAmount: UInt64(2_000_000 + index)
                ),
                body: Array("{\"n\":\(index)}".utf8)
            )
        }
        fixture.server.intake.book.reset(
            to: entries.enumerated().map { BookChange(UInt64($0 + 1), $1) },
            sequences: [:]
        )
        let path =
            "/v0/orderbook?baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
            + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)&page=50&per_page=100"
        try await fixture.talk(.inProcess) { relay in
            let json = try await relay.get(path).json
            #expect(json["asks"]?.arrayValue?.count == 100)
            #expect(json["bids"]?.arrayValue?.count == 100)
            #expect(json["asks"]?.arrayValue?.last?["n"]?.numberText == "9998")
            #expect(json["bids"]?.arrayValue?.last?["n"]?.numberText == "9999")
        }
    }
}
