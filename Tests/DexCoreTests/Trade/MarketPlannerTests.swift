import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The market planner over any book")
struct MarketPlannerTests {
    private static let protocolV1 = ZeroExV1()
    private static let base = Token(
        address: TestMarket.zrx,
        symbol: "ZRX",
        name: "",
        decimals: 18
    )
    private static let quote = Token(
        address: TestMarket.weth,
        symbol: "WETH",
        name: "",
        decimals: 18
    )
    private static let hostile: [UInt256] = [
        0, 1, 2, 3, 1_000, 1_000_000_007, 1 << 64, (1 << 128) - 1, 1 << 128, 1 << 200, 1 << 255,
        .max - 1, .max,
    ]

    private func planner(
        _ side: TradeSide,
        _ amount: UInt256,
        limit: MarketPlanner.Limit = .slippage(100),
        feeToken: Address? = nil,
        maximumOrders: Int = 50,
        confirmed: MarketPlanner.Confirmed? = nil
    ) -> MarketPlanner {
        MarketPlanner(
            exchangeProtocol: Self.protocolV1,
            contracts: ExchangeContracts(
                exchange: TestMarket.exchange,
                transferContract: TestMarket.proxy,
                feeToken: feeToken
            ),
            pair: Pair(base: Self.base, quote: Self.quote),
            side: side,
            amount: amount,
            limit: limit,
            backupPercent: 20,
            maximumOrders: maximumOrders,
            confirmed: confirmed
        )
    }

    /// An entry of an order by its amounts of base and quote.
    private func entry(
        _ side: TradeSide,
        base: UInt256,
        quote: UInt256,
        salt: UInt64,
        fee: UInt256 = 0,
        remaining: UInt256? = nil,
        fillable: UInt256? = nil,
        flags: [OrderFlag] = []
    ) throws -> BookEntry? {
        let isBuy = side == .buy
        let signature = try #require(Signature(r: .zero, s: .zero, yParity: 0))
        let terms = OrderDraft(
            exchange: TestMarket.exchange,
            maker: TestMarket.proxy,
            makerToken: isBuy ? TestMarket.zrx : TestMarket.weth,
            takerToken: isBuy ? TestMarket.weth : TestMarket.zrx,
            makerAmount: isBuy ? base : quote,
            takerAmount: isBuy ? quote : base,
            expiry: .max,
            salt: UInt256(salt),
            fees: OrderFees(
                recipient: TestMarket.feeRecipient,
                makerFee: 0,
                takerFee: fee
            )
        )
        let order = SignedOrderV1(terms: terms, signature: signature)
        let left = min(remaining ?? order.takerAmount, order.takerAmount)
        let fill = min(fillable ?? left, left)
        guard let price = Price(quote: quote, base: base), quote > 0 else { return nil }
        return BookEntry(
            order: order,
            state: OrderState(
                filled: order.takerAmount - left,
                cancelled: 0,
                remaining: left
            ),
            price: price,
            fillableTaker: fill,
            fillableMaker: Self.protocolV1.makerAmount(of: order, filling: fill) ?? 0,
            flags: flags
        )
    }

    /// What the contract does with a route when some of its orders are gone.
    private func contract(
        _ route: TradeRoute,
        gone: Int
    ) -> (paid: UInt256, received: UInt256, fee: UInt256) {
        var left = route.pay
        var result: (paid: UInt256, received: UInt256, fee: UInt256) = (0, 0, 0)
        for (index, leg) in (route.legs + route.backups).enumerated() {
            guard gone & (1 << index) == 0, left > 0 else { continue }
            let asked = route.style == .total ? left : leg.pay
            let amount = min(asked, leg.remaining)
            guard !Self.protocolV1.hasRoundingError(leg.order, filling: amount) else { continue }
            left -= amount
            result.paid += amount
            result.received += Self.protocolV1.makerAmount(of: leg.order, filling: amount) ?? 0
            result.fee += Self.protocolV1.takerFee(of: leg.order, filling: amount)
        }
        return result
    }

    @Test(
        "whichever orders are gone, the payment, the minimum, the bound and the fees hold",
        arguments: [TradeSide.buy, .sell]
    )
    func everyOutcome(side: TradeSide) throws {
        var random = SystemRandom(seed: side == .buy ? 11 : 12)
        var checked = 0
        for round in 0..<400 {
            let entries = try book(side, random: &random)
            let amount = UInt256(random.next(in: 1_000...60_000_000))
            let slippage = [UInt64(0), 50, 100, 500][round % 4]
            let planner = planner(side, amount, limit: .slippage(slippage))
            guard let route = try? planner.route(through: entries) else { continue }
            checked += 1
            let all = route.legs + route.backups
            let last = try #require(route.legs.last)
            for leg in all {
                #expect(
                    PriceBounds.isWithin(
                        leg.price,
                        of: last.price,
                        slippage: slippage,
                        side: side
                    )
                )
            }
            for gone in 0..<(1 << min(all.count, 8)) {
                let (paid, received, fee) = contract(route, gone: gone)
                #expect(paid <= route.pay)
                #expect(fee <= route.maximumFee)
                guard paid == route.pay else { continue }
                #expect(received >= route.minimumReceive)
                // Never more than expected x (1 + slippage) per unit received.
                #expect(
                    paid * route.receive * 10_000
                        <= route.pay * received * (10_000 + UInt256(slippage))
                )
            }
            let nothingGone = contract(route, gone: 0)
            #expect(nothingGone.paid == route.pay)
            #expect(nothingGone.received == route.receive)
            checkAmount(route, side: side, amount: amount)
        }
        #expect(checked > 100)
    }

    /// Never more than asked, beyond the rounding of one taker unit of the last order.
    private func checkAmount(_ route: TradeRoute, side: TradeSide, amount: UInt256) {
        let tolerance = amount / 1_000_000
        switch side {
        case .sell: #expect(route.pay <= amount && route.pay + tolerance >= amount)
        case .buy:
            guard let last = route.legs.last?.order else { return }
            let unit = last.makerAmount / last.takerAmount + 1
            #expect(route.receive < amount + unit && route.receive + tolerance >= amount)
        }
    }

    private func book(
        _ side: TradeSide,
        random: inout SystemRandom
    ) throws -> [BookEntry] {
        var entries: [BookEntry] = []
        for index in 0..<random.next(in: 1...8) {
            let base = UInt256(random.next(in: 1_000...20_000_000))
            let price = UInt256(random.next(in: 100_000...104_000))
            let quote = base * price / 100_000 + 1
            let taker = side == .buy ? quote : base
            let isPartly = random.next(in: 0...3) == 0
            let entry = try entry(
                side,
                base: base,
                quote: quote,
                salt: index,
                fee: UInt256(random.next(in: 0...500)),
                remaining: taker - taker / UInt256(random.next(in: 2...9)),
                fillable: isPartly ? taker / 2 : nil
            )
            if let entry { entries.append(entry) }
        }
        return entries.sorted { side == .buy ? $0.price < $1.price : $0.price > $1.price }
    }

    @Test(
        "no book traps, however large or small its amounts are",
        arguments: [TradeSide.buy, .sell]
    )
    func hostileBooks(side: TradeSide) throws {
        var random = SystemRandom(seed: 99)
        let pick = { (random: inout SystemRandom) in
            Self.hostile[Int(random.next(in: 0...UInt64(Self.hostile.count - 1)))]
        }
        for round in 0..<1_500 {
            var entries: [BookEntry] = []
            for index in 0..<random.next(in: 1...6) {
                let entry = try entry(
                    side,
                    base: pick(&random),
                    quote: pick(&random),
                    salt: index,
                    fee: pick(&random),
                    remaining: pick(&random),
                    fillable: pick(&random)
                )
                if let entry { entries.append(entry) }
            }
            entries.sort { side == .buy ? $0.price < $1.price : $0.price > $1.price }
            let amount = pick(&random)
            let price = try #require(Price(quote: max(pick(&random), 1), base: 3))
            let planner = planner(
                side,
                max(amount, 1),
                limit: round.isMultiple(of: 3) ? .price(price) : .slippage(100),
                feeToken: [nil, TestMarket.zrx, TestMarket.weth][round % 3]
            )
            guard let route = try? planner.route(through: entries) else { continue }
            #expect(route.minimumReceive <= route.receive)
            #expect(route.fee <= route.maximumFee)
        }
    }

    @Test("flagged orders are passed over")
    func flags() throws {
        let flags: [OrderFlag] = [
            .expiring, .otherTaker, .unfunded, .filled, .expired, .dust, .own,
        ]
        var entries: [BookEntry] = []
        for (index, flag) in flags.enumerated() {
            let entry = try entry(
                .buy,
                base: 1_000,
                quote: 10,
                salt: UInt64(index),
                flags: [flag]
            )
            entries.append(try #require(entry))
        }
        let error = #expect(throws: DexError.self) {
            try planner(.buy, 100).route(through: entries)
        }
        #expect(error?.code == "no-liquidity")
        #expect(error?.message.contains("7 were passed over") == true)
    }

    @Test("the same order twice counts once")
    func twice() throws {
        let entry = try #require(try entry(.buy, base: 1_000, quote: 1_000, salt: 1))
        let error = #expect(throws: DexError.self) {
            try planner(.buy, 1_500).route(through: [entry, entry])
        }
        #expect(error?.code == "thin-book")
    }

    @Test("no more orders are used than fit into a transaction")
    func tooMany() throws {
        let entries = try (0..<5).compactMap {
            try entry(.buy, base: 1_000, quote: 1_000, salt: UInt64($0))
        }
        let error = #expect(throws: DexError.self) {
            try planner(.buy, 4_000, maximumOrders: 3).route(through: entries)
        }
        #expect(error?.code == "too-many-orders")
        #expect(try planner(.buy, 3_000, maximumOrders: 3).route(through: entries).legs.count == 3)
    }

    @Test("a confirmed payment is never exceeded, nor its minimum undercut")
    func confirmed() throws {
        let expensive = try #require(try entry(.buy, base: 1_000_000, quote: 1_009_000, salt: 1))
        let bounds = { (minimum: UInt256) in
            MarketPlanner.Confirmed(
                pay: 1_000_000,
                minimumReceive: minimum,
                maximumFee: 0,
                cost: 1_000_000,
                worst: expensive.price
            )
        }
        let route = try planner(.buy, 1_000_000, confirmed: bounds(991_000))
            .route(through: [expensive])
        #expect(route.pay == 1_000_000)
        #expect(route.receive >= 991_000)
        let error = #expect(throws: DexError.self) {
            try planner(.buy, 1_000_000, confirmed: bounds(992_000)).route(through: [expensive])
        }
        #expect(error?.code == "book-moved")
    }

    @Test("a spend is never exceeded, and all of it is used but a rounding, in 400 random books")
    func spends() throws {
        var random = SystemRandom(seed: 31)
        var checked = 0
        for round in 0..<400 {
            let entries = try book(.buy, random: &random)
            let spend = UInt256(random.next(in: 1_000...40_000_000))
            let planner = planner(.buy, 0, limit: .slippage([0, 50, 100, 500][round % 4]))
            let sized: MarketPlanner
            do {
                sized = try planner.sized(spending: spend, through: entries)
            } catch {
                // Refused only if all orders together cost less.
                let all = entries.reduce(UInt256.zero) { $0 + $1.fillableTaker }
                #expect(error.code == "thin-book" && all < spend, "round \(round): \(error)")
                continue
            }
            checked += 1
            let route = try sized.route(through: entries)
            #expect(route.maximumCost <= spend, "round \(round)")
            #expect(route.receive >= sized.amount, "round \(round)")
            // One unit of payment an order is lost to rounding, and a millionth may stay.
            let slack = UInt256(UInt64(route.legs.count)) + spend / 1_000_000 + 1
            #expect(route.maximumCost + slack >= spend, "round \(round)")
        }
        #expect(checked > 100)
    }

    @Test("a spend that buys nothing, or has no order to buy from, is refused with exit 6")
    func spendRefusals() throws {
        let entry = try #require(try entry(.buy, base: 7, quote: 3_000, salt: 1))
        let small = #expect(throws: DexError.self) {
            try planner(.buy, 0).sized(spending: 100, through: [entry])
        }
        #expect(small?.code == "spend-too-small" && small?.exit == .refused)
        let none = #expect(throws: DexError.self) {
            try planner(.buy, 0).sized(spending: 100, through: [])
        }
        #expect(none?.code == "no-liquidity")
        let limit = try #require(Price(quote: 1, base: 1))
        let expensive = #expect(throws: DexError.self) {
            try planner(.buy, 0, limit: .price(limit)).sized(spending: 3_000, through: [entry])
        }
        #expect(expensive?.code == "price-limit")
        let thin = #expect(throws: DexError.self) {
            try planner(.buy, 0).sized(spending: 6_000, through: [entry])
        }
        #expect(thin?.code == "thin-book" && thin?.hint?.contains("--spend 0.") == true)
    }

    @Test("an amount that the contract would refuse for its rounding is lowered to an exact one")
    func rounding() throws {
        // 1 quote unit buys 3 base units; 10 of the order's 7 quote units leave a remainder.
        let entry = try #require(try entry(.sell, base: 3_000, quote: 7, salt: 1))
        // 1,000 base bring 2.33 quote: an error of 14 %.
        #expect(Self.protocolV1.hasRoundingError(entry.order, filling: 1_000))
        #expect(throws: DexError.self) { try planner(.sell, 1_000).route(through: [entry]) }
        #expect(try planner(.sell, 3_000).route(through: [entry]).receive == 7)
    }

    @Test(
        "prices are read exactly, whatever the decimals",
        arguments: [
            ("0.0025", 18, 18, "25", "10000"), ("2500", 18, 6, "2500", "1000000000000"),
            ("1", 6, 18, "1000000000000", "1"), ("0.5", 0, 1, "5", "1"),
        ] as [(String, UInt8, UInt8, String, String)]
    )
    func priceText(
        text: String,
        baseDecimals: UInt8,
        quoteDecimals: UInt8,
        quote: String,
        base: String
    ) throws {
        let token = { (decimals: UInt8) in
            Token(address: .zero, symbol: "T", name: "", decimals: decimals)
        }
        let pair = Pair(base: token(baseDecimals), quote: token(quoteDecimals))
        let price = try PriceBounds.price(text, pair: pair)
        let expected = Price(
            quote: try #require(UInt256(decimal: quote)),
            base: try #require(UInt256(decimal: base))
        )
        #expect(price == expected)
    }

    @Test(
        "what is no price is refused with exit 2",
        arguments: [
            "", "0", "0.0", "-1", "1e5", "1,5", ".", "1.2.3", String(repeating: "9", count: 90),
        ]
    )
    func badPrices(text: String) {
        let error = #expect(throws: DexError.self) {
            try PriceBounds.price(text, pair: Pair(base: Self.base, quote: Self.quote))
        }
        #expect(error?.code == "bad-price")
        #expect(error?.exit == .usage)
    }
}
