import DexTestSupport
import Testing
import ZeroEx

@testable import DexRelay

/// Pairs that the operator takes out of the settings while the relay runs.
@Suite struct DelistingTests {
    private static let dai = RelayFixture.pair(RelayFixture.dai, RelayFixture.weth)

    private func carryDaiAlone(_ fixture: PostFixture) {
        var configuration = fixture.live.current
        configuration.pairs = [Self.dai]
        fixture.live.replace(with: configuration)
    }

    @Test("their orders are removed, whatever their state; posted again later they come back")
    func removed() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(3)
        for order in orders { #expect(try await fixture.intake.post(order)) }
        try await fixture.set(orders[1], .dormant)
        try await fixture.set(orders[2], .hidden)
        #expect(try await fixture.intake.delist().isEmpty)
        let before = fixture.live.current
        carryDaiAlone(fixture)
        #expect(try await fixture.intake.delist() == [.removed: 3])
        #expect(orders.map(fixture.state) == [.removed, .removed, .removed])
        #expect(fixture.book.read { $0.shown.count } == 0)
        #expect(try await fixture.intake.delist().isEmpty)
        #expect(await fixture.reasons(orders[0]) == [.makerTokenNotCarried])
        fixture.live.replace(with: before)
        #expect(try await fixture.intake.delist().isEmpty)
        #expect(try await fixture.intake.post(orders[0]))
        #expect(fixture.state(orders[0]) == .shown)
    }

    @Test("an order that is under way when its pair goes does not come into the book")
    func underWay() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        let gate = Gate()
        fixture.chain.hold(at: gate)
        async let reasons = fixture.reasons(order)
        try await gate.waitForArrivals(1)
        carryDaiAlone(fixture)
        gate.open()
        #expect(await reasons == [.pairNotCarried])
        #expect(fixture.state(order) == nil)
    }
}
