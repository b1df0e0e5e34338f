import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a plan was compared with is read again right before the signature")
struct ComparedBeforeSigningTests {
    /// One ask and one bid, 1 % apart.
    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(
            bids: [try await market.bid(2, "100", for: "0.99")],
            asks: [try await market.ask(0, "100", for: "1"), try await other(market)]
        )
        return market
    }

    private func other(_ market: LiveMarket) async throws -> any SignedOrder {
        try await market.ask(1, "100", for: "1.005")
    }

    private func model(
        _ market: LiveMarket,
        _ settings: TradeSettings = TradeSettings()
    ) throws -> MarketOrderModel {
        MarketOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func purchase(_ market: LiveMarket) async throws -> Plan<TradePlan> {
        try await model(market).plan(
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10"),
            account: market.trader.address
        )
    }

    private func fills(
        _ market: LiveMarket,
        _ settings: TradeSettings = TradeSettings()
    ) throws -> FillModel {
        FillModel(session: try market.session(), journal: market.journal, settings: settings)
    }

    private func fill(
        _ market: LiveMarket,
        _ order: any SignedOrder,
        _ settings: TradeSettings = TradeSettings()
    ) async throws -> Plan<TradePlan> {
        try await fills(market, settings).plan(
            FillRequest(
                source: .signed(market.exchangeProtocol.encodeOrder(order).text),
                amount: "10"
            ),
            account: market.trader.address
        )
    }

    private static func cut(_ market: LiveMarket) {
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "cut")) }
    }

    private func expect(
        _ code: String,
        _ exit: ExitCode,
        _ market: LiveMarket,
        sent: Int = 0,
        _ work: () async throws -> TradeOutcome
    ) async {
        let error = await refusal { try await work() }
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.exit == exit)
        #expect(market.node.sent.count == sent)
    }

    @Test("a market order whose book cannot be read again is not signed: exit 4")
    func marketUnread() async throws {
        let market = try await market()
        let plan = try await purchase(market)
        Self.cut(market)
        await expect("book-unread", .unreachable, market) {
            try await model(market).execute(plan, signer: market.signer)
        }
        market.setBook(
            bids: [try await market.bid(2, "100", for: "0.99")],
            asks: [try await other(market)]
        )
        #expect(try await model(market).execute(plan, signer: market.signer).exit == .done)
    }

    @Test("orders that were good when they were planned are not filled far from a book that moved")
    func marketMoved() async throws {
        let market = try await market()
        let plan = try await purchase(market)
        // Who made the planned order still has not cancelled it.
        market.setBook(
            bids: [try await market.bid(3, "100", for: "0.49")],
            asks: [try await market.ask(3, "100", for: "0.5")]
        )
        await expect("impact-too-high", .refused, market) {
            try await model(market).execute(plan, signer: market.signer)
        }
    }

    @Test("a book that lost the side which made it a reference is none; a plan that says so is")
    func marketOneSided() async throws {
        let market = try await market()
        let plan = try await purchase(market)
        market.setBook(asks: [try await other(market)])
        await expect("book-unread", .unreachable, market) {
            try await model(market).execute(plan, signer: market.signer)
        }
        let again = try await purchase(market)
        #expect(again.content.warnings.first?.hasPrefix("THE PRICE IS NOT COMPARED") == true)
        #expect(try await model(market).execute(again, signer: market.signer).exit == .done)
    }

    @Test("after an approval the book must be there too")
    func afterApproval() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let plan = try await purchase(market)
        #expect(plan.content.steps.count == 2)
        market.node.onSend { _, _ in
            Self.cut(market)
            return .pass
        }
        await expect("book-unread", .unreachable, market, sent: 1) {
            try await model(market).execute(plan, signer: market.signer)
        }
    }

    @Test("a chosen order is compared again; a plan that said that there is no book goes on")
    func fill() async throws {
        for holdings in [LiveMarket.Holdings(), LiveMarket.Holdings(allowance: 0)] {
            let market = try await market(holdings)
            let order = try await other(market)
            let plan = try await fill(market, order)
            #expect(plan.content.impactBasisPoints != nil)
            let approvals = plan.content.steps.count - 1
            market.node.onSend { _, _ in
                Self.cut(market)
                return .pass
            }
            if approvals == 0 { Self.cut(market) }
            await expect("book-unread", .unreachable, market, sent: approvals) {
                try await fills(market).execute(plan, signer: market.signer)
            }
            guard approvals == 0 else { continue }
            market.setBook(asks: [try await market.ask(3, "100", for: "0.5")])
            await expect("impact-too-high", .refused, market) {
                try await fills(market).execute(plan, signer: market.signer)
            }
            market.setBook()
            await expect("book-unread", .unreachable, market) {
                try await fills(market).execute(plan, signer: market.signer)
            }
            Self.cut(market)
            let unread = try await fill(market, order)
            #expect(unread.content.impactBasisPoints == nil)
            let outcome = try await fills(market).execute(unread, signer: market.signer)
            #expect(outcome.exit == .done)
        }
    }
}
