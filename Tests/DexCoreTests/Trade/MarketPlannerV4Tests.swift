import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport
@testable import ZeroEx

@Suite("The market planner where each order is filled by its own amount")
struct MarketPlannerV4Tests {
    private static let zeroEx = ZeroExV4(
        domain: ExchangeDomainV4(chainID: 1337, exchange: TestMarket.exchange),
        signatureKind: .ethSign
    )
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

    private func planner(
        _ side: TradeSide,
        _ amount: UInt256,
        limit: MarketPlanner.Limit = .slippage(100),
        backupPercent: UInt64 = 20,
        confirmed: MarketPlanner.Confirmed? = nil
    ) -> MarketPlanner {
        MarketPlanner(
            exchangeProtocol: Self.zeroEx,
            contracts: ExchangeContracts(
                exchange: TestMarket.exchange,
                transferContract: TestMarket.exchange,
                feeToken: nil
            ),
            pair: Pair(base: Self.base, quote: Self.quote),
            side: side,
            amount: amount,
            limit: limit,
            backupPercent: backupPercent,
            maximumOrders: 50,
            confirmed: confirmed
        )
    }

    /// An entry of an order by its amounts of base and quote, the fee in what its taker pays.
    private func entry(
        _ side: TradeSide,
        base: UInt128,
        quote: UInt128,
        salt: UInt64,
        fee: UInt128 = 0,
        fillable: UInt256? = nil
    ) throws -> BookEntry {
        let isBuy = side == .buy
        let terms = LimitOrderV4(
            makerToken: isBuy ? TestMarket.zrx : TestMarket.weth,
            takerToken: isBuy ? TestMarket.weth : TestMarket.zrx,
            makerAmount: isBuy ? base : quote,
            takerAmount: isBuy ? quote : base,
            takerTokenFeeAmount: fee,
            maker: TestMarket.proxy,
            feeRecipient: TestMarket.feeRecipient,
            expiry: .max,
            salt: UInt256(salt)
        )
        let order = SignedOrderV4(
            terms: terms,
            domain: Self.zeroEx.domain,
            signature: SignatureV4(type: 3, v: 27, r: .zero, s: .zero)
        )
        let fill = min(fillable ?? order.takerAmount, order.takerAmount)
        let pricing = OrderPricing(base: TestMarket.zrx, quote: TestMarket.weth)
        return BookEntry(
            order: order,
            state: OrderState(filled: 0, cancelled: 0, remaining: order.takerAmount),
            price: try pricing.price(of: order, feeToken: order.takerToken),
            fillableTaker: fill,
            fillableMaker: Self.zeroEx.makerAmount(of: order, filling: fill) ?? 0,
            flags: []
        )
    }

    private func confirmed(_ route: TradeRoute) -> MarketPlanner.Confirmed {
        MarketPlanner.Confirmed(
            pay: route.maximumPay,
            minimumReceive: route.minimumReceive,
            maximumFee: route.maximumFee,
            cost: route.maximumCost,
            worst: route.worst
        )
    }

    /// What the contract takes and pays out: of every order that is there its own amount.
    private func contract(
        _ route: TradeRoute
    ) throws -> (paid: UInt256, received: UInt256, fee: UInt256) {
        let contracts = ExchangeContracts(
            exchange: TestMarket.exchange,
            transferContract: TestMarket.exchange,
            feeToken: nil
        )
        let call = try #require(
            route.call(mode: .skipping, exchangeProtocol: Self.zeroEx, contracts: contracts)
        )
        let effects = try #require(Self.zeroEx.effects(of: call.data))
        let cost = effects.pays.values.reduce(UInt256.zero, +)
        var sum: (paid: UInt256, received: UInt256, fee: UInt256) = (0, 0, 0)
        for leg in route.legs {
            sum.paid += leg.pay
            sum.received += Self.zeroEx.makerAmount(of: leg.order, filling: leg.pay) ?? 0
            sum.fee += Self.zeroEx.takerFee(of: leg.order, filling: leg.pay)
        }
        // Nothing but the legs is in the call.
        #expect(cost == sum.paid + sum.fee)
        return sum
    }

    private func book(_ side: TradeSide, random: inout SystemRandom) throws -> [BookEntry] {
        var entries: [BookEntry] = []
        for index in 0..<random.next(in: 1...8) {
            let base = UInt128(random.next(in: 1_000...20_000_000))
            let price = UInt128(random.next(in: 100_000...103_000))
            let quote = base * price / 100_000 + 1
            let taker = side == .buy ? quote : base
            entries.append(
                try entry(
                    side,
                    base: base,
                    quote: quote,
                    salt: index,
                    fee: random.next(in: 0...2) == 0 ? taker / 500 : 0,
                    fillable: random.next(in: 0...3) == 0 ? UInt256(taker / 2) : nil
                )
            )
        }
        return entries.sorted { side == .buy ? $0.price < $1.price : $0.price > $1.price }
    }

    @Test(
        "whichever orders are gone, the next plan keeps what was confirmed, or nothing is done",
        arguments: [TradeSide.buy, .sell]
    )
    func everyOutcome(side: TradeSide) throws {
        var random = SystemRandom(seed: side == .buy ? 21 : 22)
        var replaced = 0
        var refused = 0
        for round in 0..<400 {
            let entries = try book(side, random: &random)
            let amount = UInt256(random.next(in: 1_000...60_000_000))
            let slippage = [UInt64(0), 50, 100, 500][round % 4]
            let planner = planner(side, amount, limit: .slippage(slippage))
            guard let route = try? planner.route(through: entries) else { continue }
            checkBounds(route, side: side, slippage: slippage)
            let quoted = try contract(route)
            #expect(quoted == (route.pay, route.receive, route.fee))
            checkAmount(route, side: side, amount: amount)
            for gone in 1..<(1 << min(route.legs.count, 5)) {
                let names = route.legs.enumerated().filter { gone & (1 << $0.offset) != 0 }
                    .map(\.element.order.hash)
                let left = entries.filter { !names.contains($0.order.hash) }
                let again = self.planner(
                    side,
                    amount,
                    limit: .slippage(slippage),
                    confirmed: confirmed(route)
                )
                let next: TradeRoute
                do {
                    next = try again.route(through: left)
                } catch {
                    refused += 1
                    #expect(error.exit == .refused)
                    continue
                }
                replaced += 1
                let (paid, received, fee) = try contract(next)
                #expect(paid <= route.maximumPay)
                #expect(fee <= route.maximumFee)
                #expect(paid + fee <= route.maximumCost)
                #expect(received >= route.minimumReceive)
                // The last plan has no others behind it.
                #expect(next.backups.isEmpty && next.maximumCost == paid + fee)
                checkAmount(next, side: side, amount: amount)
            }
        }
        #expect(replaced > 100)
        #expect(refused > 100)
    }

    /// Never more than expected x (1 + slippage) per unit received, fees counted.
    private func checkBounds(_ route: TradeRoute, side: TradeSide, slippage: UInt64) {
        #expect(route.maximumPay >= route.pay && route.maximumCost >= route.cost)
        #expect(route.maximumCost <= route.maximumPay + route.maximumFee)
        #expect(
            route.maximumCost * route.receive * 10_000
                <= route.cost * route.minimumReceive * (10_000 + UInt256(slippage))
        )
        switch side {
        case .buy: #expect(route.minimumReceive == route.receive)
        case .sell: #expect(route.maximumPay == route.pay)
        }
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

    @Test("a buyer gets the amount that was asked for, and what backups cost more is said before")
    func buyerPaysMore() throws {
        let best = try entry(.buy, base: 1_000_000, quote: 1_000_000, salt: 1)
        let backup = try entry(.buy, base: 1_000_000, quote: 1_008_000, salt: 2)
        let route = try planner(.buy, 1_000_000).route(through: [best, backup])
        #expect(route.style == .batch)
        #expect(route.legs.map(\.order.hash) == [best.order.hash])
        #expect(route.backups.map(\.order.hash) == [backup.order.hash])
        #expect(route.pay == 1_000_000)
        #expect((1_008_000...1_008_001).contains(route.maximumPay))
        #expect(route.minimumReceive == 1_000_000)
        let next = try planner(.buy, 1_000_000, confirmed: confirmed(route))
            .route(through: [backup])
        #expect(next.pay == 1_008_000 && next.receive == 1_000_000)
    }

    @Test("a seller pays the amount, and what backups bring less is said before")
    func sellerGetsLess() throws {
        let best = try entry(.sell, base: 1_000_000, quote: 1_000_000, salt: 1)
        let backup = try entry(.sell, base: 1_000_000, quote: 995_000, salt: 2)
        let route = try planner(.sell, 1_000_000).route(through: [best, backup])
        #expect(route.maximumPay == 1_000_000)
        #expect((994_999...995_000).contains(route.minimumReceive))
        let next = try planner(.sell, 1_000_000, confirmed: confirmed(route))
            .route(through: [backup])
        #expect(next.pay == 1_000_000 && next.receive == 995_000)
    }

    @Test("a backup beyond the slippage does not step in, neither at the price nor over the whole")
    func dearSpares() throws {
        let best = try entry(.buy, base: 1_000_000, quote: 1_000_000, salt: 1)
        let expensive = try entry(.buy, base: 1_000_000, quote: 1_010_100, salt: 2)
        let route = try planner(.buy, 1_000_000).route(through: [best, expensive])
        #expect(route.backups.isEmpty)
        #expect(route.maximumPay == 1_000_000)
        let error = #expect(throws: DexError.self) {
            try planner(.buy, 1_000_000, confirmed: confirmed(route)).route(through: [expensive])
        }
        #expect(error?.exit == .refused)
    }

    @Test("fees are on top in the token that is paid: cost, price and bounds count them")
    func feeOnTop() throws {
        let order = try entry(.buy, base: 1_000_000, quote: 1_000_000, salt: 1, fee: 10_000)
        let cheap = try entry(.buy, base: 1_000_000, quote: 1_009_000, salt: 2)
        let route = try planner(.buy, 500_000).route(through: [cheap, order])
        #expect(route.legs.map(\.order.hash) == [cheap.order.hash])
        let both = try planner(.buy, 1_500_000).route(through: [cheap, order])
        #expect(both.pay == 1_509_000)
        #expect(both.fee == 5_000)
        #expect(both.cost == 1_514_000)
        #expect(both.average == Price(quote: 1_514_000, base: 1_500_000))
    }

    @Test("a spend bounds the cost with fees on top and with every backup that may step in")
    func spends() throws {
        var random = SystemRandom(seed: 7)
        for round in 0..<200 {
            var entries: [BookEntry] = []
            for index in 0..<random.next(in: 2...8) {
                let base = UInt128(random.next(in: 1_000_000...20_000_000))
                let quote = base * UInt128(random.next(in: 100_000...101_500)) / 100_000
                entries.append(
                    try entry(
                        .buy,
                        base: base,
                        quote: quote,
                        salt: index,
                        fee: quote * UInt128(random.next(in: 0...50)) / 10_000
                    )
                )
            }
            entries.sort { $0.price < $1.price }
            let all = entries.reduce(UInt256.zero) { $0 + $1.fillableTaker }
            let spend = all * UInt256(random.next(in: 1...90)) / 100
            let sized = try planner(.buy, 0).sized(spending: spend, through: entries)
            let route = try sized.route(through: entries)
            #expect(route.maximumCost <= spend, "round \(round)")
            // Backups cost at most the slippage of 1 % more, fees at most 0.5 %, and half again
            // for both where the bound is not reached.
            #expect(route.cost * 100 >= spend * 97, "round \(round): \(route.cost) of \(spend)")
        }
    }

    @Test("without backups asked for, nothing steps in and nothing more is paid")
    func noSpares() throws {
        let best = try entry(.buy, base: 1_000_000, quote: 1_000_000, salt: 1)
        let backup = try entry(.buy, base: 1_000_000, quote: 1_001_000, salt: 2)
        let route = try planner(.buy, 1_000_000, backupPercent: 0).route(through: [best, backup])
        #expect(route.backups.isEmpty)
        #expect(route.maximumPay == 1_000_000 && route.maximumCost == 1_000_000)
    }

    @Test("an order that fills less than it was asked for is asked for that, and others step in")
    func limits() throws {
        let best = try entry(.buy, base: 1_000_000, quote: 1_000_000, salt: 1)
        let next = try entry(.buy, base: 1_000_000, quote: 1_001_000, salt: 2)
        var planner = planner(.buy, 1_000_000)
        planner.limits = [best.order.hash: 400_000]
        let route = try planner.route(through: [best, next])
        #expect(route.legs.map(\.pay) == [400_000, 600_600])
        #expect(route.receive == 1_000_000)
        planner.limits = [best.order.hash: 0]
        #expect(
            try planner.route(through: [best, next]).legs.map(\.order.hash) == [next.order.hash]
        )
        planner.limits = [best.order.hash: 0, next.order.hash: 0]
        let error = #expect(throws: DexError.self) {
            try planner.route(through: [best, next])
        }
        #expect(error?.code == "no-liquidity")
    }

    @Test("orders of the greatest amounts trap nowhere")
    func hostileBooks() throws {
        var random = SystemRandom(seed: 98)
        let numbers: [UInt128] = [1, 2, 3, 1_000_000_007, 1 << 64, 1 << 127, .max - 1, .max]
        let pick = { (random: inout SystemRandom) in
            numbers[Int(random.next(in: 0...UInt64(numbers.count - 1)))]
        }
        for round in 0..<1_000 {
            let side: TradeSide = round % 2 == 0 ? .buy : .sell
            var entries: [BookEntry] = []
            for index in 0..<random.next(in: 1...6) {
                entries.append(
                    try entry(
                        side,
                        base: pick(&random),
                        quote: pick(&random),
                        salt: index,
                        fee: round % 3 == 0 ? 0 : pick(&random),
                        fillable: UInt256(pick(&random))
                    )
                )
            }
            entries.sort { side == .buy ? $0.price < $1.price : $0.price > $1.price }
            let amount = UInt256(pick(&random))
            guard let route = try? planner(side, amount).route(through: entries) else { continue }
            #expect(route.maximumPay >= route.pay)
            _ = try? planner(side, amount, confirmed: confirmed(route)).route(through: entries)
        }
    }
}
