import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A limit price that its maker could lose by is compared, or it is said")
struct MakerPriceTests {
    /// A book of 1,000 ZRX a side at most; prices in thousandths of a WETH.
    private func market(bid: String? = nil, ask: String? = nil) async throws -> LiveMarket {
        let market = try LiveMarket()
        var bids: [any SignedOrder] = []
        var asks: [any SignedOrder] = []
        if let bid { bids.append(try await market.bid(2, "1000", for: bid)) }
        if let ask { asks.append(try await market.ask(0, "1000", for: ask)) }
        market.setBook(bids: bids, asks: asks)
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func context(
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> OperationContext {
        var settings = TradeSettings()
        settings.allowsUnfundedOrders = true
        change(&settings)
        return OperationContext(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func plan(
        _ market: LiveMarket,
        _ side: TradeSide,
        _ amount: String,
        at price: String,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<LimitPlan> {
        try await LimitOrderModel(try context(market, change)).plan(
            LimitRequest(side: side, pair: "ZRX/WETH", amount: amount, price: price),
            account: market.trader.address
        )
    }

    private static let loud = "THE PRICE IS NOT COMPARED"

    @Test("without a book it is said first, whatever the amount: the maker named the price")
    func nothing() async throws {
        let market = try await market()
        for side in [TradeSide.buy, .sell] {
            for isUnread in [false, true] {
                if isUnread {
                    market.relay.set {
                        $0.book = .failure(.unreachable(url: "http://relay", reason: "cut"))
                    }
                } else {
                    market.setBook()
                }
                for amount in ["500", "501"] {
                    let plan = try await plan(market, side, amount, at: "0.001").content
                    #expect(plan.warnings.first?.hasPrefix(Self.loud) == true)
                    #expect(plan.word == nil)
                }
            }
        }
    }

    @Test("beside others at least as bad for their makers nothing is to lose")
    func besideOthers() async throws {
        let bids = try await market(bid: "0.7")
        let asks = try await market(ask: "0.7")
        for (market, side, same, better) in [
            (bids, TradeSide.buy, "0.0007", "0.00077"), (asks, .sell, "0.0007", "0.00063"),
        ] {
            let beside = try await plan(market, side, "1000", at: same).content
            #expect(beside.word == nil)
            #expect(!beside.warnings.contains { $0.hasPrefix(Self.loud) })
            #expect(beside.warnings.contains { $0.contains("to compare the price with") })
            let worse = try await plan(market, side, "1000", at: better).content
            #expect(worse.warnings.first?.hasPrefix(Self.loud) == true)
        }
    }

    @Test("a lone order on the other side is no reference")
    func loneOther() async throws {
        let market = try await market(ask: "7")
        let plan = try await plan(market, .buy, "100", at: "0.0069").content
        #expect(plan.warnings.first?.hasPrefix(Self.loud) == true)
    }

    @Test("more than 20 % behind what the book shows is said, and needs a word")
    func far() async throws {
        let bids = try await market(bid: "0.7")
        let asks = try await market(ask: "0.7")
        // The middle is 0.4.
        let wide = try await market(bid: "0.1", ask: "0.7")
        for (market, side, price, isFar) in [
            (bids, TradeSide.buy, "0.00085", true), (bids, .buy, "0.00083", false),
            (asks, .sell, "0.00055", true), (asks, .sell, "0.00057", false),
            (wide, .buy, "0.00049", true), (wide, .buy, "0.00047", false),
            (wide, .sell, "0.00031", true), (wide, .sell, "0.00033", false),
        ] {
            let plan = try await plan(market, side, "10", at: price).content
            #expect(
                plan.warnings.contains { $0.hasPrefix("FAR FROM THE BOOK") } == isFar,
                "\(side) \(price)"
            )
            #expect(plan.word == (isFar ? side.rawValue : nil))
        }
    }

    @Test("a book that becomes empty before the signature is said, and stops nothing")
    func emptied() async throws {
        let market = try await market(bid: "0.7", ask: "0.75")
        let planned = try await plan(market, .buy, "1000", at: "0.0007")
        market.setBook()
        _ = try await LimitOrderModel(try context(market)).execute(planned, signer: market.signer)
        #expect(market.relay.posted.count == 1)
    }

    @Test("at the full screen the word stands in place of the flag")
    func live() async throws {
        let market = try await market(ask: "0.75")
        let context = try context(market)
        let account = market.trader.address
        let order = MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "700")
        let trade = try await context.plan(.market(order, slippage: 100), account: account)
        #expect(trade.word == "buy")
        market.setBook()
        let small = try await context.plan(
            .limit(LimitRequest(side: .sell, pair: "ZRX/WETH", amount: "7", price: "0.001")),
            account: account
        )
        #expect(small.word == "yes")
    }
}
