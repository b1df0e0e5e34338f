import DexStore
import Ethereum
import Foundation
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

/// Order, sides, limits and CSV of lists.
@Suite("Lists")
struct ListTests {
    // MARK: Orders

    private static let usdPair = Pair(base: Fixtures.zrx, quote: Fixtures.usdc)

    private static func order(
        _ seed: UInt64,
        _ side: TradeSide,
        price: UInt64,
        amount: UInt64 = 10,
        fillable: UInt64? = nil,
        expires: UInt64 = 100,
        _ standing: OrdersState.Standing = .open,
        pair: Pair = Fixtures.pair
    ) -> OrdersState.Row {
        let (base, quote) = (Fixtures.milli(amount), Fixtures.milli(amount) / 1_000)
        let (maker, taker) = side == .sell ? (base, quote) : (quote, base)
        let (given, wanted) = side == .sell ? (pair.base, pair.quote) : (pair.quote, pair.base)
        return OrdersState.Row(
            order: FixedOrder(
                hash: Fixtures.hash(seed),
                exchange: Fixtures.address(1),
                maker: Fixtures.address(77),
                taker: .zero,
                makerToken: given.address,
                takerToken: wanted.address,
                makerAmount: maker,
                takerAmount: taker,
                feeRecipient: .zero,
                makerFee: 0,
                takerFee: 0,
                expiry: UInt256(Fixtures.now + expires),
                salt: 7
            ),
            wire: "{}",
            maker: TokenAmount(raw: maker, token: given),
            taker: TokenAmount(raw: taker, token: wanted),
            pair: pair,
            side: side,
            price: Fixtures.price(price),
            state: OrderState(filled: 0, cancelled: 0, remaining: taker),
            standing: standing,
            fillable: fillable.map { taker / 100 * UInt256($0) } ?? taker,
            flags: [],
            isOwn: false,
            isOnRelay: true
        )
    }

    private static let orders = [
        order(1, .buy, price: 1_190, amount: 30, expires: 50),
        order(2, .sell, price: 1_220, fillable: 40, expires: 10, .partlyFilled),
        order(3, .sell, price: 1_100, fillable: 0, .unfunded),
        order(4, .buy, price: 1_200, amount: 20, fillable: 90),
        order(5, .sell, price: 1_210, expires: 500),
        order(6, .sell, price: 9, pair: usdPair),
        order(7, .sell, price: 1_210, amount: 40),
    ]

    private static func key<Row>(_ name: String?, _ fields: Fields<Row>) -> SortKey<Row>? {
        fields.sorts.first { $0.name == name }
    }

    private static func shown(
        _ sort: String?,
        reversed: Bool = false,
        limit: Int? = nil
    ) -> [OrderHash] {
        var rows = orders
        _ = ListSelection(sort: key(sort, ReadJSON.order), isReversed: reversed, limit: limit)
            .apply(to: &rows)
        return rows.map(\.order.hash)
    }

    @Test(
        "each key sorts orders its way; equal ones keep their order",
        arguments: [
            // Pairs by name; what can be filled, asks, each side best first.
            ("best", [6, 5, 7, 2, 4, 1, 3]),
            ("price", [6, 3, 1, 4, 5, 7, 2]),
            ("amount", [6, 7, 1, 4, 2, 3, 5]),
            ("left", [1, 5, 6, 7, 4, 2, 3]),
            ("expires", [2, 1, 3, 4, 6, 7, 5]),
        ] as [(String, [UInt64])]
    )
    func orderKeys(sort: String, seeds: [UInt64]) {
        #expect(Self.shown(sort) == seeds.map { Fixtures.hash($0) })
        #expect(Self.shown(sort, reversed: true) == seeds.reversed().map { Fixtures.hash($0) })
    }

    @Test("the limit cuts after sorting and says how many are left")
    func limit() {
        #expect(Self.shown(nil) == Self.orders.map(\.order.hash))
        #expect(Self.shown("best", limit: 2) == [Fixtures.hash(6), Fixtures.hash(5)])
        #expect(Self.shown("best", reversed: true, limit: 1) == [Fixtures.hash(3)])
        let selection = ListSelection<OrdersState.Row>(sort: nil, isReversed: false, limit: 5)
        var rows = Self.orders
        #expect(selection.apply(to: &rows) == 2)
        #expect(selection.apply(to: &rows) == 0)
        rows = []
        #expect(selection.apply(to: &rows) == 0 && rows.isEmpty)
    }

    @Test("a side keeps its rows, and none keeps all")
    func sides() {
        #expect(Self.orders.of(.buy).map(\.side) == [.buy, .buy])
        #expect(Self.orders.of(.sell).count == 5)
        #expect(Self.orders.of(nil).count == 7)
    }

    // MARK: Other lists

    private static let trades = [
        MarketScreenTests.trade(1, at: 100, 500, price: 1_200),
        MarketScreenTests.trade(3, at: 300, 100, price: 1_300, buys: false),
        MarketScreenTests.trade(2, at: 200, 499, price: 9_000),
    ]

    @Test(
        "trades sort by time, price and both amounts",
        arguments: [
            ("time", [300, 200, 100]), ("price", [100, 300, 200]),
            ("amount", [100, 200, 300]), ("total", [200, 100, 300]),
        ] as [(String, [UInt64])]
    )
    func tradeKeys(sort: String, times: [UInt64]) {
        let selection = ListSelection(
            sort: Self.key(sort, MarketJSON.trade),
            isReversed: false,
            limit: nil
        )
        var rows = Self.trades
        let pair = MarketScreenTests.trades.pair
        #expect(selection.apply(to: &rows) { MarketJSON.Trade(trade: $0, pair: pair) } == 0)
        #expect(rows.map(\.fill.time) == times)
    }

    @Test("a profit is larger than none and than a loss; an unknown value comes last")
    func unknown() {
        let (gain, loss) = (SignedAmount(5, minus: 2), SignedAmount(2, minus: 5))
        let small = SignedAmount(2, minus: 4)
        #expect(loss < small && small < .zero && .zero < gain && !(gain < gain))
        #expect(ListComparison.precedes(loss, nil, by: >))
        #expect(!ListComparison.precedes(nil, loss, by: >))
        #expect(ListComparison.precedes(gain, nil, by: <))
        #expect(!ListComparison.precedes(nil, gain, by: <))
        #expect(!ListComparison.precedes(Int?.none, nil, by: >))
        // What is worth nothing has no value, and comes last.
        let marketValue = BalanceState.MarketValue(
            unit: .token(Fixtures.weth),
            ether: nil,
            tokens: [Fixtures.zrx.address: 7, Fixtures.usdc.address: 6],
            known: 13
        )
        func row(_ token: Token, _ balance: UInt256?) -> ReadJSON.Holding {
            ReadJSON.Holding(.init(token: token, balance: balance, allowance: 0), marketValue)
        }
        let value = Self.key("value", ReadJSON.holding)
        #expect(value?.precedes(row(Fixtures.zrx, 1), row(Fixtures.usdc, 1)) == true)
        #expect(value?.precedes(row(Fixtures.usdc, 1), row(Fixtures.zrx, 0)) == true)
        #expect(value?.precedes(row(Fixtures.weth, 1), row(Fixtures.usdc, 1)) == false)
    }

    @Test("allowances compare in human units, and all tokens are the most")
    func allowances() throws {
        func row(_ token: Token, _ allowance: UInt256?) -> MoneyJSON.Allowed {
            .own(
                .init(token: token, balance: 0, allowance: allowance),
                spender: Fixtures.address(1)
            )
        }
        let keys = MoneyJSON.allowed
        let sort = try #require(Self.key("allowance", keys))
        // 2 USDC have fewer base units than 1 ZRX.
        #expect(sort.precedes(row(Fixtures.usdc, 2_000_000), row(Fixtures.zrx, Fixtures.milli(1))))
        #expect(sort.precedes(row(Fixtures.zrx, .max), row(Fixtures.usdc, 2_000_000)))
        #expect(sort.precedes(row(Fixtures.zrx, nil), row(Fixtures.usdc, 1)))
        let token = try #require(Self.key("token", keys))
        #expect(token.precedes(row(Fixtures.usdc, 1), row(Fixtures.zrx, 2)))
    }

    // MARK: CSV

    @Test("a CSV row has what JSON has, and outside text is no formula in a spreadsheet")
    func csv() throws {
        let rows = try JSONParser.parse(
            text: #"""
                [{"a": {"value": "-1.5"}, "t": "=cmd()", "when": 1770000000, "list": ["x", "y,z"],
                  "is": true, "no": null, "object": {"b": 1}},
                 {"when": "115792089237316195423570985008687907853269984665640564039457584007913129639935",
                  "a": {"value": null, "raw": "7"},
                  "t": "-2+3", "list": []}]
                """#
        )
        func key(_ name: String) -> Field<JSONValue> {
            Field(json: name, "A key", .any) { $0[name] ?? .null }
        }
        let fields = Fields<JSONValue> {
            key("object").csv(6, "object")
            key("t").csv(1, "t")
            key("a").csv(0, "amount", "value").csv(7, "raw", "value", else: "raw")
            key("when").csv(2, "when", isTime: true)
            key("list").csv(3, "list")
            key("is").csv(4, "is")
            key("no").csv(5, "no") { $0["no"] == nil ? "none" : "" }
        }
        let table = fields.csv(rows.arrayValue ?? [])
        #expect(
            table.lines == [
                "amount,t,when,list,is,no,object,raw\r",
                "-1.5,'=cmd(),2026-02-02T02:40:00Z,\"x y,z\",true,,,-1.5\r",
                ",'-2+3,never,,,none,,7\r",
            ]
        )
    }

    @Test("the columns of a list are its fields', each in its place")
    func columns() throws {
        let state = OrdersState(block: 1, timestamp: 1, rows: [Self.orders[0]], dropped: [])
        let table = ReadJSON.orders.table(state)
        #expect(table.header == ReadJSON.order.header && table.header.count == 21)
        let fields = try #require(table.rows.first)
        #expect(fields.count == table.header.count)
        #expect(fields[2] == "buy" && fields[4] == "0.00119" && fields[8] == "WETH")
    }

    // MARK: Times

    /// An hour ahead of UTC until a time, then two hours.
    private static let berlin = LocalTime { seconds in
        seconds < 1_774_746_000
            ? .init(seconds: 3_600, name: "CET") : .init(seconds: 7_200, name: "CEST")
    }

    private func screen(_ zone: LocalTime, now: UInt64 = Fixtures.now) -> Screen {
        Screen(width: 80, style: .plain, now: now, zone: zone)
    }

    @Test("times are those of the place, with the zone's name")
    func local() {
        let berlin = screen(Self.berlin)
        #expect(TimeText.zoned(1_770_000_000, berlin) == "2026-02-02 03:40:00 CET")
        #expect(TimeText.zoned(1_774_746_000, berlin) == "2026-03-29 03:00:00 CEST")
        #expect(TimeText.zoned(.max, berlin) == "never")
        #expect(
            TimeText.expiry(1_770_003_600, berlin) == "2026-02-02 04:40:00 CET (in 1 h)"
        )
        let west = LocalTime { _ in .init(seconds: -18_000, name: "EST\u{1B}[31m") }
        #expect(TimeText.zoned(1_770_000_000, screen(west)) == "2026-02-01 21:40:00 EST")
        // Before 1970 there is no place for it.
        #expect(TimeText.zoned(5, screen(west)) == "1970-01-01 00:00:05 EST")
    }

    @Test("a column names the zone in its title, or in each row around a change of the clocks")
    func column() {
        let berlin = screen(Self.berlin)
        let winter = TimeColumn([1_770_000_000], berlin, .minutes)
        #expect(winter.title == "TIME (CET)")
        #expect(winter.text(1_770_000_000) == "2026-02-02 03:40")
        let both = TimeColumn([1_774_745_999, 1_774_746_000], berlin, .seconds)
        #expect(both.title == "TIME")
        #expect(both.text(1_774_745_999) == "2026-03-29 01:59:59 CET")
        #expect(both.text(1_774_746_000) == "2026-03-29 03:00:00 CEST")
        #expect(TimeColumn([], berlin, .seconds).title == "TIME (CET)")
        let narrow = TimeColumn([1_770_000_000], berlin, .clock)
        #expect(narrow.title == "CET" && narrow.text(1_770_000_000) == "03:40:00")
    }
}
