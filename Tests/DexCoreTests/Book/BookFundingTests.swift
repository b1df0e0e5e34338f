import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a book can fill")
struct BookFundingTests {
    let market: TestMarket
    let zrxWeth: Pair

    init() throws {
        market = try TestMarket()
        zrxWeth = try market.zrxWeth()
    }

    private func snapshot(
        account: Address? = nil,
        sides: Set<TradeSide> = [.buy, .sell],
        settings: ReadSettings = ReadSettings()
    ) async throws -> BookSnapshot {
        try await BookReader(session: market.session(), settings: settings)
            .snapshot(of: zrxWeth, account: account, sides: sides)
    }

    private func units(_ text: String) -> UInt256 {
        TestMarket.units(text)
    }

    // MARK: One order

    @Test(
        "the least of what is left, the balance and the allowance can be filled",
        arguments: [
            // filled WETH, balance ZRX, allowance ZRX: ZRX that can be filled
            ("0", "100", "100", "100", []),
            ("0.5", "100", "100", "50", [OrderFlag.partlyFilled]),
            ("0", "30", "100", "30", [.partlyFunded]),
            ("0", "100", "20", "20", [.partlyFunded]),
            ("0.9", "30", "20", "10", [.partlyFilled]),
            ("0.9", "5", "20", "5", [.partlyFunded, .partlyFilled]),
        ] as [(String, String, String, String, [OrderFlag])]
    )
    func minimumOfThree(
        filled: String,
        balance: String,
        allowance: String,
        fillable: String,
        flags: [OrderFlag]
    ) async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "100", for: "1")
        market.use(ask, filled: units(filled))
        market.fund(
            maker.address,
            TestMarket.zrx,
            balance: units(balance),
            allowance: units(allowance)
        )
        market.setBook(asks: [ask])

        let entry = try #require(try await snapshot().asks.first)

        #expect(entry.fillableMaker == units(fillable))
        #expect(entry.fillableTaker == units(fillable) / 100)
        #expect(entry.flags == flags)
    }

    @Test("what cannot be filled at all is dropped, with the reason")
    func dropped() async throws {
        let makers = market.makers
        let used = try await market.ask(by: makers[0], "1", for: "1")
        let broke = try await market.ask(by: makers[1], "1", for: "1")
        let locked = try await market.ask(by: makers[2], "1", for: "1")
        let expired = try await market.ask(by: makers[3], "1", for: "1", expiresIn: 0)
        market.use(used, filled: units("0.4"), cancelled: units("0.6"))
        market.fund(makers[0].address, TestMarket.zrx, balance: .max)
        market.fund(makers[1].address, TestMarket.zrx, balance: 0)
        market.fund(makers[2].address, TestMarket.zrx, balance: .max, allowance: 0)
        market.setBook(asks: [used, broke, locked, expired])

        let book = try await snapshot()

        #expect(book.asks.isEmpty)
        #expect(book.verified == 4)
        let codes = Dictionary(
            uniqueKeysWithValues: book.dropped.map { ($0.orderHash ?? used.hash, $0.reason.code) }
        )
        #expect(
            codes == [
                used.hash: "filled-or-cancelled", broke.hash: "unfunded", locked.hash: "unfunded",
                expired.hash: "expired",
            ]
        )
    }

    @Test("a token that does not answer drops its orders and nothing else")
    func unreadableToken() async throws {
        let makers = market.makers
        let good = try await market.ask(by: makers[0], "1", for: "1")
        market.fund(makers[0].address, TestMarket.zrx, balance: .max)
        let answers: [Result<[UInt8], ChainError>] = [
            .failure(.reverted(data: [], message: "execution reverted")),
            .failure(.rpc(code: -32_000, message: "out of gas")),
            .failure(.rpc(code: 3, message: "execution reverted: header not found")),
            .success([]),
            .success([1, 2, 3]),
        ]
        var asks = [good]
        for (number, answer) in zip(UInt64(20)..., answers) {
            let maker = try TestMarket.signer(number)
            asks.append(try await market.ask(by: maker, "1", for: "1"))
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.chain.answer(
                TestMarket.zrx,
                ERC20.balanceOf(maker.address),
                with: answer
            )
        }
        market.setBook(asks: asks)

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [good.hash])
        #expect(book.dropped.map(\.reason.code) == Array(repeating: "unreadable", count: 5))
    }

    // MARK: Shared balances

    @Test("the orders of one maker share its balance, the best first")
    func netting() async throws {
        let (maker, other) = (market.makers[0], market.makers[1])
        let best = try await market.ask(by: maker, "60", for: "0.6")
        let second = try await market.ask(by: maker, "60", for: "0.66")
        let third = try await market.ask(by: maker, "60", for: "0.72")
        let foreign = try await market.ask(by: other, "60", for: "0.69")
        market.fund(maker.address, TestMarket.zrx, balance: units("100"))
        market.fund(other.address, TestMarket.zrx, balance: units("60"))
        market.setBook(asks: [third, second, foreign, best])

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [best.hash, second.hash, foreign.hash])
        #expect(book.asks.map(\.fillableMaker) == [units("60"), units("40"), units("60")])
        #expect(book.asks.map(\.flags) == [[], [.partlyFunded], []])
        #expect(book.dropped.map(\.orderHash) == [third.hash])
    }

    @Test("a rest that is too small to round is told as such; a pool that is, as unfunded")
    func rounding() async throws {
        let (maker, other) = (market.makers[0], market.makers[1])
        // 10 units for 3,000: a fill of 3,000 - 1 would pay 9.997 and round to 9.
        let used = try await market.order(
            by: maker,
            give: (TestMarket.zrx, 10),
            get: (TestMarket.weth, 3_000)
        )
        market.use(used, filled: 2_999)
        let short = try await market.order(
            by: other,
            give: (TestMarket.zrx, 3_000),
            get: (TestMarket.weth, 10_000)
        )
        market.fund(maker.address, TestMarket.zrx, balance: 10)
        market.fund(other.address, TestMarket.zrx, balance: 1)
        market.setBook(asks: [used, short])

        let book = try await snapshot()

        #expect(book.asks.isEmpty)
        let codes = Dictionary(
            uniqueKeysWithValues: book.dropped.map { ($0.orderHash ?? used.hash, $0.reason.code) }
        )
        #expect(codes == [used.hash: "rounding", short.hash: "unfunded"])
    }

    @Test("an allowance is shared as a balance is")
    func nettedAllowance() async throws {
        let maker = market.makers[0]
        let best = try await market.ask(by: maker, "60", for: "0.6")
        let second = try await market.ask(by: maker, "60", for: "0.66")
        market.fund(
            maker.address,
            TestMarket.zrx,
            balance: units("1000"),
            allowance: units("70")
        )
        market.setBook(asks: [best, second])

        let book = try await snapshot()

        #expect(book.asks.map(\.fillableMaker) == [units("60"), units("10")])
    }

    @Test("a maker fee in the maker token comes out of the same pool")
    func feeFromOnePool() async throws {
        let maker = market.makers[0]
        // 90 ZRX and 10 ZRX of fee, of a maker that has 50: half of it.
        let ask = try await market.ask(
            by: maker,
            "90",
            for: "9",
            fees: TestMarket.fees(maker: "10")
        )
        let next = try await market.ask(by: maker, "90", for: "10")
        market.fund(maker.address, TestMarket.zrx, balance: units("50"))
        market.setBook(asks: [ask, next])

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [ask.hash])
        #expect(book.asks.first?.fillableMaker == units("45"))
        #expect(book.asks.first?.fillableTaker == units("4.5"))
        #expect(book.dropped.map(\.reason.code) == ["unfunded"])
    }

    @Test("a maker fee in another token limits the fill by that token")
    func feeFromAnotherPool() async throws {
        let maker = market.makers[0]
        let bid = try await market.bid(
            by: maker,
            "100",
            for: "1",
            fees: TestMarket.fees(maker: "10")
        )
        let unpaid = try await market.bid(
            by: market.makers[1],
            "100",
            for: "1",
            fees: TestMarket.fees(maker: "10")
        )
        market.fund(maker.address, TestMarket.weth, balance: units("1"))
        market.fund(maker.address, TestMarket.zrx, balance: units("4"))
        market.fund(market.makers[1].address, TestMarket.weth, balance: units("1"))
        market.fund(market.makers[1].address, TestMarket.zrx, balance: 0)
        market.setBook(bids: [bid, unpaid])

        let book = try await snapshot()

        #expect(book.bids.map(\.fillableTaker) == [units("40")])
        #expect(book.bids.map(\.fillableMaker) == [units("0.4")])
        #expect(book.bids.map(\.flags) == [[.partlyFunded]])
        #expect(book.dropped.map(\.orderHash) == [unpaid.hash])
    }

    @Test("both sides draw on one pool where a bid pays its fee in the token that an ask sells")
    func poolOfBothSides() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "30", for: "3")
        let bid = try await market.bid(
            by: maker,
            "100",
            for: "1",
            fees: TestMarket.fees(maker: "20")
        )
        market.fund(maker.address, TestMarket.zrx, balance: units("40"))
        market.fund(maker.address, TestMarket.weth, balance: units("1"))
        market.setBook(bids: [bid], asks: [ask])

        let both = try await snapshot()
        let bidsOnly = try await snapshot(sides: [.sell])

        // 30 of 40 ZRX go to the ask, so that 10 pay half of the bid's fee.
        #expect(both.asks.map(\.fillableMaker) == [units("30")])
        #expect(both.bids.map(\.fillableTaker) == [units("50")])
        #expect(bidsOnly.bids.map(\.fillableTaker) == [units("100")])
    }

    @Test("an order that is only shown does not take the funds of one that can be taken")
    func shownOrdersDrawLast() async throws {
        let maker = market.makers[0]
        let expiring = try await market.ask(by: maker, "100", for: "1", expiresIn: 60)
        let lasting = try await market.ask(by: maker, "80", for: "0.9")
        market.fund(maker.address, TestMarket.zrx, balance: units("100"))
        market.setBook(asks: [expiring, lasting])

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [expiring, lasting].map(\.hash))
        #expect(book.asks.map(\.fillableMaker) == [units("20"), units("80")])
    }

    // MARK: Flags

    @Test("orders that expire soon, are for others, are ours or are dust are marked, not taken")
    func flags() async throws {
        let maker = market.makers[0]
        let soon = try await market.ask(by: maker, "1", for: "0.010", expiresIn: 120)
        let later = try await market.ask(by: maker, "1", for: "0.011", expiresIn: 121)
        let own = try await market.ask(by: market.trader, "1", for: "0.012")
        let forUs = try await market.order(
            by: maker,
            give: (TestMarket.zrx, TestMarket.unit),
            get: (TestMarket.weth, units("0.013")),
            taker: market.trader.address
        )
        let forOther = try await market.order(
            by: maker,
            give: (TestMarket.zrx, TestMarket.unit),
            get: (TestMarket.weth, units("0.014")),
            taker: market.makers[3].address
        )
        // Its worth in ether is below 50,000 gas at 1 gwei.
        let dust = try await market.ask(by: maker, "0.000001", for: "0.00000002")
        market.fundTrader(zrx: .max, allowance: .max)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [soon, later, own, forUs, forOther, dust])

        let book = try await snapshot(account: market.trader.address)

        #expect(
            book.asks.map(\.order.hash) == [soon, later, own, forUs, forOther, dust].map(\.hash)
        )
        #expect(
            book.asks.map(\.flags) == [[.expiring], [], [.own], [], [.otherTaker], [.dust]]
        )
        #expect(book.asks.map(\.isTakeable) == [false, true, false, true, false, false])
    }

    @Test("without an account every order for a single taker is for another")
    func privateOrders() async throws {
        let maker = market.makers[0]
        let order = try await market.order(
            by: maker,
            give: (TestMarket.zrx, TestMarket.unit),
            get: (TestMarket.weth, TestMarket.unit),
            taker: market.trader.address
        )
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [order])

        #expect(try await snapshot().asks.map(\.flags) == [[.otherTaker]])
    }

    @Test("the margin before expiry can be set")
    func margin() async throws {
        let maker = market.makers[0]
        let order = try await market.ask(by: maker, "1", for: "1", expiresIn: 300)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [order])

        let usual = try await snapshot()
        let wide = try await snapshot(settings: ReadSettings(expiryMargin: 300))
        let widest = try await snapshot(settings: ReadSettings(expiryMargin: .max))

        #expect(usual.asks.map(\.flags) == [[]])
        #expect(wide.asks.map(\.flags) == [[.expiring]])
        #expect(widest.asks.map(\.flags) == [[.expiring]])
    }

    @Test("on a chain that stands still, what our clock calls expired is shown and not taken")
    func idleChain() async throws {
        let maker = market.makers[0]
        let order = try await market.ask(by: maker, "1", for: "1", expiresIn: 600)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [order])
        try await market.clock.environment.sleep(500_000)

        #expect(try await snapshot().asks.map(\.flags) == [[.expiring]])
        try await market.clock.environment.sleep(500_000)
        #expect(try await snapshot().asks.map(\.flags) == [[.expiring]])
    }

    // MARK: Hostile numbers

    @Test("amounts, fees and balances up to 2^256 - 1 never trap and never promise too much")
    func hugeNumbers() async throws {
        let maker = market.makers[0]
        let values: [UInt256] = [1, 2, 1_000_000, TestMarket.unit, .max / 2, .max - 1, .max]
        var asks: [any SignedOrder] = []
        var salt: UInt256 = 0
        for makerAmount in values {
            for takerAmount in values {
                for fee: UInt256 in [0, 1, .max] {
                    salt += 1
                    let order = try await market.order(
                        by: maker,
                        give: (TestMarket.zrx, makerAmount),
                        get: (TestMarket.weth, takerAmount),
                        fees: OrderFees(
                            recipient: TestMarket.feeRecipient,
                            makerFee: fee,
                            takerFee: fee
                        ),
                        expiry: .max,
                        salt: salt
                    )
                    market.use(
                        order,
                        filled: salt.isMultiple(of: 5) ? .max : 0,
                        cancelled: salt.isMultiple(of: 10) ? .max : 0
                    )
                    asks.append(order)
                }
            }
        }
        for balance in [0, 1, .max / 3, .max] as [UInt256] {
            market.fund(maker.address, TestMarket.zrx, balance: balance)
            market.setBook(asks: asks)

            let book = try await snapshot()

            #expect(book.asks.count + book.dropped.count == asks.count)
            var paid: UInt256 = 0
            for entry in book.asks {
                #expect(entry.fillableTaker <= entry.order.takerAmount)
                #expect(entry.fillableMaker != 0)
                let fee = market.protocolV1.makerFee(
                    of: entry.order,
                    filling: entry.fillableTaker
                )
                for part in [entry.fillableMaker, fee] {
                    let (sum, overflow) = paid.addingReportingOverflow(part)
                    #expect(!overflow)
                    paid = sum
                }
            }
            #expect(paid <= balance)
        }
    }
}
