import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A limit price is held against the book before it is signed")
struct CrossingPriceTests {
    /// Asks of 1,000 ZRX at 0.00075 WETH and 1,000 at 0.0008, bids of 1,000 at 0.0007.
    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(
            bids: [try await market.bid(2, "1000", for: "0.7")],
            asks: [
                try await market.ask(0, "1000", for: "0.75"),
                try await market.ask(1, "1000", for: "0.8"),
            ]
        )
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func model(
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> LimitOrderModel {
        var settings = TradeSettings()
        change(&settings)
        return LimitOrderModel(
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
        taker: Address? = nil,
        posts: Bool = true,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<LimitPlan> {
        try await model(market, change).plan(
            LimitRequest(
                side: side,
                pair: "ZRX/WETH",
                amount: amount,
                price: price,
                taker: taker,
                posts: posts
            ),
            account: market.trader.address
        )
    }

    @Test("a buy at ten times the ask is refused, with what the market would take")
    func buysTooDear() async throws {
        let market = try await market()
        let error = await refusal { try await plan(market, .buy, "100", at: "0.0076") }
        #expect(error?.code == "crosses-book")
        #expect(error?.exit == .refused)
        #expect(error?.message.contains("0.00075") == true, "\(String(describing: error))")
        #expect(error?.hint?.contains("dex market-buy ZRX/WETH 100") == true)
        #expect(error?.hint?.contains("--allow-crossing") == true)
    }

    @Test(
        "a price up to 1 % through the book says what a market order gets now",
        arguments: [
            (TradeSide.buy, "0.000755", "by 0.67 %", "buys 100 ZRX for 0.075 WETH now."),
            (.buy, "0.00075001", "by 0.01 %", "buys 100 ZRX for 0.075 WETH now."),
            (.sell, "0.000695", "by 0.72 %", "sells 100 ZRX for 0.07 WETH now."),
            (.sell, "0.00069999", "by 0.01 %", "sells 100 ZRX for 0.07 WETH now."),
        ] as [(TradeSide, String, String, String)]
    )
    func through(side: TradeSide, price: String, distance: String, market words: String)
        async throws
    {
        let warnings = try await plan(try await market(), side, "100", at: price).content.warnings
        #expect(
            warnings.contains { $0.contains(distance) && $0.hasSuffix("A market order \(words)") },
            "\(warnings)"
        )
    }

    @Test("a price at the best one or behind it says nothing of a market order")
    func notThrough() async throws {
        for (side, price) in [
            (TradeSide.buy, "0.00075"), (.buy, "0.00072"), (.sell, "0.0007"), (.sell, "0.00072"),
        ] {
            let plan = try await plan(try await market(), side, "100", at: price).content
            #expect(!plan.warnings.contains { $0.contains("market order") }, "\(side) \(price)")
        }
    }

    @Test("a post-only order that meets or crosses the best price is refused, a crumb ignored")
    func postOnly() async throws {
        let market = try await market()
        for (side, price, isRefused) in [
            (TradeSide.buy, "0.00075", true), (.buy, "0.0007501", true), (.buy, "0.0007499", false),
            (.sell, "0.0007", true), (.sell, "0.0006999", true), (.sell, "0.0007001", false),
            (.buy, "ask-1", false), (.buy, "ask", true), (.sell, "bid+1", false),
        ] {
            guard isRefused else {
                let plan = try await plan(market, side, "100", at: price) { $0.postsOnly = true }
                #expect(plan.content.comparison?.distance == 0, "\(price)")
                continue
            }
            let error = await refusal {
                try await self.plan(market, side, "100", at: price) { $0.postsOnly = true }
            }
            #expect(error?.code == "post-only" && error?.exit == .refused, "\(price)")
        }
        let planned = try await plan(market, .buy, "100", at: "ask-1") { $0.postsOnly = true }
        market.setBook(asks: [try await market.ask(0, "1000", for: "0.7")])
        let moved = await refusal {
            try await model(market) { $0.postsOnly = true }
                .execute(planned, signer: market.signer)
        }
        #expect(moved?.code == "post-only" && market.relay.posted.isEmpty)
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "cut")) }
        let unread = await refusal {
            try await plan(market, .buy, "100", at: "0.0001") { $0.postsOnly = true }
        }
        #expect(unread?.code == "post-only" && unread?.retryable == true)
    }

    @Test("a sell far below the bid is refused")
    func sellsTooCheap() async throws {
        let market = try await market()
        let error = await refusal { try await plan(market, .sell, "100", at: "0.00007") }
        #expect(error?.code == "crosses-book")
        #expect(error?.hint?.contains("dex market-sell ZRX/WETH 100") == true)
    }

    @Test("a decimal slip is refused for a private order and for one that is not posted too")
    func everyOrder() async throws {
        let market = try await market()
        let rival = market.rival.address
        let secret = await refusal {
            try await plan(market, .buy, "100", at: "0.0076", taker: rival)
        }
        #expect(secret?.code == "crosses-book")
        let printed = await refusal {
            try await plan(market, .buy, "100", at: "0.0076", posts: false)
        }
        #expect(printed?.code == "crosses-book")
    }

    @Test("up to one percent across is told, and a price that does not cross is not")
    func near() async throws {
        let market = try await market()
        let across = try await plan(market, .buy, "100", at: "0.000757").content
        #expect(across.warnings.contains { $0.contains("crosses") }, "\(across.warnings)")
        let touching = try await plan(market, .buy, "100", at: "0.00075").content
        #expect(!touching.warnings.contains { $0.contains("crosses") })
        let behind = try await plan(market, .buy, "100", at: "0.0007").content
        #expect(!behind.warnings.contains { $0.contains("crosses") })
        let beyond = await refusal { try await plan(market, .buy, "100", at: "0.000758") }
        #expect(beyond?.code == "crosses-book")
    }

    @Test("a book that comes to be crossed while an approval is mined stops the order")
    func movesMeanwhile() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let planned = try await plan(market, .buy, "100", at: "0.0007")
        #expect(planned.content.steps.count == 1)
        let cheap = try await market.ask(3, "1000", for: "0.3")
        market.node.onSend { _, _ in
            market.setBook(asks: [cheap])
            return .pass
        }
        let error = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "crosses-book")
        #expect(market.relay.posted.isEmpty)
        #expect(try market.journal.order(planned.content.orderHash) == nil)
    }

    @Test("crumbs do not stop an honest order, and genuine orders beside planted ones count")
    func dustOrders() async throws {
        let market = try await market()
        let crumb = try await market.ask(3, "0.5", for: "0.0001")
        let genuine = try await market.ask(0, "1000", for: "0.75")
        market.setBook(asks: [crumb, genuine])
        let honest = try await plan(market, .buy, "100", at: "0.00074").content
        #expect(honest.draft.makerAmount == TestMarket.units("0.074"))
        let expensive = try await market.ask(1, "9000", for: "67.5")
        market.setBook(asks: [genuine, expensive])
        let slip = await refusal { try await plan(market, .buy, "5000", at: "0.0075") }
        #expect(slip?.code == "crosses-book")
    }

    @Test("a book without orders on the other side, or none to read, is told")
    func nothingToCompare() async throws {
        let market = try await market()
        market.setBook()
        let empty = try await plan(market, .buy, "50", at: "0.0076").content
        #expect(empty.warnings.contains { $0.contains("compare") }, "\(empty.warnings)")
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "down")) }
        let unread = try await plan(market, .buy, "50", at: "0.0076", posts: false).content
        #expect(unread.warnings.contains { $0.contains("compare") }, "\(unread.warnings)")
    }

    @Test("a book that cannot be read right before the signature stops the order, with exit 4")
    func unreadAtLast() async throws {
        let market = try await market()
        let planned = try await plan(market, .buy, "100", at: "0.0007")
        let crossing = try await plan(market, .buy, "100", at: "0.00077") {
            $0.allowsCrossing = true
        }
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "cut")) }
        for (planned, isAllowed) in [(planned, false), (crossing, true)] {
            let error = await refusal {
                try await model(market) { $0.allowsCrossing = isAllowed }
                    .execute(planned, signer: market.signer)
            }
            #expect(error?.code == "book-unread")
            #expect(error?.exit == .unreachable)
            #expect(error?.retryable == true)
        }
        #expect(market.relay.posted.isEmpty)
        #expect(try market.journal.order(planned.content.orderHash) == nil)
        // A plan that said so is signed without a book, and with one that comes back.
        let unread = try await plan(market, .buy, "100", at: "0.0007")
        #expect(unread.content.warnings.contains { $0.contains("There is no book") })
        _ = try await model(market).execute(unread, signer: market.signer)
        #expect(market.relay.posted.count == 1)
    }

    @Test("a crossing that was allowed does not allow a much wider one")
    func crossesFurther() async throws {
        let market = try await market()
        let planned = try await plan(market, .buy, "100", at: "0.00077") {
            $0.allowsCrossing = true
        }
        market.setBook(asks: [try await market.ask(0, "1000", for: "0.5")])
        let error = await refusal {
            try await model(market) { $0.allowsCrossing = true }
                .execute(planned, signer: market.signer)
        }
        #expect(error?.code == "crosses-book")
        #expect(market.relay.posted.isEmpty)
    }

    @Test("an order that has expired by the block's time is not signed")
    func expiredByBlock() async throws {
        let market = try await market()
        let planned = try await plan(market, .buy, "100", at: "0.0007")
        let ahead = planned.content.expires + 1
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .block(.latest) = read, case .success(.block(let block?)) = answer else {
                    return answer
                }
                return .success(
                    .block(
                        Block(
                            number: block.number,
                            hash: block.hash,
                            parentHash: block.parentHash,
                            timestamp: ahead,
                            baseFeePerGas: block.baseFeePerGas,
                            gasLimit: block.gasLimit,
                            gasUsed: block.gasUsed
                        )
                    )
                )
            }
        }
        let error = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "bad-expiry")
        #expect(market.relay.posted.isEmpty)
    }

    // MARK: Coarse pairs

    @Test(
        "amounts that cannot express the price within 1 % are refused, with the nearest exact ones"
    )
    func coarse() throws {
        func token(_ decimals: UInt8, _ symbol: String, _ address: Address) -> Token {
            Token(address: address, symbol: symbol, name: symbol, decimals: decimals)
        }
        let pair = Pair(
            base: token(0, "TICKET", TestMarket.zrx),
            quote: token(2, "CENT", TestMarket.usdc)
        )
        let price = try PriceBounds.price("0.0025", pair: pair)
        for (side, base, isRefused, hint) in [
            (TradeSide.sell, 7, true, "Exact at this price: 4 TICKET or 8 TICKET."),
            (.buy, 7, true, "Exact at this price: 4 TICKET or 8 TICKET."),
            (.sell, 3, true, "Exact at this price: 4 TICKET."),
            (.buy, 4, false, ""), (.sell, 400, false, ""),
            // 100.25 cents: rounded by a quarter of a percent.
            (.buy, 401, false, ""), (.sell, 401, false, ""),
            // 99.75 cents to 99 or 100.
            (.buy, 399, false, ""),
            (.buy, 203, true, "Exact at this price: 200 TICKET or 204 TICKET."),
        ] as [(TradeSide, UInt256, Bool, String)] {
            do throws(DexError) {
                _ = try LimitAmounts(side: side, base: base, price: price, pair: pair)
                #expect(!isRefused, "\(side) \(base)")
            } catch {
                #expect(isRefused && error.code == "price-too-coarse", "\(side) \(base)")
                #expect(error.exit == .refused)
                #expect(error.hint == hint)
            }
        }
        #expect(LimitAmounts.nearest(7, to: price) == [4, 8])
        #expect(LimitAmounts.nearest(.max, to: price) == [.max - 3])
    }

    // MARK: Fill

    private func fill(
        _ market: LiveMarket,
        _ order: any SignedOrder,
        _ amount: String? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> TradePlan {
        var settings = TradeSettings()
        change(&settings)
        let wire = market.exchangeProtocol.encodeOrder(order).text
        return try await FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        ).plan(
            FillRequest(source: .signed(wire), amount: amount),
            account: market.trader.address
        ).content
    }

    @Test("a fill at ten times the market is refused, in or out of the book")
    func dearFill() async throws {
        let market = try await market()
        let expensive = try await market.ask(4, "1000", for: "7.5")
        let error = await refusal { try await fill(market, expensive, "100") }
        #expect(error?.code == "impact-too-high")
        let low = try await market.bid(4, "1000", for: "0.07")
        #expect(await refusal { try await fill(market, low, "100") }?.code == "impact-too-high")
        let allowed = try await fill(market, expensive, "100") { $0.allowsHighImpact = true }
        #expect(allowed.impactBasisPoints == 90_000)
        #expect(allowed.warnings.contains { $0.contains("900") }, "\(allowed.warnings)")
    }

    @Test("a fill's impact is its distance from the best orders of the book")
    func fillImpact() async throws {
        let market = try await market()
        let second = try await market.ask(1, "1000", for: "0.8")
        let plan = try await fill(market, second, "100")
        #expect(plan.impactBasisPoints == 667)
        let best = try await market.ask(0, "1000", for: "0.75")
        #expect(try await fill(market, best, "100").impactBasisPoints == 0)
    }

    @Test("a fill whose book cannot be read says so")
    func unreadFill() async throws {
        let market = try await market()
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "down")) }
        let expensive = try await market.ask(4, "1000", for: "7.5")
        let plan = try await fill(market, expensive, "50")
        #expect(plan.warnings.first?.contains("compare") == true, "\(plan.warnings)")
        // 0.75 WETH.
        let error = await refusal { try await fill(market, expensive, "100") }
        #expect(error?.code == "price-unchecked")
        #expect(error?.hint == "Allow any with --allow-unchecked-price.")
        let allowed = try await fill(market, expensive, "100") { $0.allowsUncheckedPrice = true }
        #expect(allowed.warnings.first?.contains("compare") == true)
    }

    @Test("the last order of a side is compared with the other side, and alone with nothing")
    func lastOrder() async throws {
        let market = try await market()
        let expensive = try await market.ask(4, "1000", for: "7.5")
        market.setBook(bids: [try await market.bid(2, "1000", for: "0.7")], asks: [expensive])
        #expect(
            await refusal { try await fill(market, expensive, "100") }?.code == "impact-too-high"
        )
        let near = try await market.ask(4, "1000", for: "0.77")
        market.setBook(bids: [try await market.bid(2, "1000", for: "0.7")], asks: [near])
        let plan = try await fill(market, near, "100")
        #expect(plan.impactBasisPoints == 1_000)
        #expect(plan.warnings.contains { $0.contains("compared with its buy orders") })
        market.setBook(asks: [expensive])
        #expect(
            await refusal { try await fill(market, expensive, "100") }?.code == "price-unchecked"
        )
        let warnings = try await fill(market, expensive, "50").warnings
        #expect(warnings.first?.hasPrefix("THE PRICE IS NOT COMPARED") == true, "\(warnings)")
    }

    @Test("a price that is upside down is asked about, whichever side it is")
    func upsideDown() async throws {
        let market = try await market()
        let crossing = await refusal { try await plan(market, .buy, "100", at: "1333") }
        #expect(crossing?.code == "crosses-book")
        let question = "Is the price upside down? It is WETH per ZRX: 1/1333 is 0.00075018755."
        #expect(crossing?.hint?.contains(question) == true)
        #expect(
            try await plan(market, .sell, "100", at: "1333").content.warnings.contains(question)
        )
        let right = try await plan(market, .sell, "100", at: "0.00076")
        #expect(!right.content.warnings.contains { $0.contains("upside down") })
    }
}
