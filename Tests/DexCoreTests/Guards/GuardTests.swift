import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Guards fire once, within their limit, on the simulated chain")
struct GuardTests {
    private let market: LiveMarket

    init() throws {
        market = try LiveMarket()
    }

    private func model() throws -> GuardsModel {
        GuardsModel(session: try market.session(), journal: market.journal)
    }

    /// A stop-loss: sell 100 ZRX once the bid is 0.01 or less, at 1 % slippage.
    private func stopLoss(_ amount: String = "100") -> GuardRequest {
        GuardRequest(
            side: .sell,
            pair: "ZRX/WETH",
            amount: amount,
            trigger: .below,
            price: "0.01",
            allowsImmediate: true,
            allowsUnfunded: true
        )
    }

    @discardableResult
    private func add(_ request: GuardRequest) async throws -> JournalGuard {
        let model = try model()
        return try await model.add(
            try await model.plan(request, account: market.trader.address),
            signer: market.signer
        )
    }

    /// A book with one bid and one ask for 1,000 ZRX.
    private func price(_ bid: String, _ ask: String = "20", salt: UInt256 = 1) async throws {
        market.setBook(
            bids: [
                try await market.order(
                    by: market.makers[0],
                    give: (TestMarket.weth, bid),
                    get: (TestMarket.zrx, "1000"),
                    salt: salt
                )
            ],
            asks: [
                try await market.order(
                    by: market.makers[1],
                    give: (TestMarket.zrx, "1000"),
                    get: (TestMarket.weth, ask),
                    salt: salt
                )
            ]
        )
    }

    /// What a run of guards reported, as words.
    private final class Log: Sendable {
        private let reports = Mutex<[GuardReport]>([])

        func add(_ report: GuardReport) { reports.withLock { $0.append(report) } }

        var all: [GuardReport] { reports.withLock { $0 } }

        var words: [String] {
            all.map { report in
                switch report {
                case .begun: "begun"
                case .reached: "reached"
                case .held(_, let reason): "held: \(reason)"
                case .firing: "firing"
                case .fired(_, let outcome): "fired \(outcome.exit.rawValue)"
                case .failed(_, let error, let waits): "failed \(error.code) \(waits)"
                case .failing(let error): "failing \(error.code)"
                case .recovered: "recovered"
                }
            }
        }
    }

    /// Runs the guards; `step` happens before each look but the first, in a block of its own, and
    /// ends it by throwing.
    private func run(
        key: GuardRunner.Key? = nil,
        _ step: @escaping @Sendable (Int) throws -> Void
    ) async throws -> [String] {
        let log = Log()
        let looks = Mutex(0)
        var session = try market.session()
        session.environment.sleep = { [market] milliseconds in
            let number = looks.withLock { number in
                number += 1
                return number
            }
            // A guard that should have fired does not go on for ever.
            if number > 50 { throw CancellationError() }
            try step(number)
            try await market.clock.environment.sleep(milliseconds)
            try await market.chain.mine()
        }
        var loop = GuardLoop(
            session: session,
            journal: market.journal,
            settings: TradeSettings(),
            account: market.trader.address,
            report: { log.add($0) }
        )
        let signer = market.signer
        _ = try await loop.run(key: key ?? { signer })
        return log.words
    }

    private func zrx() async throws -> UInt256 {
        try await market.balance(TestMarket.zrx, of: market.trader.address)
    }

    // MARK: Terms

    @Test("the limit is beyond the price by the slippage, rounded against a worse price")
    func limits() throws {
        let pair = try TestMarket().zrxWeth()
        for (side, price, slippage, expected) in [
            (TradeSide.sell, "0.0007", 100, "0.00069306931"), (.buy, "0.0007", 100, "0.000707"),
            (.sell, "0.0007", 0, "0.0007"), (.buy, "0.00033333333", 33, "0.00033443332"),
            (.sell, "3", 500, "2.8571429"), (.buy, "1k", 1, "1000.1"),
        ] as [(TradeSide, String, UInt64, String)] {
            let request = GuardRequest(
                side: side,
                pair: "ZRX/WETH",
                amount: "1",
                trigger: .below,
                price: price,
                slippage: slippage,
                allowsImmediate: true,
                allowsUnfunded: true
            )
            #expect(try GuardsModel.limit(request, pair).text == expected, "\(side) \(price)")
        }
    }

    @Test("wrong numbers and a high slippage are refused, and nothing is written")
    func refusals() async throws {
        try await price("9.9")
        var requests: [(GuardRequest, String)] = []
        for (amount, price, slippage, code) in [
            ("0", "0.01", 100, "bad-amount"), ("all", "0.01", 100, "bad-amount"),
            ("0%", "0.01", 100, "bad-amount"), ("1", "0", 100, "bad-price"),
            ("1", "mid", 100, "bad-price"), ("1", "0.01", 501, "slippage-too-high"),
        ] as [(String, String, UInt64, String)] {
            var request = stopLoss(amount)
            (request.price, request.slippage) = (price, slippage)
            requests.append((request, code))
        }
        for (request, code) in requests {
            let error = await #expect(throws: DexError.self) { _ = try await add(request) }
            #expect(error?.code == code)
        }
        #expect(try model().list().isEmpty)
        var high = stopLoss()
        (high.slippage, high.allowsHighSlippage) = (501, true)
        let plan = try await model().plan(high, account: market.trader.address)
        #expect(plan.guardOrder.limit == "0.0095229026")
        #expect(plan.total == TestMarket.units("0.95229026"))
        #expect(plan.warnings.contains { $0.contains("fires in the second block") })
    }

    @Test("one that fires at once, cannot fire or cannot pay is refused without a flag")
    func useless() async throws {
        try await price("9.9")
        func code(_ change: (inout GuardRequest) -> Void) async throws -> String? {
            var request = stopLoss()
            (request.allowsImmediate, request.allowsUnfunded) = (false, false)
            change(&request)
            do {
                _ = try await model().plan(request, account: market.trader.address)
                return nil
            } catch let error as DexError {
                return error.code
            }
        }
        // The bid is 0.0099 WETH for 1,000 ZRX, below the limit of 1 %; the account has 10,000.
        #expect(try await code { _ in } == "guard-held")
        #expect(try await code { $0.slippage = 200 } == "guard-immediate")
        #expect(try await code { ($0.slippage, $0.amount) = (200, "2000") } == "guard-held")
        #expect(try await code { ($0.price, $0.trigger) = ("0.009", .above) } == "guard-immediate")
        #expect(try await code { $0.price = "0.009" } == nil)
        let poor = try await code { ($0.price, $0.amount) = ("0.009", "20k") }
        #expect(poor == "insufficient-balance")
        #expect(
            try await code { ($0.price, $0.amount, $0.allowsUnfunded) = ("0.009", "20k", true) }
                == nil
        )
        var share = stopLoss("50%")
        share.price = "0.009"
        let plan = try await model().plan(share, account: market.trader.address)
        #expect(plan.guardOrder.amount == "5000")
    }

    // MARK: Firing

    @Test("a stop-loss fires in the second block in which its price is reached, and once")
    func fires() async throws {
        try await price("11")
        let made = try await add(stopLoss())
        let low = try await market.order(
            by: market.makers[2],
            give: (TestMarket.weth, "9.95"),
            get: (TestMarket.zrx, "1000"),
            salt: 5
        )
        let before = try await zrx()
        let watched = Mutex<[Bool]>([])
        // As another process sees it.
        let others = GuardsModel(
            session: try market.session(),
            journal: Journal(path: market.journal.path)
        )
        let words = try await run { [market] number in
            let seen = try others.find(made.id)
            if seen.state == .waiting { watched.withLock { $0.append(seen.isWatched) } }
            if number == 2 { market.setBook(bids: [low]) }
        }
        #expect(words == ["begun", "reached", "firing", "fired 0"])
        #expect(watched.withLock { $0.count > 1 && !$0.contains(false) })
        #expect(try await zrx() == before - TestMarket.units("100"))
        let state = try model().find(made.id).state
        // The intent is closed once the user has seen it.
        #expect(state == .firing || state == .ended(exit: 0))
        #expect(market.node.sent.count == 1)
        // No guard is left.
        let error = await #expect(throws: DexError.self) { _ = try await run { _ in } }
        #expect(error?.code == "no-guards")
        #expect(market.node.sent.count == 1)
    }

    @Test("take-profit and purchases look at their own side of the book")
    func sides() async throws {
        try await price("9.9", "10.1")
        for (side, trigger, price, fires) in [
            (TradeSide.sell, JournalGuard.Trigger.above, "0.0098", true),
            (.sell, .above, "0.00991", false), (.sell, .below, "0.0099", true),
            (.buy, .below, "0.0102", true), (.buy, .below, "0.01", false),
            (.buy, .above, "0.0101", true), (.buy, .above, "0.0102", false),
        ] {
            var request = stopLoss()
            (request.side, request.trigger, request.price) = (side, trigger, price)
            let plan = try await model().plan(request, account: market.trader.address)
            let book = try await BookReader(session: try market.session())
                .snapshot(of: plan.pair, account: market.trader.address)
            let verdict = GuardCheck.verdict(plan.guardOrder, in: .book(book))
            #expect(verdict == (fires ? .fires : .waits), "\(side) \(trigger) \(price)")
        }
    }

    @Test("a price in one block alone, a gap, and a thin book do not fire, and are reported once")
    func holds() async throws {
        try await price("11")
        try await add(stopLoss())
        func bid(_ weth: String, _ zrx: String, _ salt: UInt256) async throws -> any SignedOrder {
            try await market.order(
                by: market.makers[2],
                give: (TestMarket.weth, weth),
                get: (TestMarket.zrx, zrx),
                salt: salt
            )
        }
        let low = try await bid("9.95", "1000", 5)
        let high = try await bid("11", "1000", 6)
        let gap = try await bid("9", "1000", 7)
        let thin = try await bid("0.5", "50", 8)
        let words = try await run { [market] number in
            switch number {
            case 1: market.setBook(bids: [low])
            case 2: market.setBook(bids: [high])
            case 3: market.setBook(bids: [gap])
            case 5: market.setBook(bids: [thin])
            case 7: market.setBook(bids: [])
            case 9: throw CancellationError()
            default: break
            }
        }
        #expect(
            words == [
                "begun", "reached",
                "held: The best bid of ZRX/WETH is 0.009, beyond its limit 0.0099009901: "
                    + "the price moved further than the slippage.",
                "held: The book buys only 50 ZRX at 0.0099009901 or better, not 100 ZRX.",
                "held: The book of ZRX/WETH has no bid that can be filled.",
            ]
        )
        #expect(market.node.sent.isEmpty)
        #expect(try model().list().map(\.state) == [.waiting])
    }

    @Test("a locked key and a relay that is down do not fire, and are reported once")
    func locked() async throws {
        try await price("9.95")
        try await add(stopLoss())
        let words = try await run(key: { nil }) { [market] number in
            switch number {
            case 4: market.relay.set { $0.book = .failure(.unreachable(url: "u", reason: "r")) }
            case 6: throw CancellationError()
            default: break
            }
        }
        #expect(
            words == [
                "begun", "reached",
                "held: The key of \(market.trader.address.checksummed) is locked.",
                "failing relay-unreachable",
            ]
        )
        #expect(try model().list().map(\.state) == [.waiting])
    }

    @Test("an order that fails before anything is signed lets the guard wait; after it, never")
    func failures() async throws {
        try await price("9.95")
        let made = try await add(stopLoss())
        let journal = market.journal
        // The same as a firing that opened its intent and got no further.
        func open() throws -> Int64 {
            try journal.open(
                JournalIntent(
                    chainID: 1337,
                    account: market.trader.address,
                    command: "guard run",
                    plan: nil,
                    created: 1
                ),
                claim: .guardian(made.id)
            )
        }
        let intent = try open()
        #expect(try model().find(made.id).state == .firing)
        #expect(throws: JournalError.guardNotWaiting(made.id)) { _ = try open() }
        // Another process may not let it wait again.
        let other = Journal(path: journal.path)
        #expect(try other.rearmGuard(made.id) == false)
        #expect(try journal.rearmGuard(made.id))
        #expect(try model().find(made.id).state == .waiting)
        try journal.close(intent: intent, exit: 6, at: 2)
        #expect(try model().find(made.id).state == .waiting)
        // The same where the failure is recorded before the guard waits again.
        let second = try open()
        try journal.close(intent: second, exit: 6, at: 3)
        #expect(try model().find(made.id).state != .waiting)
        #expect(try journal.rearmGuard(made.id))
        #expect(try model().find(made.id).state == .waiting)
    }

    @Test("a guard whose order was signed never fires again, whatever became of it")
    func lost() async throws {
        try await price("9.95")
        let made = try await add(stopLoss())
        market.node.onSend { _, _ in .lose(.nonsense("broken off")) }
        let words = try await run { _ in }
        #expect(words.prefix(3) == ["begun", "reached", "firing"], "\(words)")
        #expect(words.count == 4)
        let sent = market.node.sent
        #expect(Set(sent).count == 1)
        #expect(try market.journal.rearmGuard(made.id) == false)
        #expect(try model().find(made.id).state != .waiting)
        let error = await #expect(throws: DexError.self) { _ = try await run { _ in } }
        #expect(error?.code == "no-guards")
        #expect(Set(market.node.sent).count == 1)
    }

    @Test("two processes that see the same book fire a guard once")
    func twice() async throws {
        try await price("9.95")
        let made = try await add(stopLoss("10"))
        let session = try market.session()
        func runner(_ journal: Journal) -> GuardRunner {
            GuardRunner(
                session: session,
                journal: journal,
                settings: TradeSettings(),
                account: market.trader.address
            )
        }
        var first = runner(market.journal)
        var second = runner(Journal(path: market.journal.path))
        let log = Log()
        // Both have decided to fire.
        let signer = market.signer
        await first.fire(made, key: { signer }) { log.add($0) }
        await second.fire(made, key: { signer }) { log.add($0) }
        #expect(log.words.filter { $0.hasPrefix("fired") } == ["fired 0"])
        #expect(market.node.sent.count == 1)
        #expect(try model().list().map(\.state) == [.ended(exit: 0)])
    }
}
