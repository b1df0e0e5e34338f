import DexCore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Taker fees in a third token: capped, valued where a book tells, ranked with their value")
struct TakerFeeTests {
    static let pair = "\(LiveMarket.usdt.checksummed)/\(TestMarket.weth.checksummed)"

    let market: LiveMarket

    init() throws {
        market = try LiveMarket()
    }

    /// Sells USDT for WETH, with a fee in ZRX.
    private func ask(
        _ maker: Int,
        _ amount: String,
        for weth: String,
        fee: String = "0",
        salt: UInt64 = 1
    ) async throws -> any SignedOrder {
        try await market.order(
            by: market.makers[maker],
            give: (LiveMarket.usdt, amount),
            get: (TestMarket.weth, weth),
            fees: TestMarket.fees(taker: fee),
            salt: UInt256(salt)
        )
    }

    /// A book of ZRX in which one costs about 0.001 WETH.
    private func setFeeBook() async throws {
        market.setFeeBook(
            bids: [try await market.bid(3, "1000", for: "0.99")],
            asks: [try await market.ask(4, "1000", for: "1")]
        )
    }

    private func plan(
        _ amount: String,
        _ side: TradeSide = .buy,
        cap: String? = nil
    ) async throws -> TradePlan {
        var fees = TakerFeeCap()
        if let cap { try fees.set(cap) }
        return try await market.plan(side, amount, pair: Self.pair) { $0.takerFees = fees }.content
    }

    private func setEmptyFeeBook() { market.setFeeBook() }

    @Test("an order of 100 for 0.039 WETH with a fee of 1,500 ZRX to its maker is never taken")
    func attack() async throws {
        let hostile = try await ask(0, "100", for: "0.039", fee: "1500")
        let honest = try await ask(1, "100", for: "0.04")
        setEmptyFeeBook()
        market.setBook(asks: [hostile, honest])
        let plan = try await plan("50")
        #expect(plan.legs.map(\.orderHash) == [honest.hash])
        #expect(plan.fees == nil)
        market.setBook(asks: [hostile])
        let error = await refusal { try await self.plan("50") }
        #expect(error?.exit == .refused)
        #expect(error?.code == "no-liquidity")
        #expect(error?.message.contains("cap of taker fees") == true)
        #expect(error?.hint?.contains("--max-taker-fee") == true)
        #expect(try await self.plan("50", cap: "1500").legs.map(\.orderHash) == [hostile.hash])
    }

    @Test("what is above the cap is marked in the book, passed over by prices, and named by why")
    func marked() async throws {
        let hostile = try await ask(0, "100", for: "0.039", fee: "1500")
        let honest = try await ask(1, "100", for: "0.04", fee: "0.1")
        setEmptyFeeBook()
        market.setBook(asks: [hostile, honest])
        market.relay.set { $0.orders[hostile.hash] = .success(hostile) }
        let session = try market.session()
        let book = try await OrderbookModel(session: session).load(pairText: Self.pair)
        #expect(book.asks.map(\.flags) == [[.takerFee], []])
        #expect(book.ask == Price(quote: 4, base: 10_000))
        #expect(book.feeToken?.symbol == "ZRX")
        #expect(book.feeRate == nil)
        let price = try await PriceModel(session: session).load(pairText: Self.pair, amount: "150")
        #expect(price.quote?.fillable == TestMarket.units("100"))
        #expect(price.quote?.fees?.value == "0.1")
        #expect(price.quote?.feeValue == nil)
        let why = try await WhyModel(session: session, journal: nil)
            .load(hostile.hash, account: nil)
        #expect(why.reason == .takerFee)
        #expect(why.remedy == "dex fill \(hostile.hash) --max-taker-fee 1500")
    }

    @Test("where no book has the fee token against QUOTE, one against BASE tells its value")
    func byWayOfBase() async throws {
        // 100 ZRX for 1 WETH: with WETH at 2,500 USDT a ZRX is worth 25 USDT.
        func ask(_ maker: Int, _ usdt: String, fee: String = "0") async throws -> any SignedOrder {
            try await market.order(
                by: market.makers[maker],
                give: (TestMarket.weth, "1"),
                get: (LiveMarket.usdt, usdt),
                fees: TestMarket.fees(taker: fee)
            )
        }
        let charged = try await ask(0, "2495", fee: "0.4")
        let free = try await ask(1, "2500")
        market.setBook(asks: [charged, free])
        market.setFeeBook(
            against: TestMarket.weth,
            bids: [try await market.bid(3, "1000", for: "9.9")],
            asks: [try await market.ask(4, "1000", for: "10")]
        )
        let pair = "\(TestMarket.weth.checksummed)/\(LiveMarket.usdt.checksummed)"
        let book = try await OrderbookModel(session: market.session()).load(pairText: pair)
        #expect(book.feeRate?.value(of: TestMarket.units("0.4")) == TestMarket.units("10"))
        // With its fee it costs 2,505, and comes second.
        #expect(book.asks.map(\.orderHash) == [free.hash, charged.hash])
        let plan = try await market.plan(.buy, "1.2", pair: pair) {
            $0.allowsUncheckedPrice = true
        }.content
        #expect(plan.legs.map(\.orderHash) == [free.hash, charged.hash])
        // A book of QUOTE itself comes first.
        market.setFeeBook(against: LiveMarket.usdt)
        #expect(
            try await OrderbookModel(session: market.session()).load(pairText: pair).feeRate
                != nil
        )
        // The pair's own price comes from orders that charge nothing.
        market.setBook(asks: [charged])
        #expect(
            try await OrderbookModel(session: market.session()).load(pairText: pair).feeRate
                == nil
        )
    }

    @Test("fees of many small orders together stay below the cap of the trade")
    func together() async throws {
        var asks: [any SignedOrder] = []
        for index in 0..<8 {
            asks.append(
                try await ask(
                    index % 3,
                    "10",
                    for: "0.0039",
                    fee: "4",
                    salt: UInt64(index)
                )
            )
        }
        let honest = try await ask(4, "100", for: "0.04")
        setEmptyFeeBook()
        market.setBook(asks: asks + [honest])
        let plan = try await plan("80")
        let maximum = try #require(plan.maximumFees)
        #expect(maximum.raw <= TestMarket.units("10"))
        #expect(plan.legs.contains { $0.orderHash == honest.hash })
        #expect(plan.warnings.contains { $0.contains("no book read here has a value") })
        // Without another way the trade is refused, and says what it would take.
        market.setBook(asks: asks)
        let error = await refusal { try await self.plan("80") }
        #expect(error?.exit == .refused)
        #expect(error?.code == "taker-fee-cap")
        #expect(error?.message.contains("10 ZRX for a trade") == true)
        #expect(error?.message.contains("to 12 ZRX") == true)
        #expect(try await self.plan("80", cap: "32").fees?.value == "32")
    }

    @Test("a fee is valued by the book of its token, counts in the price and ranks the order")
    func valued() async throws {
        try await setFeeBook()
        // 8 ZRX are 0.008 WETH: 0.00047 WETH each after the fee.
        let charged = try await ask(0, "100", for: "0.039", fee: "8")
        let plain = try await ask(1, "100", for: "0.04")
        market.setBook(asks: [charged, plain])
        let session = try market.session()
        let book = try await OrderbookModel(session: session).load(pairText: Self.pair)
        #expect(book.asks.map(\.orderHash) == [plain.hash, charged.hash])
        #expect(book.asks[1].price == Price(quote: 47, base: 100_000))
        #expect(book.feeRate?.price == Price(quote: 1, base: 1000))
        let plan = try await plan("150", cap: "10")
        #expect(plan.legs.map(\.orderHash) == [plain.hash, charged.hash])
        #expect(plan.fees?.value == "4")
        #expect(plan.feeValue == TestMarket.units("0.004"))
        // 0.04 and half of 0.047 for 150.
        #expect(plan.average == Price(quote: 635, base: 1_500_000))
        #expect(plan.expectedPay == TestMarket.units("0.0595"))
        let price = try await PriceModel(session: session).load(pairText: Self.pair, amount: "150")
        #expect(price.quote?.average == plan.average)
        #expect(price.quote?.total == TestMarket.units("0.0595"))
        #expect(price.quote?.feeValue == TestMarket.units("0.004"))
        let outcome = try await market.trade(.buy, "150", pair: Self.pair)
        #expect(outcome.exit == .done)
    }

    @Test("a sale ranks bids by what is left after the fee's value")
    func valuedSale() async throws {
        try await setFeeBook()
        let bid = { (maker: Int, weth: String, fee: String) async throws in
            try await market.order(
                by: market.makers[maker],
                give: (TestMarket.weth, weth),
                get: (LiveMarket.usdt, "100"),
                fees: TestMarket.fees(taker: fee)
            )
        }
        let charged = try await bid(0, "0.041", "5")
        let plain = try await bid(1, "0.04", "0")
        market.setBook(bids: [charged, plain])
        let plan = try await plan("150", .sell)
        #expect(plan.legs.map(\.orderHash) == [plain.hash, charged.hash])
        // 0.04, and half of 0.041 less 0.0025.
        #expect(plan.average == Price(quote: 58, base: 150_000))
        #expect(plan.expectedReceive == TestMarket.units("0.0605"))
    }

    @Test("a false book of the fee token neither makes a fee look free nor lifts the cap")
    func falseFeeBook() async throws {
        let charged = try await ask(0, "100", for: "0.039", fee: "8")
        let plain = try await ask(1, "100", for: "0.04")
        market.setBook(asks: [charged, plain])
        let session = try market.session()
        let honestBid = try await market.bid(3, "1000", for: "0.99")
        let honestAsk = try await market.ask(4, "1000", for: "1")
        // Asks at nearly nothing, as deep as the fees: the bids still tell what ZRX is worth.
        let cheap = try await market.ask(2, "500", for: "0.001")
        market.setFeeBook(bids: [honestBid], asks: [cheap, honestAsk])
        var book = try await OrderbookModel(session: session).load(pairText: Self.pair)
        #expect(book.feeRate?.price == Price(quote: 99, base: 100_000))
        // A crumb as bid or ask does not reach the depth of the fees.
        let crumbAsk = try await market.ask(2, "0.5", for: "0.0000001")
        let crumbBid = try await market.bid(2, "0.5", for: "50")
        market.setFeeBook(bids: [crumbBid, honestBid], asks: [crumbAsk, honestAsk])
        book = try await OrderbookModel(session: session).load(pairText: Self.pair)
        #expect(book.feeRate?.price == Price(quote: 1, base: 1000))
        // One side alone tells nothing: anybody could ask for whatever they like.
        let absurd = try await market.ask(2, "50", for: "5000")
        for asks in [[absurd], [cheap]] {
            market.setFeeBook(asks: asks)
            book = try await OrderbookModel(session: session).load(pairText: Self.pair)
            #expect(book.feeRate == nil)
            #expect(book.asks.map(\.orderHash) == [charged.hash, plain.hash])
        }
        // Nor does a spread beyond a factor of two.
        market.setFeeBook(bids: [try await market.bid(3, "1000", for: "0.4")], asks: [honestAsk])
        book = try await OrderbookModel(session: session).load(pairText: Self.pair)
        #expect(book.feeRate == nil)
        // Whatever a false book says, the cap of the trade holds.
        let greedy = try await ask(0, "100", for: "0.001", fee: "1500")
        market.setBook(asks: [greedy, plain])
        market.setFeeBook(
            bids: [try await market.bid(2, "5000", for: "0.00001")],
            asks: [try await market.ask(2, "5000", for: "0.00001")]
        )
        #expect(try await plan("50").legs.map(\.orderHash) == [plain.hash])
    }

    @Test(
        "a relay that fails for a book of fees does not stop the trade, and is reported",
        arguments: [TestMarket.weth, LiveMarket.usdt]
    )
    func feeBookFails(against token: Address) async throws {
        let charged = try await ask(0, "100", for: "0.039", fee: "8")
        market.setBook(asks: [charged])
        setEmptyFeeBook()
        market.relay.set {
            $0.books[[TestMarket.zrx, token]] = .failure(.nonsense("it is no book"))
        }
        let plan = try await plan("100")
        #expect(plan.legs.map(\.orderHash) == [charged.hash])
        #expect(plan.feeValue == nil)
        #expect(market.clock.messages.contains { $0.contains("it is no book") })
    }

    @Test("orders without fees, and fees in a token of the pair, ask for no other book")
    func noQuestion() async throws {
        market.setBook(asks: [try await ask(0, "100", for: "0.039")])
        _ = try await plan("50")
        #expect(market.relay.requests == ["orderbook"])
        market.setBook(asks: [
            try await market.ask(0, "100", for: "1", fees: TestMarket.fees(taker: "20"))
        ])
        let plan = try await market.plan(.buy, "50").content
        #expect(plan.fees?.value == "10")
        #expect(market.relay.requests == ["orderbook", "orderbook"])
    }

    @Test("a plan with valued fees takes no more round trips of the node than one without")
    func roundTrips() async throws {
        try await setFeeBook()
        market.setBook(asks: [try await ask(0, "100", for: "0.039")])
        _ = try await plan("50")
        let without = market.node.rounds.count
        market.setBook(asks: [try await ask(0, "100", for: "0.039", fee: "1")])
        _ = try await plan("50")
        // The second plan also asks for the fee token against QUOTE and BASE, at once.
        #expect(market.relay.requests == [String](repeating: "orderbook", count: 4))
        #expect(market.node.rounds.count == 2 * without)
        // Four, and the access list for USDT, whose queries cost more gas than the exchange gives.
        #expect(without <= 5)
    }

    @Test("filling one order keeps the cap too, of the amount that is filled")
    func fill() async throws {
        let hostile = try await ask(0, "100", for: "0.039", fee: "1500")
        let source = FillRequest.Source.signed(
            market.exchangeProtocol.encodeOrder(hostile).text
        )
        func fill(_ amount: String, cap: String? = nil) async throws -> TradePlan {
            var settings = TradeSettings()
            if let cap { try settings.takerFees.set(cap) }
            let model = FillModel(
                session: try market.session(),
                journal: market.journal,
                settings: settings
            )
            return try await model.plan(
                FillRequest(source: source, amount: amount),
                account: market.trader.address
            ).content
        }
        let error = await refusal { try await fill("100") }
        #expect(error?.exit == .refused)
        #expect(error?.code == "taker-fee-cap")
        #expect(error?.message.contains("1500 ZRX") == true)
        #expect(try await fill("0.5").fees?.value == "7.5")
        #expect(try await fill("100", cap: "1500").fees?.value == "1500")
    }

    @Test("a share caps fees in the order's own tokens, where a price alone would rank them")
    func share() async throws {
        let charged = try await market.ask(
            0,
            "100",
            for: "0.5",
            fees: TestMarket.fees(taker: "20")
        )
        let plain = try await market.ask(1, "100", for: "1")
        market.setBook(asks: [charged, plain])
        func hashes(_ cap: String?) async throws -> [OrderHash] {
            var fees = TakerFeeCap()
            if let cap { try fees.set(cap) }
            return try await market.plan(.buy, "50") { $0.takerFees = fees }.content.legs
                .filter { !$0.isBackup }.map(\.orderHash)
        }
        #expect(try await hashes(nil) == [charged.hash])
        #expect(try await hashes("20%") == [charged.hash])
        #expect(try await hashes("19.99%") == [plain.hash])
    }

    @Test(
        "caps are amounts or shares, and nothing else",
        arguments: ["", "-1", "ten", "1e3", "101%"]
    )
    func text(bad: String) {
        #expect(throws: DexError.self) { try TakerFeeCap(bad) }
    }
}
