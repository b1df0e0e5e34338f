import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexRelay

@Suite struct AuditBatchTests {
    private static let good = OrderAudit(
        state: OrderState(filled: 0, cancelled: 0, remaining: 7),
        fillable: 7,
        shortage: nil,
        owned: 9,
        gives: 7
    )

    private func deadline(_ clock: ManualClock = ManualClock()) -> Deadline {
        Deadline(limit: .seconds(10), sleep: clock.sleep)
    }

    @Test("the orders of many posts are read once each, in one read")
    func joined() async throws {
        let orders = try await RelayFixture().orders(5)
        let reads = Collected<[OrderHash]>()
        let batch = AuditBatch(
            audit: { orders in
                reads.append(orders.map(\.hash))
                return orders.map { _ in Self.good }
            },
            deadline: deadline(),
            maximumTogether: 500
        )
        let posts = [[orders[0]], [orders[1], orders[0]], [orders[4], orders[3]], []]
        let results = await batch.results(of: posts)
        #expect(reads.values == [[orders[0], orders[1], orders[4], orders[3]].map(\.hash)])
        #expect(try results.map { try $0.get().count } == [1, 2, 2, 0])
    }

    @Test(
        "an order that spoils every answer it is in refuses only its own post",
        arguments: [
            ChainError.nonsense("a number of 33 bytes"), .rpc(code: -32000, message: "out of gas"),
            .reverted(data: [], message: "no"), .unaffordable(code: -32000, message: "gas"),
        ]
    )
    func poison(error: ChainError) async throws {
        let orders = try await RelayFixture().orders(64)
        let poison = orders[41].hash
        let reads = Mutex(0)
        let batch = AuditBatch(
            audit: { orders throws(ChainError) in
                reads.withLock { $0 += 1 }
                if orders.contains(where: { $0.hash == poison }) { throw error }
                return orders.map { _ in Self.good }
            },
            deadline: deadline(),
            maximumTogether: 500
        )
        let results = await batch.results(of: orders.map { [$0] })
        for (order, result) in zip(orders, results) {
            #expect(result == (order.hash == poison ? .failure(error) : .success([Self.good])))
        }
        // One read of all, and two for each halving.
        #expect(reads.withLock { $0 } == 13)
    }

    @Test("orders that all spoil the answers cost a bounded number of reads")
    func manyPoisons() async throws {
        let orders = try await RelayFixture().orders(200)
        let reads = Mutex(0)
        let batch = AuditBatch(
            audit: { _ throws(ChainError) in
                reads.withLock { $0 += 1 }
                throw .nonsense("nothing")
            },
            deadline: deadline(),
            maximumTogether: 500
        )
        let results = await batch.results(of: orders.map { [$0] })
        #expect(results.count == 200)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        #expect(reads.withLock { $0 } == AuditBatch.maximumReads)
    }

    @Test("a node that cannot be reached is asked once for all")
    func unreachable() async throws {
        let orders = try await RelayFixture().orders(10)
        let reads = Mutex(0)
        let error = ChainError.unreachable(url: "http://node", reason: "down")
        let batch = AuditBatch(
            audit: { _ throws(ChainError) in
                reads.withLock { $0 += 1 }
                throw error
            },
            deadline: deadline(),
            maximumTogether: 500
        )
        let results = await batch.results(of: orders.map { [$0] })
        #expect(results == orders.map { _ in .failure(error) })
        #expect(reads.withLock { $0 } == 1)
    }

    @Test("a node that never answers fails the batch when its time is over")
    func stalled() async throws {
        let orders = try await RelayFixture().orders(3)
        let clock = ManualClock()
        let batch = AuditBatch(
            audit: { _ throws(ChainError) in
                // Cancelled with the deadline, which is all that ends it.
                try? await ManualClock().sleep(.seconds(1))
                throw .unreachable(url: "", reason: "cancelled")
            },
            deadline: deadline(clock),
            maximumTogether: 500
        )
        async let results = batch.results(of: orders.map { [$0] })
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        for result in await results {
            #expect(
                result
                    == .failure(
                        .unreachable(url: "", reason: "it does not answer in 10.0 seconds")
                    )
            )
        }
    }

    @Test("an answer about fewer orders than were asked for is no answer")
    func tooFew() async throws {
        let orders = try await RelayFixture().orders(2)
        let batch = AuditBatch(
            audit: { _ in [] },
            deadline: deadline(),
            maximumTogether: 500
        )
        for result in await batch.results(of: orders.map { [$0] }) {
            #expect(result == .failure(.nonsense("0 audits of 1 orders")))
        }
    }
}
