import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Orders that come to expire within the margin before the signature")
struct ExpiringMeanwhileTests {
    private func model(_ market: LiveMarket) throws -> MarketOrderModel {
        MarketOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    /// The best ask has 150 s left; perhaps another one, as good for the bounds, a day.
    private func planned(
        _ market: LiveMarket,
        hasOther: Bool
    ) async throws -> Plan<TradePlan> {
        let soon = try await market.ask(0, "100", for: "1", expiresIn: 150)
        let other = try await market.ask(1, "100", for: "1.005")
        market.setBook(
            bids: [try await market.bid(2, "100", for: "0.99")],
            asks: hasOther ? [soon, other] : [soon]
        )
        let plan = try await model(market).plan(
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10"),
            account: market.trader.address
        )
        #expect(plan.content.legs.first?.orderHash == soon.hash)
        return plan
    }

    @Test("the limits end with the first order that expires")
    func validUntil() async throws {
        let market = try LiveMarket()
        let plan = try await planned(market, hasOther: true)
        #expect(plan.limits.validUntil == market.clock.environment.now() + 150)
    }

    @Test("others fill the trade within what was confirmed")
    func others() async throws {
        let market = try LiveMarket()
        let plan = try await planned(market, hasOther: true)
        market.clock.pass(seconds: 31)
        let outcome = try await model(market).execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        // The total of v1 stays, at the price of the other order.
        #expect(try #require(outcome.received) >= plan.content.minimumReceive)
        #expect(try #require(outcome.received) < plan.content.expectedReceive)
        #expect(try #require(outcome.paid) <= plan.content.maximumCost)
        #expect(!outcome.legs.contains { $0.orderHash == plan.content.legs.first?.orderHash })
        #expect(outcome.legs.map(\.status) == [.filled])
        #expect(market.node.sent.count == 1)
    }

    @Test("without others nothing is signed; right outside the margin it is")
    func alone() async throws {
        for (seconds, isRefused) in [(29 as UInt64, false), (31, true), (200, true)] {
            let market = try LiveMarket()
            let plan = try await planned(market, hasOther: false)
            market.clock.pass(seconds: seconds)
            guard isRefused else {
                #expect(try await model(market).execute(plan, signer: market.signer).exit == .done)
                continue
            }
            let error = await refusal {
                try await model(market).execute(plan, signer: market.signer)
            }
            #expect(error?.exit == .refused, "\(String(describing: error))")
            #expect(market.node.sent.isEmpty)
        }
    }

    @Test("a relay that does not answer then stops it with exit 4")
    func unread() async throws {
        let market = try LiveMarket()
        let plan = try await planned(market, hasOther: true)
        market.clock.pass(seconds: 31)
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "cut")) }
        let error = await refusal {
            try await model(market).execute(plan, signer: market.signer)
        }
        #expect(error?.exit == .unreachable)
        #expect(market.node.sent.isEmpty)
    }

    @Test("a chosen order that has come to expire is not filled, and is named")
    func fill() async throws {
        let market = try LiveMarket()
        let soon = try await market.ask(0, "100", for: "1", expiresIn: 150)
        market.setBook(
            bids: [try await market.bid(2, "100", for: "0.99")],
            asks: [soon, try await market.ask(1, "100", for: "1.005")]
        )
        let model = FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let wire = market.exchangeProtocol.encodeOrder(soon).text
        let plan = try await model.plan(
            FillRequest(source: .signed(wire), amount: "10"),
            account: market.trader.address
        )
        market.clock.pass(seconds: 31)
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.code == "order-expiring")
        #expect(error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
    }
}
