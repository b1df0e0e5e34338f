import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Conditions of alerts, against a verified book")
struct AlertCheckTests {
    private let market: TestMarket
    private static let pair = PairAddresses(base: TestMarket.zrx, quote: TestMarket.weth)

    init() throws {
        market = try TestMarket()
        for maker in market.makers {
            for token in [TestMarket.zrx, TestMarket.weth] {
                market.fund(
                    maker.address,
                    token,
                    balance: TestMarket.units("1000000"),
                    allowance: .max
                )
            }
        }
    }

    private func book() async throws -> BookSnapshot {
        try await BookReader(session: try market.session()).snapshot(of: try market.zrxWeth())
    }

    /// Bid 0.098, ask 0.102, so mid 0.1 and spread 4 %.
    private func usual(
        bids: [any SignedOrder] = [],
        asks: [any SignedOrder] = []
    ) async throws -> BookSnapshot {
        market.setBook(
            bids: bids + [try await market.bid(by: market.makers[0], "1000", for: "98")],
            asks: asks + [try await market.ask(by: market.makers[1], "1000", for: "102")]
        )
        return try await book()
    }

    private func verdict(
        _ text: String,
        _ book: BookSnapshot
    ) async throws -> AlertVerdict? {
        let parsed = try await AlertParser(session: try market.session()).parse(text)
        return AlertCheck.verdict(parsed.condition, in: book)
    }

    @Test(
        "mid, bid, ask and spread are compared exactly",
        arguments: [
            ("ZRX/WETH < 0.1", AlertVerdict.fails(value: "0.1")),
            ("ZRX/WETH <= 0.1", .holds(value: "0.1")),
            ("ZRX/WETH >= 0.1", .holds(value: "0.1")),
            ("ZRX/WETH > 0.1", .fails(value: "0.1")),
            ("ZRX/WETH < 0.100000000000000001", .holds(value: "0.1")),
            ("ZRX/WETH bid > 0.098", .fails(value: "0.098")),
            ("ZRX/WETH bid > 0.097999999999999999", .holds(value: "0.098")),
            ("ZRX/WETH ask < 0.103", .holds(value: "0.102")),
            ("ZRX/WETH spread > 4%", .fails(value: "4%")),
            ("ZRX/WETH spread > 3.99%", .holds(value: "4%")),
            ("ZRX/WETH spread >= 4%", .holds(value: "4%")),
        ]
    )
    func exact(text: String, expected: AlertVerdict) async throws {
        #expect(try await verdict(text, try await usual()) == expected)
    }

    @Test("orders that do not verify and crumbs say nothing")
    func hostile() async throws {
        let signed = try await market.bid(by: market.makers[2], "1000", for: "500")
        let own = try #require(signed as? SignedOrderV1)
        let other = try #require(
            try await market.bid(by: market.makers[0], "1", for: "1") as? SignedOrderV1
        )
        let forged = SignedOrderV1(terms: own.terms, signature: other.signature)
        let poor = try await market.bid(by: market.makers[3], "1000", for: "400")
        market.fund(market.makers[3].address, TestMarket.weth, balance: 0, allowance: .max)
        // 0.001 % of the side, at five times the price.
        let crumb = try await market.bid(by: market.makers[4], "0.002", for: "0.001")
        let book = try await usual(
            bids: [forged, poor, crumb]
        )
        #expect(book.dropped.count == 2)
        #expect(book.bids.count == 2)
        #expect(try await verdict("ZRX/WETH bid > 0.098", book) == .fails(value: "0.098"))
        #expect(try await verdict("ZRX/WETH > 0.1", book) == .fails(value: "0.1"))
    }

    @Test("a book without the side that counts leaves the condition unknown")
    func thin() async throws {
        market.setBook(asks: [try await market.ask(by: market.makers[1], "1000", for: "102")])
        let book = try await book()
        let noBid = AlertVerdict.unknown("The book of ZRX/WETH has no bid that can be filled.")
        for text in ["ZRX/WETH < 1", "ZRX/WETH bid < 1", "ZRX/WETH spread > 1%"] {
            #expect(try await verdict(text, book) == noBid, "\(text)")
        }
        #expect(try await verdict("ZRX/WETH ask < 1", book) == .holds(value: "0.102"))
        #expect(try await verdict("WETH/ZRX ask < 1", book) == nil)
        #expect(try await verdict("fill ZRX/WETH", book) == nil)
    }

    @Test("a crossed book has no spread, and never a negative one")
    func crossed() async throws {
        let book = try await usual(
            bids: [try await market.bid(by: market.makers[2], "1000", for: "110", salt: 9)]
        )
        #expect(try await verdict("ZRX/WETH spread > 0%", book) == .fails(value: "0%"))
        #expect(try await verdict("ZRX/WETH spread < 1%", book) == .holds(value: "0%"))
    }

    @Test("a balance is compared in base units")
    func balance() throws {
        let condition = AlertCondition.balance(nil, .less, "0.5")
        let half = TestMarket.units("0.5")
        #expect(
            AlertCheck.verdict(condition, balance: half, of: .coin(.ether))
                == .fails(value: "0.5 ETH")
        )
        #expect(
            AlertCheck.verdict(condition, balance: half - 1, of: .coin(.ether))
                == .holds(value: "0.499999999999999999 ETH")
        )
        let zrx = Currency.token(try market.zrxWeth().base)
        #expect(AlertCheck.verdict(condition, balance: 0, of: zrx) == nil)
    }

    // MARK: A screen's alerts

    private func alert(_ id: Int64, _ text: String, isArmed: Bool = true) async throws
        -> JournalAlert
    {
        let parsed = try await AlertParser(session: try market.session()).parse(text)
        return JournalAlert(
            id: id,
            chainID: 1337,
            exchange: TestMarket.exchange,
            account: nil,
            condition: parsed.condition,
            text: parsed.text,
            isOnce: false,
            created: 5,
            isArmed: isArmed
        )
    }

    @Test("a screen's alert fires at the crossing, and again after its condition was false")
    func monitor() async throws {
        var monitor = AlertMonitor([
            try await alert(1, "ZRX/WETH bid > 0.1"),
            try await alert(2, "ZRX/WETH bid < 1", isArmed: false),
        ])
        let low = try await usual()
        let high = try await usual(
            bids: [try await market.bid(by: market.makers[2], "1000", for: "101", salt: 9)]
        )
        market.setBook()
        let empty = try await book()
        #expect(monitor.fire(in: low).isEmpty)
        let fired = FiredAlert(id: 1, text: "ZRX/WETH bid > 0.1", value: "0.101")
        #expect(monitor.fire(in: high) == [fired])
        #expect(monitor.fire(in: high).isEmpty)
        // Nothing is known of an empty book: it arms nothing.
        #expect(monitor.fire(in: empty).isEmpty)
        #expect(monitor.fire(in: high).isEmpty)
        monitor.replace(monitor.alerts)
        #expect(monitor.fire(in: high).isEmpty)
        #expect(monitor.fire(in: low).isEmpty)
        #expect(monitor.fire(in: high) == [fired])
        monitor.replace([])
        #expect(monitor.fire(in: low).isEmpty)
    }
}
