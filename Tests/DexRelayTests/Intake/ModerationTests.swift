import DexTestSupport
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexRelay

/// What the operator hides, removes and shows while the relay runs.
@Suite struct ModerationTests {
    private func decide(
        _ fixture: PostFixture,
        _ decisions: (Moderation.Subject, Moderation.Action)...
    ) async throws -> OrderIntake.Moved {
        var moderation = fixture.live.current.moderation
        for (subject, action) in decisions { moderation.set(subject, action) }
        fixture.live.replace(moderation: moderation)
        return try await fixture.intake.delist()
    }

    private static let pair = Moderation.Subject.pair(
        PairDirection(makerToken: RelayFixture.weth, takerToken: RelayFixture.zrx)
    )

    @Test("a hidden maker's orders leave the book and come back; posts of it are hidden silently")
    func hiddenMaker() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(3)
        for order in orders.prefix(2) { #expect(try await fixture.intake.post(order)) }
        let maker = Moderation.Subject.maker(orders[0].maker)
        #expect(try await decide(fixture, (maker, .hide)) == [.hidden: 2])
        #expect(fixture.book.read { $0.shown.count } == 0)
        // A second round has nothing to do.
        #expect(try await fixture.intake.delist().isEmpty)
        #expect(try await fixture.intake.post(orders[2]))
        #expect(orders.map(fixture.state) == [.hidden, .hidden, .hidden])
        #expect(try await decide(fixture, (maker, .show)) == [.shown: 3])
        #expect(orders.map(fixture.state) == [.shown, .shown, .shown])
    }

    @Test("a removed order, maker or pair is gone and refused; shown, it may be posted again")
    func removed() async throws {
        for of in [0, 1, 2] {
            let fixture = try PostFixture()
            let order = try await fixture.base.order()
            let subject = [
                Moderation.Subject.order(order.hash), .maker(order.maker), Self.pair,
            ][of]
            #expect(try await fixture.intake.post(order))
            #expect(try await decide(fixture, (subject, .remove)) == [.removed: 1])
            #expect(await fixture.reasons(order) == [.moderated])
            #expect(fixture.state(order) == .removed)
            #expect(try await decide(fixture, (subject, .show)).isEmpty)
            #expect(try await fixture.intake.post(order))
            #expect(fixture.state(order) == .shown)
        }
    }

    @Test("a rule about an order comes before its maker's, and that before its pair's")
    func precedence() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(2)
        let other = try await fixture.base.order { $0.maker = fixture.base.other.address }
        for order in orders + [other] { #expect(try await fixture.intake.post(order)) }
        let moved = try await decide(
            fixture,
            (Self.pair, .remove),
            (.maker(orders[0].maker), .hide),
            (.order(orders[1].hash), .show)
        )
        #expect(moved == [.removed: 1, .hidden: 1])
        #expect(orders.map(fixture.state) == [.hidden, .shown])
        #expect(fixture.state(other) == .removed)
    }

    @Test("an order that is under way when it is removed does not come into the book")
    func underWay() async throws {
        let fixture = try PostFixture()
        let order = try await fixture.base.order()
        let gate = Gate()
        fixture.chain.hold(at: gate)
        async let reasons = fixture.reasons(order)
        try await gate.waitForArrivals(1)
        #expect(try await decide(fixture, (.order(order.hash), .remove)).isEmpty)
        gate.open()
        #expect(await reasons == [.moderated])
        #expect(fixture.state(order) == nil)
    }

    @Test("a dormant order is hidden too, and what ended stays as it is")
    func otherStates() async throws {
        let fixture = try PostFixture()
        let orders = try await fixture.base.orders(3)
        for order in orders { #expect(try await fixture.intake.post(order)) }
        try await fixture.set(orders[0], .dormant)
        try await fixture.set(orders[1], .filled)
        let maker = Moderation.Subject.maker(orders[0].maker)
        #expect(try await decide(fixture, (maker, .hide)) == [.hidden: 2])
        #expect(orders.map(fixture.state) == [.hidden, .filled, .hidden])
        // What had no funds waits for them again.
        #expect(try await decide(fixture, (maker, .show)) == [.dormant: 1, .shown: 1])
    }
}
