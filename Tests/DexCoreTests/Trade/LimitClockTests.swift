import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A local clock that is far from the chain's is told before an order is signed")
struct LimitClockTests {
    private static let day: UInt64 = 86_400

    /// Where the order comes from: a network whose clock a test sets.
    private func plan(
        clockAhead seconds: Int64,
        isSandbox: Bool = false,
        probe: FakeProbe? = nil,
        on market: LiveMarket
    ) async throws -> LimitPlan {
        var session = try market.session(isSandbox: isSandbox)
        session.environment.now = { UInt64(Int64(TestMarket.now) + seconds) }
        session.probes = [probe].compactMap { $0 }
        let model = LimitOrderModel(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        )
        return try await model.plan(
            LimitRequest(
                side: .buy,
                pair: "ZRX/WETH",
                amount: "1",
                price: "0.0025",
                expiry: .after(Self.day),
                posts: true
            ),
            account: market.trader.address
        ).content
    }

    private func market() throws -> LiveMarket {
        let market = try LiveMarket()
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    /// A node whose clock is so many seconds ahead of ours, which is `clock` ahead of the chain.
    private func probe(ahead: Int64, clock: Int64) -> FakeProbe {
        FakeProbe { state in
            state.now = UInt64((Int64(TestMarket.now) + clock) * 1_000)
            state.ahead = ahead * 1_000
        }
    }

    private func isClockOff(_ error: (any Error)?, _ words: String) -> Bool {
        guard let error = error as? DexError else { return false }
        return error.exit == .refused && error.code == "clock-off"
            && error.message.contains(words) && error.hint?.contains("timedatectl") == true
    }

    @Test(
        "an order of 24 hours is not signed by a clock that is off: it would live for 31 days",
        arguments: [
            (Int64(30 * 86_400), "30 d ahead of"), (-3_600, "1 h behind"), (400, "6 m 40 s"),
        ]
    )
    func clockIsOff(ahead: Int64, words: String) async throws {
        let market = try market()
        let error = await #expect(throws: DexError.self) {
            _ = try await plan(clockAhead: ahead, on: market)
        }
        #expect(isClockOff(error, words), "\(String(describing: error))")
        #expect(market.relay.posted.isEmpty)
    }

    @Test("the node's own clock proves it, on the sandbox too", arguments: [false, true])
    func nodeProvesIt(isSandbox: Bool) async throws {
        let market = try market()
        let off = Int64(30 * Self.day)
        let error = await #expect(throws: DexError.self) {
            _ = try await plan(
                clockAhead: off,
                isSandbox: isSandbox,
                probe: probe(ahead: -off, clock: off),
                on: market
            )
        }
        #expect(isClockOff(error, "30 d ahead of the node's"), "\(String(describing: error))")
    }

    @Test("a chain that stands still is told where the node's clock agrees with ours")
    func chainStandsStill() async throws {
        let market = try market()
        let off = Int64(3 * Self.day)
        let plan = try await plan(clockAhead: off, probe: probe(ahead: 0, clock: off), on: market)
        #expect(plan.warnings.contains { $0.contains("3 d old: the chain stands still") })
        #expect(plan.expires == TestMarket.now + 4 * Self.day)
    }

    @Test("a chain whose time was moved ahead is told where the node's clock agrees with ours")
    func chainIsAhead() async throws {
        let market = try market()
        let plan = try await plan(
            clockAhead: -7_200,
            isSandbox: true,
            probe: probe(ahead: 0, clock: -7_200),
            on: market
        )
        #expect(plan.warnings.contains { $0.contains("2 h ahead of the time") })
    }

    @Test("a sandbox without blocks for days is nothing to tell of where its clock agrees")
    func idleSandbox() async throws {
        let market = try market()
        let off = Int64(3 * Self.day)
        let idle = try await plan(
            clockAhead: off,
            isSandbox: true,
            probe: probe(ahead: 1, clock: off),
            on: market
        )
        #expect(!idle.warnings.contains { $0.contains("clock") || $0.contains("latest block") })
        let silent = try await plan(clockAhead: off, isSandbox: true, on: market)
        #expect(silent.warnings.contains { $0.contains("clock is 3 d ahead of the chain's") })
    }

    @Test("a clock as blocks allow is nothing to tell of, and no node is asked for its time")
    func clockIsRight() async throws {
        let market = try market()
        for off: Int64 in [0, 299, -60] {
            let probe = probe(ahead: 0, clock: off)
            let plan = try await plan(clockAhead: off, probe: probe, on: market)
            #expect(plan.warnings.allSatisfy { !$0.contains("clock") })
            #expect(probe.requests.isEmpty)
        }
    }
}
