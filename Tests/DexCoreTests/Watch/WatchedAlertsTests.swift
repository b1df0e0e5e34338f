import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Alerts fire once when their condition becomes true")
struct WatchedAlertsTests {
    private let stage: WatchStage
    private var market: TestMarket { stage.market }

    init() throws {
        stage = try WatchStage()
        for maker in market.makers {
            market.fund(
                maker.address,
                TestMarket.weth,
                balance: TestMarket.units("1000000"),
                allowance: .max
            )
            market.fund(
                maker.address,
                TestMarket.zrx,
                balance: TestMarket.units("1000000"),
                allowance: .max
            )
        }
        stage.fund(TestMarket.units("1000"))
    }

    private func model() throws -> AlertsModel {
        AlertsModel(session: try market.session(), journal: stage.store.journal)
    }

    @discardableResult
    private func add(_ text: String, isOnce: Bool = false) async throws -> JournalAlert {
        let parsed = try await AlertParser(session: try market.session()).parse(text)
        let model = try model()
        return try model.add(model.alert(parsed, account: stage.account, isOnce: isOnce))
    }

    /// A book with a bid and an ask of so much WETH for 1,000 ZRX.
    private func price(_ bid: String, _ ask: String, salt: UInt256 = 1) async throws {
        market.setBook(
            bids: [try await market.bid(by: market.makers[0], "1000", for: bid, salt: salt)],
            asks: [try await market.ask(by: market.makers[1], "1000", for: ask, salt: salt)]
        )
    }

    private var troubles: [WatchStatus] {
        stage.statuses.filter { if case .begun = $0 { false } else { true } }
    }

    @Test("at the crossing, across restarts, and again only after it was false")
    func edge() async throws {
        let alert = try await add("ZRX/WETH < 0.1")
        var reported: [[String]] = []
        for (number, bid, ask) in [
            (101, "99", "103"), (102, "98", "101"), (103, "97", "101"), (104, "99", "101"),
            (105, "97", "101"),
        ] as [(UInt64, String, String)] {
            try await price(bid, ask, salt: UInt256(number))
            stage.mine(number)
            // Each look is a process of its own.
            reported.append(try await stage.look().map(\.word))
        }
        #expect(reported == [[], ["alert"], [], [], ["alert"]])
        let notices = stage.sink.notices
        #expect(
            notices.map { $0.event.alert }
                == ["0.0995", "0.099"].map {
                    FiredAlert(id: alert.id, text: "ZRX/WETH < 0.1", value: $0)
                }
        )
        #expect(notices.map { $0.event.place.block.number } == [102, 105])
        #expect(Set(notices.map(\.message.id)).count == 2)
        #expect(try model().list().map(\.turn) == [2])
        #expect(troubles.isEmpty)
    }

    @Test("a condition that holds when it is added fires at the first check, and --once removes it")
    func once() async throws {
        try await price("98", "101")
        stage.mine(101)
        #expect(try await stage.look().isEmpty)
        try await add("ZRX/WETH bid < 0.1", isOnce: true)
        try await add("ZRX/WETH bid > 0.1", isOnce: true)
        // No block came in between.
        #expect(try await stage.look().map(\.word) == ["alert"])
        #expect(try model().list().map(\.text) == ["ZRX/WETH bid > 0.1"])
        stage.mine(102)
        #expect(try await stage.look().isEmpty)
    }

    @Test("a relay that is down and a book without bids fire nothing, and are reported once each")
    func down() async throws {
        try await add("ZRX/WETH < 1")
        try await price("98", "102")
        let good = stage
        market.relay.set { $0.book = .failure(.unreachable(url: "u", reason: "down")) }
        let stage = stage
        let market = market
        let ask = try await market.ask(by: market.makers[1], "1000", for: "102")
        let bid = try await market.bid(by: market.makers[0], "1000", for: "98")
        market.clock.onSleep { number in
            switch number {
            case 2: market.setBook(asks: [ask])
            case 4: market.setBook(bids: [bid], asks: [ask])
            case 6: throw CancellationError()
            default: break
            }
            stage.mine(101 + UInt64(number))
        }
        try await stage.model(WatchSettings(interval: 1_000))
            .follow(stage.account, from: .journal)
        #expect(good.sink.notices.map(\.word) == ["alert"])
        #expect(
            troubles == [
                .alertsUnknown("The relay at u cannot be reached: down."),
                .alertsUnknown("The book of ZRX/WETH has no bid that can be filled."),
                .alertsKnown,
            ]
        )
    }

    @Test("a price that fired in a block that a reorganization removes is not taken back")
    func reorganization() async throws {
        try await add("ZRX/WETH < 0.1")
        try await price("97", "101")
        stage.mine(101)
        #expect(try await stage.look().map(\.word) == ["alert"])
        stage.cut(above: 100)
        stage.mine(101, fork: 1)
        stage.mine(102, fork: 1)
        #expect(try await stage.look().isEmpty)
        #expect(try model().list().map(\.isArmed) == [false])
    }

    @Test("balances of the account, in its tokens and in ether")
    func balances() async throws {
        try await add("balance ZRX < 1000")
        try await add("balance ETH < 1")
        stage.mine(101)
        let first = try await stage.look()
        #expect(first.map { $0.event.alert?.value } == ["0 ETH"])
        stage.fund(TestMarket.units("999.5"))
        stage.mine(102)
        #expect(try await stage.look().map { $0.event.alert?.value } == ["999.5 ZRX"])
        // The alert of another account is none of this one's.
        let other = JournalAlert(
            chainID: 1337,
            exchange: TestMarket.exchange,
            account: stage.other,
            condition: .balance(TestMarket.zrx, .less, "1000000000"),
            text: "balance ZRX < 1000000000",
            isOnce: false,
            created: 1
        )
        _ = try stage.store.journal.add(other)
        stage.mine(103)
        #expect(try await stage.look().isEmpty)
    }

    @Test(
        "with --alerts a sink gets alerts and the events that an alert waits for, and their undoing"
    )
    func onlyAlerts() async throws {
        let only = WatchSettings(tellsOnlyAlerts: true)
        let order = try await stage.own()
        try await add("fill ZRX/WETH", isOnce: true)
        #expect(try await stage.look(from: .journal, only).isEmpty)
        func fill(_ block: UInt64, _ transaction: UInt64) {
            stage.mine(
                block,
                transaction: transaction,
                [
                    market.fillLog(order, taker: stage.other, filling: TestMarket.units("0.1")),
                    stage.transfer(from: stage.account, to: stage.other, TestMarket.units("5")),
                ]
            )
        }
        fill(101, 1)
        #expect(try await stage.look(from: .journal, only).map(\.word) == ["fill"])
        // It was to fire once.
        #expect(try model().list().isEmpty)
        fill(102, 2)
        #expect(try await stage.look(from: .journal, only).isEmpty)
        // Of what a sink was told it learns that it is undone.
        stage.cut(above: 100)
        stage.mine(101, fork: 1)
        stage.mine(102, fork: 1)
        stage.mine(103, fork: 1)
        #expect(try await stage.look(from: .journal, only).map(\.word) == ["undone fill"])
    }

    @Test("two watchers of two accounts report an alert of a book once")
    func watchers() async throws {
        try await add("ZRX/WETH < 0.1")
        try await price("97", "101")
        market.chain.set { [other = stage.other] chain in
            chain.ether[other] = .zero
            chain.minedNonces[other] = 0
        }
        stage.mine(101)
        let model = try stage.model()
        #expect(try await model.once(stage.account, from: .journal) == [])
        #expect(try await model.once(stage.other, from: .journal) == [])
        #expect(stage.sink.notices.map(\.word) == ["alert"])
    }

    @Test("no number is found that is not there, and none is used twice")
    func numbers() async throws {
        let first = try await add("fill")
        let model = try model()
        try model.remove(first.id)
        let second = try await add("fill")
        #expect(second.id > first.id)
        let error = #expect(throws: DexError.self) { try model.remove(first.id) }
        #expect(error?.code == "no-such-alert")
        #expect(error?.hint == "It has \(second.id): see `dex alert list`.")
    }
}
