import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Reading a book")
struct BookReaderTests {
    let market: TestMarket
    let zrxWeth: Pair

    init() throws {
        market = try TestMarket()
        zrxWeth = try market.zrxWeth()
    }

    private func snapshot(
        account: Address? = nil,
        sides: Set<TradeSide> = [.buy, .sell]
    ) async throws -> BookSnapshot {
        try await BookReader(session: market.session())
            .snapshot(of: zrxWeth, account: account, sides: sides)
    }

    // MARK: What it costs

    @Test("a book is two rounds, however many orders there are", arguments: [0, 1, 40])
    func rounds(count: Int) async throws {
        let maker = market.makers[0]
        var asks: [any SignedOrder] = []
        for index in 0..<count {
            asks.append(
                try await market.ask(by: maker, "1", for: "0.001", salt: UInt256(UInt64(index)))
            )
        }
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: asks)

        let book = try await snapshot()

        #expect(book.asks.count == count)
        #expect(market.chain.rounds.count == 2)
        #expect(market.relay.requests == ["orderbook"])
    }

    @Test("an account is read in the same two rounds, at the block of the book")
    func accountRounds() async throws {
        market.setBook()
        market.fundTrader(ether: "3", zrx: 5, weth: 6, allowance: 7, nonce: 9)

        let book = try await snapshot(account: market.trader.address)

        let account = try #require(book.account)
        #expect(market.chain.rounds.count == 2)
        #expect(account.address == market.trader.address)
        #expect(account.ether == Wei(TestMarket.units("3")))
        #expect(account.pendingNonce == 9)
        #expect(account.balances == [TestMarket.zrx: 5, TestMarket.weth: 6])
        #expect(account.allowances == [TestMarket.zrx: 7, TestMarket.weth: 7])
        #expect(
            book.fees?.tips
                == [
                    .low: Wei(50_000_000), .market: Wei(100_000_000), .high: Wei(2_000_000_000),
                ]
        )
        #expect(book.fees?.gasPrice == Wei(1_000_000_000))
        let atBlock = market.chain.rounds[1].allSatisfy { read in
            switch read {
            case .block(let tag), .balance(_, let tag), .call(_, let tag):
                tag == .number(TestMarket.head)
            default: false
            }
        }
        #expect(atBlock)
    }

    @Test("a node without a fee history leaves the tips empty")
    func noFeeHistory() async throws {
        market.setBook()
        market.fundTrader()
        market.chain.set {
            $0.feeHistory = .failure(.rpc(code: -32_601, message: "method not found"))
        }

        let book = try await snapshot(account: market.trader.address)

        #expect(book.fees?.tips == [:])
        #expect(book.fees?.baseFee == Wei(1_000_000_000))
    }

    // MARK: Believing nothing

    @Test("orders that do not hold are dropped, each with its reason")
    func hostileOrders() async throws {
        let (maker, other) = (market.makers[0], market.makers[1])
        let good = try await market.ask(by: maker, "1", for: "0.001")
        let foreign = try await market.order(
            by: maker,
            give: (TestMarket.zrx, 1),
            get: (TestMarket.weth, 1),
            exchange: TestMarket.proxy
        )
        let zero = try await market.order(
            by: maker,
            give: (TestMarket.zrx, 1),
            get: (TestMarket.weth, 0)
        )
        let usdc = try await market.order(
            by: maker,
            give: (TestMarket.usdc, 1),
            get: (TestMarket.weth, 1)
        )
        let signed = try #require(good as? SignedOrderV1)
        var terms = signed.terms
        terms.takerAmount -= 1
        let cheaper = SignedOrderV1(terms: terms, signature: signed.signature)
        var stolen = signed.terms
        stolen.maker = other.address
        let forged = SignedOrderV1(terms: stolen, signature: signed.signature)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(
            bids: [usdc],
            asks: [good, foreign, zero, cheaper, forged, good],
            unreadable: [.missing(field: "maker"), .notAnOrder]
        )
        answerZeroToTheRest()

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [good.hash])
        #expect(book.bids.isEmpty)
        #expect(book.received == 9)
        #expect(book.verified == 1)
        #expect(
            book.dropped.map(\.reason.code).sorted() == [
                "bad-signature", "bad-signature", "duplicate", "malformed", "malformed",
                "wrong-exchange", "wrong-tokens", "zero-amount",
            ]
        )
        #expect(book.dropped.allSatisfy { !$0.reason.words.isEmpty })
        let hashes = Set(book.dropped.compactMap(\.orderHash))
        #expect(hashes == Set([usdc, foreign, zero, cheaper, forged, good].map(\.hash)))
    }

    @Test("of many entries that cannot be read ten are shown, and all are counted")
    func manyUnreadable() async throws {
        market.setBook(
            bids: [],
            asks: [],
            unreadable: (0..<25).map { .missing(field: "field\($0)") }
        )
        answerZeroToTheRest()

        let book = try await snapshot()

        #expect(book.received == 25)
        #expect(book.dropped.count == 11)
        #expect(book.dropped.orderCount == 25)
        #expect(book.dropped.prefix(10).allSatisfy { $0.count == 1 })
        #expect(book.dropped.last?.count == 15)
        #expect(book.dropped.last?.reason.words == "15 more entries cannot be read either.")
        #expect(book.dropped.allSatisfy { $0.reason.code == "malformed" && $0.orderHash == nil })
    }

    @Test("an order in the wrong list is put where its tokens say")
    func wrongList() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "1", for: "0.002")
        let bid = try await market.bid(by: maker, "1", for: "0.001")
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.fund(maker.address, TestMarket.weth, balance: .max)
        market.setBook(bids: [ask], asks: [bid])

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [ask.hash])
        #expect(book.bids.map(\.order.hash) == [bid.hash])
    }

    @Test("an order that comes twice is verified in each form in which it came")
    func repeatedWithAnotherSignature() async throws {
        let maker = market.makers[0]
        let good = try await market.ask(by: maker, "1", for: "0.001")
        let other = try await market.ask(by: maker, "2", for: "0.003")
        let signed = try #require(good as? SignedOrderV1)
        let wrong = try #require(other as? SignedOrderV1)
        // The same hash, and a signature over something else.
        let forged = SignedOrderV1(terms: signed.terms, signature: wrong.signature)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        for asks in [[good, forged, other], [forged, good, other]] {
            market.setBook(asks: asks)
            let book = try await snapshot()
            #expect(book.asks.map(\.order.hash) == [good.hash, other.hash])
            let kept = book.asks.first?.order as? SignedOrderV1
            #expect(kept?.signature == signed.signature)
            #expect(book.dropped.map(\.reason.code) == ["bad-signature"])
        }
    }

    /// What nobody ever did is zero on a chain; an order is asked about before it is verified.
    private func answerZeroToTheRest() {
        market.chain.set { state in
            state.onCall = { _, _ in .success([UInt8](repeating: 0, count: 32)) }
        }
    }

    @Test("many orders are verified over all cores, in their order, none lost")
    func manyOrders() async throws {
        let maker = market.makers[0]
        var asks: [any SignedOrder] = []
        for index in 1...300 {
            let order = try await market.order(
                by: maker,
                give: (TestMarket.zrx, TestMarket.unit),
                get: (TestMarket.weth, UInt256(UInt64(index)) * 1_000_000_000)
            )
            asks.append(order)
        }
        // Every seventh is changed after it was signed.
        let sent = asks.enumerated().map { index, order -> any SignedOrder in
            guard index.isMultiple(of: 7), let signed = order as? SignedOrderV1 else {
                return order
            }
            var terms = signed.terms
            terms.salt += 1
            return SignedOrderV1(terms: terms, signature: signed.signature)
        }
        let good = asks.enumerated().filter { !$0.offset.isMultiple(of: 7) }.map(\.element.hash)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: sent.reversed())
        answerZeroToTheRest()

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == good)
        #expect(book.dropped.count == 43)
        #expect(book.verified == 257)
    }

    @Test(
        "only the side that is asked for is verified and read, and the best of the other for the mid"
    )
    func oneSide() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "1", for: "0.002")
        let bid = try await market.bid(by: maker, "1", for: "0.001")
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.fund(maker.address, TestMarket.weth, balance: .max)
        market.setBook(bids: [bid], asks: [ask])

        let book = try await snapshot(sides: [.buy])

        #expect(book.entries(for: .buy).map(\.order.hash) == [ask.hash])
        #expect(book.bids.isEmpty)
        #expect(book.received == 2)
        #expect(book.verified == 1)
        #expect(book.mid?.basisPoints(from: try #require(Price(quote: 15, base: 10_000))) == 0)
        let selling = try await snapshot(sides: [.sell])
        #expect(selling.asks.isEmpty && selling.verified == 1)
        #expect(selling.mid == book.mid)
    }

    @Test(
        "the mid is of the best funded orders of both sides, whichever side is read"
    )
    func mid() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "1", for: "0.002")
        let poor = try await market.bid(by: market.makers[1], "1", for: "0.0019")
        let best = try await market.bid(by: maker, "1", for: "0.001")
        var lower: [any SignedOrder] = []
        for salt in 0..<20 as Range<UInt64> {
            lower.append(
                try await market.bid(by: maker, "1", for: "0.0005", salt: UInt256(salt + 100))
            )
        }
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.fund(maker.address, TestMarket.weth, balance: .max)
        market.fund(market.makers[1].address, TestMarket.weth, balance: 0)
        market.setBook(bids: lower + [poor, best], asks: [ask])
        let both = try await snapshot()
        let one = try await snapshot(sides: [.buy])
        #expect(both.mid != nil && both.mid == one.mid)
        // A relay that sends no bids leaves no mid.
        market.setBook(bids: [], asks: [ask])
        #expect(try await snapshot(sides: [.buy]).mid == nil)
    }

    // MARK: Order

    @Test("asks rise and bids fall; ties go by fee, then expiry, then hash")
    func sorting() async throws {
        let maker = market.makers[0]
        let expensive = try await market.ask(by: maker, "1", for: "0.003")
        let cheap = try await market.ask(by: maker, "2", for: "0.002")
        let late = try await market.ask(by: maker, "1", for: "0.002", expiresIn: 9_000)
        let early = try await market.ask(by: maker, "1", for: "0.002", expiresIn: 8_000)
        let twins = try await [
            market.ask(by: maker, "1", for: "0.002", expiresIn: 10_000, salt: 7),
            market.ask(by: maker, "1", for: "0.002", expiresIn: 10_000, salt: 8),
        ].sorted { $0.hash < $1.hash }
        let low = try await market.bid(by: maker, "1", for: "0.0001")
        let high = try await market.bid(by: maker, "1", for: "0.0002")
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.fund(maker.address, TestMarket.weth, balance: .max)
        market.setBook(
            bids: [low, high],
            asks: [expensive, twins[1], late, early, twins[0], cheap]
        )

        let book = try await snapshot()

        let expected = [cheap, early, late, twins[0], twins[1], expensive]
        #expect(book.asks.map(\.order.hash) == expected.map(\.hash))
        #expect(book.bids.map(\.order.hash) == [high, low].map(\.hash))
    }

    @Test("a taker fee in ZRX makes ZRX dearer to buy and cheaper to sell, exactly")
    func pricesAfterFees() async throws {
        let maker = market.makers[0]
        // 100 ZRX less 20 ZRX of fee for 8 WETH: 0.1 a ZRX; without the fee 0.08.
        let ask = try await market.ask(
            by: maker,
            "100",
            for: "8",
            fees: TestMarket.fees(taker: "20")
        )
        let plain = try await market.ask(by: maker, "100", for: "9")
        // 100 ZRX and 25 ZRX of fee for 5 WETH: 0.04 a ZRX; without the fee 0.05.
        let bid = try await market.bid(
            by: maker,
            "100",
            for: "5",
            fees: TestMarket.fees(taker: "25")
        )
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.fund(maker.address, TestMarket.weth, balance: .max)
        market.setBook(bids: [bid], asks: [ask, plain])

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [plain.hash, ask.hash])
        #expect(book.asks[1].price == Price(quote: 1, base: 10))
        #expect(book.bids[0].price == Price(quote: 4, base: 100))
    }

    @Test("a fee in a token outside the pair decides only among equal prices")
    func feeOutsideThePair() async throws {
        let maker = market.makers[0]
        let tokens = try market.session().tokens
        let pair = Pair(base: try tokens.resolve("WETH"), quote: try tokens.resolve("USDC"))
        var asks: [any SignedOrder] = []
        for (fee, price) in [("0", 1), ("3", 2), ("2", 2)] {
            asks.append(
                try await market.order(
                    by: maker,
                    give: (TestMarket.weth, TestMarket.unit),
                    get: (TestMarket.usdc, UInt256(UInt64(price)) * 1_000_000),
                    fees: TestMarket.fees(taker: fee)
                )
            )
        }
        market.fund(maker.address, TestMarket.weth, balance: .max)
        market.setBook(asks: asks.reversed())

        let book = try await BookReader(session: market.session()).snapshot(of: pair)

        #expect(book.asks.map(\.order.hash) == [asks[0], asks[2], asks[1]].map(\.hash))
        #expect(book.asks[1].price == Price(quote: 2_000_000, base: TestMarket.unit))
    }

    @Test("an order whose fee eats what it pays out is dropped")
    func feeTooHigh() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(
            by: maker,
            "20",
            for: "1",
            fees: TestMarket.fees(taker: "20")
        )
        market.setBook(asks: [ask])
        market.fund(maker.address, TestMarket.zrx, balance: .max)

        let book = try await snapshot()

        #expect(book.asks.isEmpty)
        #expect(book.dropped.map(\.reason.code) == ["fee-too-high"])
    }
}
