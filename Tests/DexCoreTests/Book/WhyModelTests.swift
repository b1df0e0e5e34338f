import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Why an order can or cannot be filled")
struct WhyModelTests {
    let market: TestMarket
    let store = TemporaryJournal()
    let maker: PrivateKeySigner

    init() throws {
        market = try TestMarket()
        maker = market.makers[0]
        for owner in [maker.address, market.trader.address] {
            market.fund(owner, TestMarket.zrx, balance: TestMarket.units("1000"))
            market.fund(owner, TestMarket.weth, balance: TestMarket.units("1000"))
        }
        market.chain.set { state in
            state.ether[market.trader.address] = Wei(5)
            state.pendingNonces[market.trader.address] = 0
        }
    }

    /// - Parameter isOurs: the trader made it; else a maker did, and the trader asks.
    private func why(
        _ order: any SignedOrder,
        isOurs: Bool = false,
        onRelay: Bool = true
    ) async throws -> WhyState {
        if isOurs {
            try store.journal.save(
                JournalOrder(
                    chainID: 1337,
                    exchange: TestMarket.exchange,
                    hash: order.hash,
                    maker: order.maker,
                    wire: market.protocolV1.encodeOrder(order).text,
                    created: TestMarket.now
                )
            )
        }
        market.relay.set { $0.orders[order.hash] = .success(onRelay ? order : nil) }
        return try await WhyModel(session: try market.session(), journal: store.journal)
            .load(order.hash, account: market.trader.address)
    }

    private func units(_ text: String) -> UInt256 { TestMarket.units(text) }

    @Test("an order of somebody else that can be filled comes with the command that fills it")
    func fillable() async throws {
        let order = try await market.ask(by: maker, "100", for: "1")
        let state = try await why(order)
        #expect(state.reason == .fillable)
        #expect(state.isFillable)
        #expect(state.sentence == "It can be filled.")
        #expect(state.remedy == "dex fill \(order.hash)")
        #expect(state.block == TestMarket.head)
    }

    @Test("an own order that waits needs nothing; off the relay it needs to be handed over")
    func own() async throws {
        let order = try await market.ask(by: market.trader, "100", for: "1")
        let waiting = try await why(order, isOurs: true)
        #expect(waiting.reason == .fillable)
        #expect(waiting.remedy == nil)
        let hidden = try await why(order, isOurs: true, onRelay: false)
        #expect(hidden.reason == .notOnRelay)
        #expect(hidden.isFillable)
        #expect(hidden.remedy == "dex order \(order.hash) --json")
    }

    @Test("filled, cancelled and expired orders are over, whatever else is wrong with them")
    func over() async throws {
        market.fund(maker.address, TestMarket.zrx, balance: 0)
        let filled = try await market.ask(by: maker, "100", for: "1", salt: 1)
        let cancelled = try await market.ask(by: maker, "100", for: "1", salt: 2)
        let expired = try await market.ask(by: maker, "100", for: "1", expiresIn: 0, salt: 3)
        market.use(filled, filled: units("1"))
        market.use(cancelled, filled: units("0.4"), cancelled: units("0.6"))

        let states = [try await why(filled), try await why(cancelled), try await why(expired)]

        #expect(states.map(\.reason) == [.filled, .cancelled, .expired])
        #expect(states.allSatisfy { !$0.isFillable })
        #expect(states.allSatisfy { $0.remedy == "dex orderbook ZRX/WETH" })
    }

    @Test("an own order that is over is placed anew")
    func placeAnew() async throws {
        let order = try await market.ask(by: market.trader, "100", for: "1", expiresIn: 0)
        let state = try await why(order, isOurs: true)
        #expect(state.remedy == "dex place-limit sell ZRX/WETH 100 --price P")
    }

    @Test("a short balance of ours is mended by wrapping, or by buying what is missing")
    func balance() async throws {
        market.fund(market.trader.address, TestMarket.zrx, balance: 0)
        market.fund(market.trader.address, TestMarket.weth, balance: 0)
        let ask = try await market.ask(by: market.trader, "100", for: "1")
        let bid = try await market.bid(by: market.trader, "100", for: "1.5")

        let zrx = try await why(ask, isOurs: true)
        let weth = try await why(bid, isOurs: true)

        #expect(zrx.reason == .makerBalance)
        #expect(!zrx.isFillable)
        #expect(
            zrx.sentence == "Your balance is short: 0 ZRX of the 100 ZRX that are needed."
        )
        #expect(zrx.remedy == "dex market-buy ZRX/WETH 100")
        #expect(weth.reason == .makerBalance)
        #expect(weth.remedy == "dex wrap 1.5")
    }

    @Test("a short allowance of ours is mended by setting it to what is left")
    func allowance() async throws {
        market.fund(
            market.trader.address,
            TestMarket.zrx,
            balance: units("1000"),
            allowance: 0
        )
        let order = try await market.ask(by: market.trader, "100", for: "1")
        market.use(order, filled: units("0.25"))
        let state = try await why(order, isOurs: true)
        #expect(state.reason == .makerAllowance)
        #expect(
            state.sentence
                == "Your allowance to the transfer contract is short: 0 ZRX of the 75 ZRX that "
                + "are needed."
        )
        #expect(state.remedy == "dex allowance set ZRX 75")
    }

    @Test("what somebody else lacks cannot be mended")
    func othersShort() async throws {
        market.fund(maker.address, TestMarket.zrx, balance: 0)
        let state = try await why(try await market.ask(by: maker, "100", for: "1"))
        #expect(state.reason == .makerBalance)
        #expect(
            state.sentence == "Its maker's balance is short: 0 ZRX of the 100 ZRX that are needed."
        )
        #expect(state.remedy == nil)
    }

    @Test("a part that is funded can be taken, and the sentence says what limits it")
    func partly() async throws {
        market.fund(maker.address, TestMarket.zrx, balance: units("40"))
        let order = try await market.ask(by: maker, "100", for: "1")
        let state = try await why(order)
        #expect(state.reason == .partlyFunded)
        #expect(state.isFillable)
        #expect(state.row.standing == .halfFunded)
        #expect(state.row.base(ofTaker: state.row.fillable).raw == units("40"))
        #expect(
            state.sentence
                == "A part of it can be filled: 40 ZRX of the 100 ZRX that are left. Its maker's "
                + "balance is short: 40 ZRX of the 100 ZRX that are needed."
        )
        #expect(state.remedy == "dex fill \(order.hash)")
    }

    @Test("a maker needs what the fill moves, which the contract rounds down, and no more")
    func roundedDown() async throws {
        let order = try await market.ask(by: maker, "100", for: "3")
        market.use(order, filled: 1)
        // Of 3 WETH less one wei it pays out 33.3 base units less, of which it keeps the 34th.
        let needs = units("100") - 34
        market.fund(maker.address, TestMarket.zrx, balance: needs)
        #expect(try await why(order).reason == .fillable)
        market.fund(maker.address, TestMarket.zrx, balance: .max, allowance: needs)
        #expect(try await why(order).reason == .fillable)
        market.fund(maker.address, TestMarket.zrx, balance: needs - 1)
        let state = try await why(order)
        #expect(state.reason == .partlyFunded)
        #expect(
            state.sentence.hasSuffix(
                "short: 99.999999999999999965 ZRX of the 99.999999999999999966 ZRX that are needed."
            )
        )
    }

    @Test("the fee counts: of two things that are short the one that leaves less is told")
    func fee() async throws {
        market.fund(market.trader.address, TestMarket.zrx, balance: units("1"), allowance: 0)
        market.fund(market.trader.address, TestMarket.weth, balance: units("0.5"))
        let order = try await market.bid(
            by: market.trader,
            "100",
            for: "1",
            fees: TestMarket.fees(maker: "1")
        )
        let state = try await why(order, isOurs: true)
        #expect(state.reason == .makerFeeAllowance)
        #expect(state.remedy == "dex allowance set ZRX 1")
        market.fund(market.trader.address, TestMarket.zrx, balance: 0)
        #expect(try await why(order, isOurs: true).reason == .makerFeeBalance)
        market.fund(market.trader.address, TestMarket.zrx, balance: units("0.9"))
        market.fund(market.trader.address, TestMarket.weth, balance: 0)
        #expect(try await why(order, isOurs: true).reason == .makerBalance)
    }

    @Test("a fee in the token that is given comes out of the same balance")
    func onePool() async throws {
        market.fund(market.trader.address, TestMarket.zrx, balance: units("100"))
        let order = try await market.ask(
            by: market.trader,
            "100",
            for: "1",
            fees: TestMarket.fees(maker: "10")
        )
        let state = try await why(order, isOurs: true)
        #expect(state.reason == .partlyFunded)
        #expect(state.remedy == "dex market-buy ZRX/WETH 10")
    }

    @Test("an order for another taker is his alone")
    func otherTaker() async throws {
        let other = market.makers[1].address
        let order = try await market.order(
            by: maker,
            give: (TestMarket.zrx, units("100")),
            get: (TestMarket.weth, units("1")),
            taker: other
        )
        let state = try await why(order)
        #expect(state.reason == .otherTaker)
        #expect(state.sentence == "Only \(other.checksummed) may fill it.")
        #expect(state.remedy == "dex fill \(order.hash) --wallet \(other.checksummed)")
    }

    @Test("who has nothing to pay with is told")
    func takerBalance() async throws {
        market.fund(market.trader.address, TestMarket.weth, balance: 0)
        let state = try await why(try await market.ask(by: maker, "100", for: "1"))
        #expect(state.reason == .takerBalance)
        #expect(state.isFillable)
        #expect(state.remedy == "dex wrap 1")
    }

    @Test("an order that is about to expire is taken by no command: the setting is named")
    func expiring() async throws {
        let state = try await why(try await market.ask(by: maker, "100", for: "1", expiresIn: 60))
        #expect(state.reason == .expiring)
        #expect(
            state.sentence == "It expires in 60 s, which is within your margin of 120 s "
                + "(trade.expiry_margin): neither market orders nor `dex fill` take it."
        )
        #expect(state.remedy == "dex config set trade.expiry_margin 30")
        let own = try await why(
            try await market.ask(by: market.trader, "100", for: "1", expiresIn: 60),
            isOurs: true
        )
        #expect(own.reason == .expiring)
        #expect(own.sentence.hasPrefix("It expires in 60 s: takers who keep a margin"))
        #expect(own.remedy?.hasPrefix("dex place-limit sell ZRX/WETH") == true)
    }

    @Test("a rest that the exchange refuses for its rounding error is cancelled")
    func rounding() async throws {
        let order = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, 3),
            get: (TestMarket.weth, 1_000)
        )
        market.use(order, filled: 999)
        let state = try await why(order, isOurs: true)
        #expect(state.reason == .rounding)
        #expect(state.remedy == "dex cancel \(order.hash)")
    }

    @Test("a token that does not answer is told")
    func unreadable() async throws {
        market.chain.answer(TestMarket.zrx, ERC20.balanceOf(maker.address), with: .success([]))
        let state = try await why(try await market.ask(by: maker, "100", for: "1"))
        #expect(state.reason == .unreadableToken)
        #expect(state.sentence == "The contract of ZRX does not return its maker's balance.")
    }

    @Test("an order that nobody knows, or that is forged, is an error")
    func errors() async throws {
        let order = try await market.ask(by: maker, "100", for: "1")
        market.relay.set { $0.orders[order.hash] = .success(nil) }
        await #expect {
            _ = try await WhyModel(session: try market.session(), journal: nil)
                .load(order.hash, account: nil)
        } throws: { ($0 as? DexError)?.code == "unknown-order" }
        let signed = try #require(order as? SignedOrderV1)
        var terms = signed.terms
        terms.salt = 99
        let forged = SignedOrderV1(terms: terms, signature: signed.signature)
        market.relay.set { state in
            state.orders[forged.hash] = .success(forged)
            state.onOrders = { _ in .success(RelayOrders(orders: [forged])) }
        }
        await #expect {
            _ = try await WhyModel(session: try market.session(), journal: nil)
                .load(forged.hash, account: nil)
        } throws: { ($0 as? DexError)?.code == "bad-signature" }
    }
}
