import DexSandbox
import DexSigning
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A signed trade at Uniswap's pools has a deadline")
struct ResumeDeadlineTests {
    @Test("it is sent again until its deadline, and never after it")
    func deadline() async throws {
        let scene = LiveMarket.PoolScene()
        let market = try LiveMarket(LiveMarket.Holdings(pools: scene.genesis()))
        market.node.onSend { _, _ in .lose(.lost) }
        market.clock.onSleep { _ in throw CancellationError() }
        let trading = try market.model { $0.allowsUncheckedPrice = true }
        let plan = try await trading.plan(
            MarketRequest(side: .sell, pair: "ZRX/WETH", amount: "10", via: .pools),
            account: market.trader.address
        )
        let error = await refusal {
            try await trading.execute(plan, signer: market.authorized(LocalKey(market.trader)))
        }
        #expect(error?.exit == .interrupted)
        market.clock.onSleep { _ in }
        market.node.onSend(nil)
        func resume() throws -> ResumeModel {
            ResumeModel(
                session: try market.session(),
                journal: market.journal,
                settings: TradeSettings()
            )
        }
        #expect(try await resume().plan().state.items.first?.action == .send)
        let signed = try #require(try market.journaled().last?.signed(market.session()))
        let transaction = signed.transaction
        let call = CallRequest(
            to: try #require(transaction.to),
            data: transaction.data,
            value: transaction.value
        )
        let network = try market.session().network
        let until = try #require(network.poolDeadline(of: call))
        let now = market.clock.environment.now()
        #expect(until > now && until - now <= PoolRules.lifetime)
        try await market.clock.environment.sleep(301_000)
        let planned = try await resume().plan()
        let item = try #require(planned.state.items.first)
        #expect(planned.actions == 0 && item.action == nil && item.isInFlight)
        #expect(item.notes.last?.contains("deadline has passed") == true)
        #expect(item.notes.last?.contains("dex tx cancel") == true)
        let sent = market.node.sent.count
        _ = try await resume().execute(planned)
        #expect(market.node.sent.count == sent)
    }
}
