import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// Orders that the administrator imports, on the way of posts.
@Suite struct ImportTests {
    @Test("each order is a post of its own: what is wrong with one refuses no other")
    func alone() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(3)
        let poor = try await fixture.base.order {
            $0.makerAmount = 1 << 101
            $0.salt = 77
        }
        let outcome = try await fixture.intake.add([orders[0], poor, orders[1], orders[0]])
        #expect(outcome.added == 2 && outcome.known == 1)
        #expect(outcome.refused.map(\.0) == [poor.hash])
        // One commit for all, and nothing in the counts of posts.
        #expect(fixture.store.commits.count == 1)
        #expect(fixture.store.commits[0].added.map(\.hash) == orders[0...1].map(\.hash))
        #expect(fixture.intake.statistics.posts.isEmpty)
    }

    @Test("a forged copy of a known order is refused, as a posted one is")
    func forgedCopy() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        let forged = try await ZeroExV1().sign(fixture.base.draft(), with: fixture.base.other)
        #expect(try await fixture.intake.post(order))
        #expect(order.hash == forged.hash)
        let outcome = try await fixture.intake.add([forged])
        #expect(outcome.added == 0 && outcome.known == 0)
        #expect(outcome.refused.map(\.1.reasons) == [[.badSignature]])
    }

    @Test("what is asked of one maker does not apply, nor a full queue, nor a wait for a block")
    func limits() async throws {
        let fixture = try PostFixture(maximumWaiting: 1) { configuration in
            configuration.maximumOrdersOfMaker = 1
            configuration.limits.maximumTimesOwned = 1
            configuration.limits.fundsPatience = 60_000
            configuration.limits.postsPerSecond = 1
            configuration.limits.postBurst = 1
            configuration.acceptsOrders = false
        }
        let orders = try await fixture.base.orders(20)
        let poor = try await fixture.base.order {
            $0.makerAmount = 1 << 101
            $0.salt = 77
        }
        let outcome = try await fixture.intake.add(orders + [poor])
        #expect(outcome.added == 20)
        #expect(outcome.refused.map(\.0) == [poor.hash])
    }

    @Test("a store or a node that gives no answer ends it with its error, and it can be repeated")
    func silence() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(2)
        let silent = OrderStoreError.unavailable(reason: "cut off")
        fixture.store.fail(with: silent)
        await #expect(throws: silent) { try await fixture.intake.add(orders) }
        fixture.store.fail(with: nil)
        let away = ChainError.unreachable(url: "", reason: "down")
        fixture.base.chain.set { $0.failure = away }
        await #expect(throws: away) { try await fixture.intake.add(orders) }
        fixture.base.chain.set { $0.failure = nil }
        #expect(try await fixture.intake.add(orders).added == 2)
    }
}
