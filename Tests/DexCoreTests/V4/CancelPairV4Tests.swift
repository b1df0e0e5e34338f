import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Cancels of a whole pair on a v4 network")
struct CancelPairV4Tests {
    let v4: BoardV4
    let store = TemporaryJournal()
    private let calls = Calls()

    /// The cancels that were simulated, in their order.
    private final class Calls: Sendable {
        let data = Mutex<[[UInt8]]>([])
    }

    init() throws {
        v4 = try BoardV4()
        v4.market.fundTrader()
        for token in [TestMarket.zrx, TestMarket.weth] {
            v4.fund(v4.trader.address, token, balance: TestMarket.units("1000"))
        }
        v4.market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        v4.market.chain.set { [calls] state in
            let before = state.onCall
            state.onCall = { request, tag in
                guard case .limit(.batchRelevantStates)? = try? ExchangeCallV4(data: request.data)
                else { return .success([]) }
                return before?(request, tag) ?? .failure(.nonsense("no call is expected"))
            }
            state.onEstimate = { request in
                calls.data.withLock { $0.append(request.data) }
                return .success(60_000)
            }
        }
    }

    private func own(_ salt: UInt256) async throws -> any SignedOrder {
        try await v4.own(salt, in: store)
    }

    /// - Parameter seconds: how far this machine's clock is ahead of the chain's.
    private func plan(
        _ request: CancelRequest,
        clockAhead seconds: UInt64 = 0
    ) async throws -> CancelPlan {
        var session = try v4.session()
        if seconds > 0 {
            session.network.isSandbox = false
            session.environment.now = { TestMarket.now + seconds }
        }
        return try await CancelModel(
            session: session,
            journal: store.journal,
            settings: TradeSettings()
        ).plan(request, account: v4.trader.address).content
    }

    private var simulated: [ExchangeCallV4] {
        calls.data.withLock { $0 }.compactMap { try? ExchangeCallV4(data: $0) }
    }

    private func salt(_ seconds: UInt64, _ random: UInt64) -> UInt256 {
        v4.zeroEx.salt(random: UInt256(random).word, now: seconds)
    }

    @Test("salts grow with time, and the least one of a time is none above any made then")
    func salts() {
        let earlier = v4.zeroEx.salt(random: UInt256.max.word, now: TestMarket.now)
        #expect(v4.zeroEx.minValidSalt(from: TestMarket.now) == salt(TestMarket.now, 0))
        #expect(earlier < salt(TestMarket.now + 1, 0))
    }

    @Test("one call ends all of a pair, by a salt that orders made now still have")
    func wholePair() async throws {
        let now = TestMarket.now
        _ = try await own(salt(now - 100, 5))
        _ = try await own(salt(now - 50, 5))
        let plan = try await plan(.pair("ZRX/WETH"))
        #expect(plan.orders.count == 2)
        #expect(plan.steps.map(\.summary) == ["cancel 2 orders by their pair and salt"])
        #expect(
            simulated == [
                .limit(
                    .cancelPair(
                        PairCancelV4(
                            makerToken: TestMarket.zrx,
                            takerToken: TestMarket.weth,
                            minValidSalt: salt(now, 0)
                        )
                    )
                )
            ]
        )
        #expect(plan.warnings.contains { $0.hasPrefix("ALL orders of the account that give ZRX") })
    }

    @Test("an order of this second is ended too, and one of a higher salt by its hash")
    func highSalts() async throws {
        let now = TestMarket.now
        let fresh = try await own(salt(now, 7))
        let foreign = try await own(.max)
        let plan = try await plan(.pair("ZRX/WETH"))
        #expect(plan.steps.count == 2)
        let terms = try #require(foreign as? SignedOrderV4).terms
        #expect(
            simulated == [
                .limit(
                    .cancelPair(
                        PairCancelV4(
                            makerToken: TestMarket.zrx,
                            takerToken: TestMarket.weth,
                            minValidSalt: fresh.salt + 1
                        )
                    )
                ),
                .limit(.cancel(terms)),
            ]
        )
    }

    @Test("a clock that is ahead cancels no orders that are placed after it was set")
    func clockAhead() async throws {
        _ = try await own(salt(TestMarket.now - 100, 5))
        _ = try await plan(.pair("ZRX/WETH"), clockAhead: 30 * 86_400)
        guard case .limit(.cancelPair(let cancel))? = simulated.first else {
            Issue.record("a cancel of the pair is expected")
            return
        }
        #expect(cancel.minValidSalt == salt(TestMarket.now, 0))
    }

    @Test("by hash, and all of them, orders are cancelled one by one")
    func byHash() async throws {
        let first = try await own(salt(1, 1))
        let second = try await own(salt(2, 1))
        v4.market.relay.set { $0.orders[first.hash] = .success(first) }
        _ = try await plan(.hashes([first.hash]))
        _ = try await plan(.all)
        let terms = try [first, second].map { try #require($0 as? SignedOrderV4).terms }
        #expect(simulated.first == .limit(.cancel(terms[0])))
        guard case .limit(.batchCancel(let all))? = simulated.last else {
            Issue.record("a batch is expected")
            return
        }
        #expect(Set(all) == Set(terms))
    }
}
