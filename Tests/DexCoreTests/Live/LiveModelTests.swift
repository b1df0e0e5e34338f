import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The full screen's state and keys")
struct LiveModelTests {
    let market: TestMarket
    let pair: Pair

    init() throws {
        market = try TestMarket()
        pair = try market.zrxWeth()
    }

    private func model(canSign: Bool = true) -> LiveModel {
        LiveModel(
            LiveState(
                network: "sandbox",
                account: market.trader.address,
                accountName: "dave",
                canSign: canSign,
                pairText: "ZRX/WETH",
                freshness: LiveFreshness(blockTime: 1_000, elapsed: 0),
                now: TestMarket.now
            ),
            slippage: "1"
        )
    }

    /// A model with a book of two asks and two bids, one of them our own.
    func loaded(canSign: Bool = true) async throws -> LiveModel {
        let asks = [
            try await market.ask(by: market.makers[0], "100", for: "1"),
            try await market.ask(by: market.makers[1], "100", for: "2"),
        ]
        let bids = [
            try await market.bid(by: market.makers[2], "200", for: "1"),
            try await market.bid(by: market.trader, "400", for: "1"),
        ]
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
        market.fundTrader(zrx: .max, weth: .max, allowance: .max)
        market.setBook(bids: bids, asks: asks)
        let snapshot = try await BookReader(session: market.session())
            .snapshot(of: pair, account: market.trader.address)
        var model = model(canSign: canSign)
        _ = model.take(.resized(columns: 80, rows: 24))
        _ = model.take(.feed(.head(snapshot.block, gasPrice: nil), generation: 0))
        _ = model.take(.feed(.book(LiveBook(snapshot)), generation: 0))
        _ = model.take(.feed(.confirmed(elapsed: 0), generation: 0))
        return model
    }

    func press(_ model: inout LiveModel, _ text: String) -> [LiveEffect] {
        text.reduce(into: []) { effects, character in
            effects += model.take(.key(.character(character)))
        }
    }

    // MARK: The cursor

    @Test("the cursor walks from the best ask down to the bids, and back")
    func cursor() async throws {
        var model = try await loaded()
        #expect(model.state.cursor.map { [$0.side == .buy ? 1 : 0, $0.rank] } == [1, 0])
        _ = model.take(.key(.character("k")))
        #expect(model.state.cursor.map { [$0.side == .buy ? 1 : 0, $0.rank] } == [1, 1])
        // The worst ask is the end.
        _ = model.take(.key(.up))
        #expect(model.state.cursor?.rank == 1)
        _ = press(&model, "jj")
        #expect(model.state.cursor.map { [$0.side == .buy ? 1 : 0, $0.rank] } == [0, 0])
        _ = model.take(.key(.down))
        #expect(model.state.cursor.map { [$0.side == .buy ? 1 : 0, $0.rank] } == [0, 1])
    }

    @Test("up to a level: amount, average and cost, without our own orders")
    func total() async throws {
        var model = try await loaded()
        _ = press(&model, "k")
        let book = try #require(model.state.book)
        let cursor = try #require(model.state.cursor)
        let total = book.total(upTo: cursor)
        #expect(total.base == TestMarket.units("200"))
        #expect(total.quote == TestMarket.units("3"))
        let own = try #require(LiveModel.cursor(.sell, 1, book))
        #expect(book.total(upTo: own).base == TestMarket.units("200"))
    }

    @Test("the cursor stays on its order when a better one comes")
    func stays() async throws {
        var model = try await loaded()
        let hash = try #require(model.state.cursor?.hash)
        let better = try await market.ask(by: market.makers[4], "100", for: "0.9", salt: 9)
        market.fund(market.makers[4].address, TestMarket.zrx, balance: .max)
        let key = HoldingKey(owner: better.maker, token: TestMarket.zrx)
        let shown = LiveBook.Shown(
            order: better,
            state: OrderState(filled: 0, cancelled: 0, remaining: better.takerAmount)
        )
        _ = model.take(
            .feed(
                .changes([
                    .shown([shown], holdings: [key: Holding(balance: .max, allowance: .max)])
                ]),
                generation: 0
            )
        )
        #expect(model.state.book?.asks.count == 3)
        #expect(model.state.cursor?.hash == hash)
        #expect(model.state.cursor?.rank == 1)
    }

    // MARK: Entry

    @Test("b enters a limit order at the cursor's price, and Enter asks for its plan")
    func limit() async throws {
        var model = try await loaded()
        #expect(press(&model, "b").isEmpty)
        #expect(press(&model, "12.5").isEmpty)
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("no entry is open")
            return
        }
        #expect(entry.side == .buy)
        #expect(entry.text(.amount) == "12.5")
        #expect(entry.text(.price) == "0.01")
        let effects = model.take(.key(.enter))
        guard case .plan(let asked)? = effects.first else {
            Issue.record("no plan is asked for")
            return
        }
        #expect(asked.text(.amount) == "12.5")
        #expect(effects.count == 1)
    }

    @Test("m prefills what the asks up to the cursor hold")
    func market() async throws {
        var model = try await loaded()
        _ = press(&model, "km")
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("no entry is open")
            return
        }
        #expect(entry.kind == .market)
        #expect(entry.text(.amount) == "200")
        #expect(entry.text(.slippage) == "1")
    }

    @Test(
        "the first key replaces what is prefilled; one that moves in it keeps it",
        arguments: [
            ([Key.character("2"), .character("0")], "20"), ([.paste("3.5")], "3.5"),
            ([.backspace], ""), ([.delete, .character("7")], "7"),
            ([.end, .character("5")], "2005"), ([.left, .backspace], "20"),
            // Coming back selects it again.
            ([.end, .tab, .backTab, .character("9")], "9"),
        ] as [([Key], String)]
    )
    func prefilled(keys: [Key], amount: String) async throws {
        var model = try await loaded()
        _ = press(&model, "km")
        for key in keys { #expect(model.take(.key(key)).isEmpty) }
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("no entry is open")
            return
        }
        #expect(entry.text(.amount) == amount)
    }

    @Test("while a field is open only its keys work")
    func onlyItsKeys() async throws {
        var model = try await loaded()
        _ = press(&model, "b")
        let effects = press(&model, "qx?/p")
        #expect(effects.isEmpty)
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("a key closed the entry")
            return
        }
        #expect(entry.text(.amount) == "qx?/p")
        #expect(model.state.frozen == nil)
    }

    @Test("a paste goes into a field as one line, and is no key elsewhere")
    func paste() async throws {
        var model = try await loaded()
        #expect(model.take(.key(.paste("q\nb1\n"))).isEmpty)
        #expect(model.state.mode.isBrowsing)
        _ = press(&model, "b")
        #expect(model.take(.key(.paste("1\n2\u{1B}[A"))).isEmpty)
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("the paste closed the entry")
            return
        }
        #expect(entry.text(.amount) == "12")
    }

    @Test("an empty field is named, and no plan is made")
    func missing() async throws {
        var model = try await loaded()
        _ = press(&model, "b")
        #expect(model.take(.key(.enter)).isEmpty)
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("the entry is gone")
            return
        }
        #expect(entry.problem == "The amount is missing.")
    }

    @Test(
        "nothing is entered without a key, from a frozen book, or from an old one",
        arguments: ["key", "frozen", "time", "blocks", "none"]
    )
    func obstacles(what: String) async throws {
        var model = try await loaded(canSign: what != "key")
        switch what {
        case "frozen": _ = press(&model, "p")
        case "time": _ = model.take(.tick(now: TestMarket.now, elapsed: 60_000))
        case "blocks":
            let block = try #require(model.state.freshness.head)
            let later = Block(
                number: block.number + 3,
                hash: block.hash,
                parentHash: block.parentHash,
                timestamp: block.timestamp,
                baseFeePerGas: nil,
                gasLimit: 0,
                gasUsed: 0
            )
            _ = model.take(.feed(.head(later, gasPrice: nil), generation: 0))
        case "none":
            _ = press(&model, "/A/B")
            _ = model.take(.key(.enter))
        default: break
        }
        for key in "bsm" {
            let effects = press(&model, String(key))
            #expect(effects.isEmpty)
            #expect(model.state.mode.isBrowsing)
            #expect(model.state.note?.isFailure == true)
        }
    }

    @Test("news that all is as before show nothing; a book that gets old or fresh does")
    func revision() async throws {
        var model = try await loaded()
        func shown(_ event: LiveEvent) -> Bool {
            let before = model.state.revision
            _ = model.take(event)
            return model.state.revision != before
        }
        let source = WatchSource(following: ["a"], polling: [], interval: 500)
        let error = NetworkError.noRelay(network: "sandbox")
        #expect(shown(.feed(.source(source), generation: 0)))
        #expect(!shown(.feed(.source(source), generation: 0)))
        #expect(!shown(.feed(.trouble(.book, nil), generation: 0)))
        #expect(shown(.feed(.trouble(.book, error), generation: 0)))
        #expect(!shown(.feed(.trouble(.book, error), generation: 0)))
        #expect(shown(.feed(.trouble(.book, nil), generation: 0)))
        #expect(!shown(.feed(.confirmed(elapsed: 1_000), generation: 0)))
        #expect(!shown(.tick(now: TestMarket.now + 60, elapsed: 60_000)))
        #expect(shown(.feed(.confirmed(elapsed: 60_000), generation: 0)))
        #expect(
            !shown(
                .feed(.head(try #require(model.state.book?.block), gasPrice: nil), generation: 7)
            )
        )
        #expect(shown(.key(.character("j"))))
    }

    @Test("a picture waits for the book, its block, how it is followed, and all that is beside it")
    func whole() async throws {
        let model = try await loaded()
        var state = model.state
        let error = NetworkError.noRelay(network: "sandbox")
        state.freshness.confirmed = 0
        state.source = WatchSource(following: ["a"], polling: [], interval: 500)
        for source in LiveSource.allCases { state.troubles[source] = error }
        #expect(state.isWhole(venue: true))
        let parts: [LiveSource] = [.trades, .venue, .orders, .balances, .transactions]
        for part in parts {
            var lacking = state
            lacking.troubles[part] = nil
            (lacking.trades, lacking.orders, lacking.balances) = (nil, nil, nil)
            (lacking.transactions, lacking.venue) = (nil, nil)
            #expect(!lacking.isWhole(venue: true), "\(part)")
            #expect(lacking.isWhole(venue: false) == (part == .venue), "\(part)")
        }
        func changed(_ change: (inout LiveState) -> Void) -> Bool {
            var lacking = state
            change(&lacking)
            return lacking.isWhole(venue: true)
        }
        #expect(!changed { $0.book = nil })
        #expect(!changed { $0.source = nil })
        #expect(!changed { $0.freshness.confirmed = nil })
        #expect(!changed { ($0.freshness.head, $0.troubles[.chain]) = (nil, nil) })
        // A feed that has neither begun nor failed is waited for, but not for ever.
        func connecting(_ elapsed: UInt64) -> Bool {
            changed {
                $0.source = WatchSource(
                    following: [],
                    polling: ["a"],
                    connecting: ["a"],
                    interval: 500
                )
                $0.freshness.elapsed = elapsed
            }
        }
        let begun = state.freshness.begun
        #expect(!connecting(begun) && !connecting(begun + 9_999))
        #expect(connecting(begun + 10_000))
    }

    @Test("a failed plan brings the entry back, with what is wrong")
    func failedPlan() async throws {
        var model = try await loaded()
        _ = press(&model, "b1")
        _ = model.take(.key(.enter))
        _ = model.take(.notPlanned(NetworkError.noRelay(network: "x")))
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("the entry is gone")
            return
        }
        #expect(entry.problem != nil)
        #expect(entry.text(.amount) == "1")
    }

    @Test("a failed send leaves no dialog open")
    func failedSend() async throws {
        var model = try await planned()
        _ = model.take(.painted)
        _ = press(&model, "yes")
        let effects = model.take(.key(.enter))
        guard case .carryOut? = effects.first, case .working = model.state.mode else {
            Issue.record("it is not sent")
            return
        }
        _ = model.take(.failed(NetworkError.noRelay(network: "x")))
        #expect(model.state.mode.isBrowsing)
        #expect(model.state.note?.isFailure == true)
    }

    // MARK: The plan

    /// A model that shows the plan of a limit order.
    func planned() async throws -> LiveModel {
        var model = try await loaded()
        _ = press(&model, "b1")
        _ = model.take(.key(.enter))
        let live = try LiveMarket()
        live.setBook(
            bids: [try await live.bid(0, "1000", for: "0.9")],
            asks: [try await live.ask(1, "1000", for: "1.1")]
        )
        live.relay.set { state in
            state.fees = .success(.none)
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let context = OperationContext(
            session: try live.session(),
            journal: live.journal,
            settings: TradeSettings()
        )
        let plan = try await context.plan(
            .limit(LimitRequest(side: .buy, pair: "ZRX/WETH", amount: "1", price: "0.001")),
            account: live.trader.address
        )
        _ = model.take(.planned(plan))
        return model
    }

    @Test(
        "only the whole word signs; anything else signs nothing",
        arguments: ["y", "", "yess", "no"]
    )
    func otherWords(text: String) async throws {
        var model = try await planned()
        _ = model.take(.painted)
        _ = press(&model, text)
        #expect(model.take(.key(.enter)).isEmpty)
        #expect(model.state.mode.isBrowsing)
        #expect(model.state.note?.text == "Nothing was signed.")
    }

    @Test("what is typed before the plan is seen does not sign it")
    func typedAhead() async throws {
        var model = try await planned()
        _ = press(&model, "yes")
        #expect(model.take(.key(.enter)).isEmpty)
        guard case .plan(_, let line, _) = model.state.mode else {
            Issue.record("the plan is gone")
            return
        }
        #expect(line.string.isEmpty)
    }

    @Test("a pasted word signs nothing")
    func pastedWord() async throws {
        var model = try await planned()
        _ = model.take(.painted)
        #expect(model.take(.key(.paste("yes\n"))).isEmpty)
        #expect(model.take(.key(.enter)).isEmpty)
        #expect(model.state.note?.text == "Nothing was signed.")
    }

    @Test("a plan that comes after Esc is dropped")
    func latePlan() async throws {
        var model = try await loaded()
        _ = press(&model, "b1")
        _ = model.take(.key(.enter))
        guard case .dropPlan? = model.take(.key(.escape)).first else {
            Issue.record("the plan is still made")
            return
        }
        _ = model.take(.key(.escape))
        #expect(model.state.mode.isBrowsing)
    }

    // MARK: Pairs and keys

    @Test("another pair empties the screen, and late news of the old one are left out")
    func otherPair() async throws {
        var model = try await loaded()
        let old = try #require(model.state.book)
        _ = press(&model, "/DAI/WETH")
        let effects = model.take(.key(.enter))
        guard case .follow(let pair, let generation)? = effects.first else {
            Issue.record("no pair is followed")
            return
        }
        #expect(pair == "DAI/WETH")
        #expect(generation == 1)
        _ = model.take(.feed(.book(old), generation: 0))
        #expect(model.state.book == nil)
    }

    @Test("a frozen book stays as it is, and goes on where it would be")
    func freeze() async throws {
        var model = try await loaded()
        let hash = try #require(model.state.cursor?.hash)
        _ = press(&model, "p")
        _ = model.take(.feed(.changes([.removed([hash])]), generation: 0))
        #expect(model.state.shownBook?.asks.count == 2)
        _ = press(&model, "p")
        #expect(model.state.shownBook?.asks.count == 1)
        #expect(model.state.cursor?.hash != hash)
    }

    @Test("y copies the hash of what is selected")
    func copy() async throws {
        var model = try await loaded()
        let hash = try #require(model.state.cursor?.hash)
        guard case .copy(let text)? = press(&model, "y").first else {
            Issue.record("nothing is copied")
            return
        }
        #expect(text == hash.hex)
    }

    @Test("x asks for a cancel of our own order only")
    func cancel() async throws {
        var model = try await loaded()
        #expect(press(&model, "x").isEmpty)
        #expect(model.state.note?.isFailure == true)
        _ = press(&model, "jj")
        guard case .planCancel(let hash)? = press(&model, "x").first else {
            Issue.record("no cancel is planned")
            return
        }
        #expect(hash == model.state.cursor?.hash)
    }

    @Test("every key of the table is one action's only, and has a help")
    func table() {
        let keys = LiveAction.allCases.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        for action in LiveAction.allCases {
            #expect(action.help.hasSuffix("."))
            for key in action.keys { #expect(LiveAction.of(key) == action) }
        }
    }
}
