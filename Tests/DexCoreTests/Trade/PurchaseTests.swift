import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Never more bought than asked, whatever the contract's rounding rule lets pass")
struct PurchaseTests {
    private let exchange = ZeroExV1()
    private let contracts = ExchangeContracts(
        exchange: TestMarket.exchange,
        transferContract: TestMarket.proxy,
        feeToken: nil
    )

    /// Sells ZRX for WETH, in base units.
    private func order(gives maker: UInt256, wants taker: UInt256) throws -> SignedOrderV1 {
        let terms = OrderDraft(
            exchange: TestMarket.exchange,
            maker: TestMarket.proxy,
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            makerAmount: maker,
            takerAmount: taker,
            expiry: .max,
            salt: maker << 128 | taker
        )
        let signature = try #require(Signature(r: .zero, s: .zero, yParity: 0))
        return SignedOrderV1(terms: terms, signature: signature)
    }

    private func entry(gives maker: UInt256, wants taker: UInt256) throws -> BookEntry {
        let order = try order(gives: maker, wants: taker)
        return BookEntry(
            order: order,
            state: OrderState(filled: 0, cancelled: 0, remaining: taker),
            price: try #require(Price(quote: taker, base: maker)),
            fillableTaker: taker,
            fillableMaker: maker,
            flags: []
        )
    }

    private func route(
        _ amount: UInt256,
        through entries: [BookEntry]
    ) throws(DexError) -> TradeRoute {
        try MarketPlanner(
            exchangeProtocol: exchange,
            contracts: contracts,
            pair: Pair(
                base: Token(address: TestMarket.zrx, symbol: "ZRX", name: "", decimals: 2),
                quote: Token(address: TestMarket.weth, symbol: "WETH", name: "", decimals: 0)
            ),
            side: .buy,
            amount: amount,
            limit: .slippage(500),
            backupPercent: 20,
            maximumOrders: 50
        ).route(through: entries)
    }

    @Test("every amount of every small order, against all fills that the contract lets pass")
    func everySmallOrder() throws {
        for maker in (1...32).map(UInt256.init) {
            for taker in (1...32).map(UInt256.init) {
                let order = try order(gives: maker, wants: taker)
                var passing: [(fill: UInt256, pays: UInt256)] = []
                var fill: UInt256 = 1
                while fill <= taker {
                    if !exchange.hasRoundingError(order, filling: fill) {
                        let pays = try #require(exchange.makerAmount(of: order, filling: fill))
                        passing.append((fill, pays))
                    }
                    fill += 1
                }
                var wanted: UInt256 = 1
                while wanted <= maker {
                    // What one unit less would not do, but for what cannot be had at all.
                    let (whole, rest) = try #require(UInt256.mulDiv(wanted, taker, maker))
                    let needed = whole + (rest > 0 ? 1 : 0)
                    let expected = passing.last { $0.fill <= needed }?.fill
                    let found = exchange.purchase(of: order, wanting: wanted)
                    // An order whose amounts no fill up to it fits is left alone.
                    #expect(found == expected, "\(wanted) of \(maker) for \(taker)")
                    wanted += 1
                }
                #expect(exchange.purchase(of: order, wanting: maker + 1) == nil)
            }
        }
    }

    @Test("a market order passes over what would bring twice as much as was asked for")
    func market() throws {
        // A third is 166.67 and the contract refuses to pay 166 for it; two thirds it pays.
        let dustOrders = try entry(gives: 500, wants: 3)
        #expect(exchange.takerAmount(of: dustOrders.order, for: 166) == 2)
        for amount in [1, 165, 166] as [UInt256] {
            let error = #expect(throws: DexError.self) { try route(amount, through: [dustOrders]) }
            #expect(error?.code == "amount-too-small" && error?.exit == .refused)
            #expect(error?.message.contains("would round it") == true)
        }
        let part = try route(333, through: [dustOrders])
        #expect(part.pay == 2 && part.receive == 333)
        // Of sevenths only 5 and 7 pass; what 5 do not bring comes from the next order.
        let sevenths = try entry(gives: 500, wants: 7)
        #expect(exchange.takerAmount(of: sevenths.order, for: 400) == 7)
        let both = try route(400, through: [sevenths, entry(gives: 400, wants: 8)])
        #expect(both.legs.map(\.pay) == [5, 1])
        #expect(both.legs.map(\.receive) == [357, 50])
        let error = #expect(throws: DexError.self) { try route(400, through: [sevenths]) }
        #expect(error?.code == "thin-book")
        #expect(error?.hint?.contains("3.57") == true)
    }

    @Test("a price for an amount counts the same fills")
    func price() throws {
        let dustOrders = try entry(gives: 500, wants: 3)
        let sevenths = try entry(gives: 500, wants: 7)
        func walk(_ amount: UInt256, _ entries: [BookEntry]) -> BookWalk {
            BookWalk(
                entries,
                side: .buy,
                amount: amount,
                exchangeProtocol: exchange,
                contracts: contracts
            )
        }
        #expect(walk(166, [dustOrders]).orders == 0)
        #expect(walk(333, [dustOrders]).base == 333)
        let both = walk(400, [sevenths, try entry(gives: 400, wants: 8)])
        #expect(both.base == 407 && both.quote == 6 && both.orders == 2)
    }

    @Test("a fill of an amount that only a larger one could bring is refused, exit 6")
    func fill() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "0.0000000000000005", for: "0.000000000000000003")
        market.relay.set { $0.orders[order.hash] = .success(order) }
        let model = FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        for amount in ["0.000000000000000001", "0.000000000000000166"] {
            let error = await refusal {
                try await model.plan(
                    FillRequest(source: .hash(order.hash), amount: amount),
                    account: market.trader.address
                )
            }
            #expect(error?.code == "rounding-error")
            #expect(error?.exit == .refused)
        }
        let plan = try await model.plan(
            FillRequest(source: .hash(order.hash), amount: "0.000000000000000333"),
            account: market.trader.address
        )
        #expect(plan.content.expectedPay == 2 && plan.content.expectedReceive == 333)
    }
}
