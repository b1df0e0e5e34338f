import DexStore
import Ethereum
import Foundation
import StrictJSON
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexTerminal

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Screens, pictures and JSON of a market's past")
struct MarketScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("trades", { TradesView(trades).lines($0) }),
        ("trades-pools", { TradesView(pooled).lines($0) }),
        ("trades-none", { TradesView(noTrades).lines($0) }),
        ("chart", { ChartView(chart()).lines($0) }),
        ("chart-one", { ChartView(chart(count: 1)).lines($0) }),
        ("chart-none", { ChartView(chart(count: 0)).lines($0) }),
        ("pairs-figures", { PairsView(pairs).lines($0) }),
        ("pairs-pools", { PairsView(pooledPairs).lines($0) }),
        ("price-trend", { PriceView(price).lines($0) }),
        ("balance-positions", { BalanceView(balance).lines($0) }),
    ]

    // MARK: States

    /// A buy of so many thousandths of ZRX at millionths of WETH for one, or a sale.
    static func trade(
        _ seed: UInt64,
        at time: UInt64,
        _ thousandths: UInt64,
        price: UInt64,
        buys: Bool = true
    ) -> TapeTrade {
        let base = Fixtures.milli(thousandths)
        let quote = base * UInt256(price) / 1_000_000
        let (zrx, weth) = (Fixtures.zrx.address, Fixtures.weth.address)
        return TapeTrade(
            fill: MarketFill(
                block: 21_345_000 + seed,
                logIndex: seed,
                time: time,
                transaction: Fixtures.hash(700 + seed),
                orderHash: Fixtures.hash(800 + seed),
                maker: Fixtures.address(900 + seed),
                taker: Fixtures.address(950 + seed),
                makerToken: buys ? zrx : weth,
                takerToken: buys ? weth : zrx,
                makerAmount: buys ? base : quote,
                takerAmount: buys ? quote : base
            ),
            side: buys ? .buy : .sell,
            base: base,
            quote: quote
        )
    }

    /// A walk with a gap of seven hours, a still hour and growing volumes; no chance in it.
    static func walk(_ count: Int) -> [TapeTrade] {
        var trades: [TapeTrade] = []
        var price: UInt64 = 1_000
        let first = Fixtures.now - Fixtures.now % 3_600 - UInt64(count) * 3_600 + 3_600
        for hour in 0..<UInt64(count) where !(20..<27).contains(hour) {
            for step: UInt64 in 0..<(hour == 30 ? 1 : 4) {
                let swing = (hour * 7 + step * 13) % 41
                price = hour % 9 < 5 ? price + swing : price - min(swing, price / 4)
                // Beyond the body of the candle, so that it has wicks.
                let traded = step == 1 ? price + 60 : step == 2 ? price - 60 : price
                trades.append(
                    trade(
                        hour * 4 + step,
                        at: first + hour * 3_600 + step * 700,
                        1_000 * (1 + hour % 12) + 1,
                        price: traded,
                        buys: hour % 9 < 5
                    )
                )
            }
        }
        return trades
    }

    static func chart(count: Int = 60, pair: Pair = Fixtures.pair) -> ChartState {
        let trades = walk(count)
        let since = Fixtures.now - Fixtures.now % 3_600 - UInt64(max(1, count)) * 3_600 + 3_600
        return ChartState(
            pair: pair,
            block: 21_345_678,
            interval: 3_600,
            since: since,
            until: Fixtures.now,
            candles: Candles.make(trades, interval: 3_600),
            summary: MarketSummary(trades)
        )
    }

    static let trades = TradesState(
        pair: Fixtures.pair,
        block: 21_345_678,
        since: Fixtures.now - 86_400,
        rows: [
            trade(3, at: Fixtures.now - 20, 1_500_000, price: 1_213),
            trade(2, at: Fixtures.now - 4_000, 4, price: 1_210, buys: false),
            trade(1, at: Fixtures.now - 80_000, 250_250, price: 1_199),
        ],
        summary: MarketSummary(walk(40))
    )

    /// On a network with an exchange and pools.
    private static var pooled: TradesState {
        var state = trades
        let sources: [TapeSource] = [.pool(.v3(fee: 500)), .book, .pool(.v2)]
        for (index, source) in sources.enumerated() { state.rows[index].source = source }
        return state
    }

    private static let noTrades = TradesState(
        pair: Fixtures.pair,
        block: 21_345_678,
        since: Fixtures.now - 86_400,
        rows: [],
        summary: MarketSummary([])
    )

    static func details(_ pair: Pair) -> RelayTokenPair {
        RelayTokenPair(
            tokenA: .init(token: pair.base.address, minimum: nil, maximum: nil, precision: nil),
            tokenB: .init(token: pair.quote.address, minimum: nil, maximum: nil, precision: nil)
        )
    }

    /// On a network without a relay.
    private static var pooledPairs: PairsState {
        var state = PairsState(relay: "", source: .pools, rows: pairs.rows, hasFigures: true)
        for index in state.rows.indices { state.rows[index].book = nil }
        return state
    }

    private static let pairs = PairsState(
        relay: "http://127.0.0.1:3000/v0",
        rows: [
            .init(
                pair: Fixtures.pair,
                details: details(Fixtures.pair),
                isKnown: true,
                book: .init(
                    bid: Fixtures.price(1_205),
                    ask: Fixtures.price(1_210),
                    spreadBasisPoints: 42,
                    bidDepth: Fixtures.milli(12_345),
                    askDepth: Fixtures.milli(9_876)
                ),
                volume: MarketSummary(walk(24))
            ),
            .init(
                pair: Pair(base: Fixtures.weth, quote: Fixtures.usdc),
                details: details(Pair(base: Fixtures.weth, quote: Fixtures.usdc)),
                isKnown: false,
                book: .init(
                    bid: nil,
                    ask: Price(quote: 3_000_000_000, base: 1_000_000_000_000_000_000),
                    spreadBasisPoints: nil,
                    bidDepth: 0,
                    askDepth: 45_000_000_000
                ),
                volume: MarketSummary([])
            ),
            .init(
                pair: Pair(base: Fixtures.zrx, quote: Fixtures.usdc),
                details: details(Pair(base: Fixtures.zrx, quote: Fixtures.usdc)),
                isKnown: true
            ),
        ],
        warnings: ["Only the books of the first 2 of 3 pairs were read; --books 3 reads all."],
        hasFigures: true
    )

    private static let price: PriceState = {
        var state = PriceState(
            pair: Fixtures.pair,
            block: 21_345_678,
            bid: Fixtures.price(1_205),
            ask: Fixtures.price(1_210),
            mid: Price(quote: 2_415, base: 2_000_000),
            quote: nil
        )
        state.trend = chart(count: 24)
        return state
    }()

    /// 30 ZRX at 0.014 WETH and at 28 USDC, and 2 WETH without a price.
    private static let balance: BalanceState = {
        var state = Fixtures.valuedBalance(.coin(.ether))
        var gain = UnrealisedProfit(
            held: Fixtures.milli(30_000),
            averageCost: Fixtures.milli(360),
            fifoCost: Fixtures.milli(480),
            mid: Fixtures.price(14_000)
        )
        // WETH at 2,000 USDC.
        let dollars = Price(quote: 2_000_000_000, base: 1_000_000_000_000_000_000)
        if let dollars { gain?.convert(to: Fixtures.usdc, at: dollars) }
        let loss = Price(quote: 28_000_000, base: 1_000_000_000_000_000_000).flatMap { mid in
            UnrealisedProfit(
                held: Fixtures.milli(30_000),
                averageCost: 900_000_001,
                fifoCost: 840_000_000,
                mid: mid
            )
        }
        state.positions = [
            position(Fixtures.zrx, Fixtures.weth, 30_000, cost: Fixtures.milli(360), gain),
            position(Fixtures.zrx, Fixtures.usdc, 30_000, cost: 900_000_001, loss),
            position(Fixtures.weth, Fixtures.usdc, 2_000, cost: 4_100_000_000, nil),
        ]
        state.warnings = ["More ZRX was bought here than the account has; the profit counts it."]
        return state
    }()

    private static func position(
        _ base: Token,
        _ quote: Token,
        _ thousandths: UInt64,
        cost: UInt256,
        _ profit: UnrealisedProfit?
    ) -> HistoryState.Position {
        let held = Fixtures.milli(thousandths)
        return HistoryState.Position(
            pair: Pair(base: base, quote: quote),
            fills: 1,
            bought: held,
            cost: cost,
            sold: 0,
            proceeds: 0,
            held: held,
            heldAverageCost: cost,
            heldFIFOCost: cost,
            averageProfit: .zero,
            fifoProfit: .zero,
            uncovered: 0,
            fees: [],
            gas: .zero,
            isInEther: quote == Fixtures.weth,
            unrealised: profit
        )
    }

    // MARK: Screens

    @Test("a gap is blank, and rising and falling differ without colour")
    func gaps() throws {
        let lines = ChartView(Self.chart(count: 30))
            .lines(Screen(width: 80, style: .plain, now: Fixtures.now))
        // Twelve rows of prices and three of volume below the title and an empty line.
        for line in lines[2..<17] {
            let columns = Array(line.unicodeScalars) + Array(repeating: " ", count: 80)
            #expect(columns[20..<27].allSatisfy { $0 == " " }, "\(line)")
        }
        #expect(lines.joined(separator: " ").contains("7 of 30 intervals"))

        var canvas = BrailleCanvas(width: 2, height: 1)
        canvas.line(column: 0, rows: 0...3, left: true, right: false)
        canvas.line(column: 1, rows: 1...1, left: true, right: true)
        canvas.line(column: 7, rows: 0...9, left: true, right: true)
        canvas.line(column: 1, rows: 7...9, left: true, right: true)
        #expect(canvas.character(column: 0, row: 0) == "\u{2847}")
        #expect(canvas.character(column: 1, row: 0) == "\u{2824}")
    }

    @Test("prices are placed in proportion, whatever their size")
    func scale() throws {
        for exponent in [0, 9, 30] {
            let factor = (0..<exponent).reduce(UInt256(1)) { product, _ in product * 10 }
            func prices(_ one: UInt256) throws -> Candle.Prices {
                let price = try #require(Price(quote: one * factor, base: 1_000))
                return Candle.Prices(open: price, high: price, low: price, close: price)
            }
            let all = try [10, 15, 20].map { try prices($0) }
            let scale = try #require(PriceScale(all, Fixtures.pair))
            #expect(all.map { scale.place(of: $0.open, among: 11) } == [0, 5, 10])
            let still = try #require(PriceScale([all[0]], Fixtures.pair))
            #expect(still.place(of: all[0].open, among: 11) == 5)
            #expect(still.place(of: all[0].open, among: 1) == 0)
        }
        #expect(PriceScale([], Fixtures.pair) == nil)
    }

    @Test("amounts and prices of any size draw something and trap nowhere")
    func extremes() throws {
        let odd = Fixtures.token(5, "ODD\u{1B}[2J", "Odd", nil)
        for (base, quote) in [(1, UInt256.max), (.max, 1), (.max, .max), (1, 1)]
            as [(UInt256, UInt256)]
        {
            let price = Price(quote: quote, base: base)
            let body = price.map { Candle.Prices(open: $0, high: $0, low: $0, close: $0) }
            for pair in [Fixtures.pair, Pair(base: odd, quote: Fixtures.usdc)] {
                let state = ChartState(
                    pair: pair,
                    block: .max,
                    interval: 60,
                    since: 0,
                    until: .max,
                    candles: [
                        Candle(start: 0, prices: body, base: base, quote: quote, trades: 1),
                        Candle(start: 60, prices: nil, base: 0, quote: 1, trades: 1),
                    ],
                    summary: MarketSummary([])
                )
                for width in [1, 20, 40, 80] {
                    let lines = ChartView(state)
                        .lines(Screen(width: width, style: .plain, now: Fixtures.now))
                    #expect(lines.count > 3)
                }
                let svg = ChartSVG(state).text
                #expect(!svg.contains("\u{1B}"))
                #expect(XMLParser(data: Data(svg.utf8)).parse())
            }
        }
    }

    // MARK: The picture

    /// Counts the elements of a document.
    private final class Elements: NSObject, XMLParserDelegate {
        var names: [String: Int] = [:]
        var fills: Set<String> = []
        var text = ""

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            names[name, default: 0] += 1
            if let fill = attributes["fill"] { fills.insert(fill) }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    @Test("the picture is XML with a body for each candle, and a symbol cannot break it")
    func picture() throws {
        let evil = Fixtures.token(5, "<script>&\"'", "Evil", 18)
        let state = Self.chart(pair: Pair(base: evil, quote: Fixtures.weth))
        let svg = ChartSVG(state).text
        let parser = XMLParser(data: Data(svg.utf8))
        let elements = Elements()
        parser.delegate = elements
        #expect(parser.parse())
        // The background, a body and a volume of each candle.
        #expect(elements.names["rect"] == 1 + 2 * state.candles.count)
        #expect(elements.names["line"] == 3 + state.candles.count)
        #expect(elements.names["script"] == nil)
        #expect(elements.text.contains("<script>&\"'/WETH, 1h candles at block 21345678"))
        #expect(elements.fills.isSuperset(of: ["#ffffff", "#cf222e"]))
        try expectSnapshot(
            svg.split(separator: "\n").map(String.init),
            named: "chart-svg"
        )
    }

    // MARK: JSON and CSV

    @Test("JSON has every trade and candle with exact amounts")
    func json() throws {
        let trades = MarketJSON.trades(Self.trades)
        let row = try #require(trades["trades"]?.arrayValue?.first)
        #expect(row["side"] == "buy" && row["price"] == "0.001213")
        #expect(row["baseAmount"]?["value"] == "1500" && row["quoteAmount"]?["value"] == "1.8195")
        #expect(trades["volume"]?["tradeCount"]?.numberText == "\(Self.walk(40).count)")
        let chart = MarketJSON.chart(Self.chart(count: 30), svg: "a.svg")
        #expect(chart["candles"]?.arrayValue?.count == 23)
        let candle = try #require(chart["candles"]?.arrayValue?.first)
        for key in [
            "start", "open", "high", "low", "close", "baseAmount", "quoteAmount", "tradeCount",
        ] {
            #expect(candle[key]?.isNull == false, "\(key)")
        }
        #expect(chart["interval"] == 3_600 && chart["svg"] == "a.svg")
        let pairs = ReadJSON.pairs(Self.pairs)
        let rows = try #require(pairs["pairs"]?.arrayValue)
        #expect(rows[0]["spread"] == "0.42" && rows[0]["bidDepth"]?["value"] == "12.345")
        #expect(rows[1]["bid"]?.isNull == true && rows[1]["ask"] == "3000")
        #expect(rows[2]["volume"]?.isNull == true && rows[2]["askDepth"]?.isNull == true)
        #expect(ReadJSON.price(Self.price)["trend"]?["candles"]?.arrayValue?.count == 20)
    }

    @Test("a balance's positions are those of the history, with what is not realised")
    func positions() throws {
        let rows = try #require(ReadJSON.balance(Self.balance)["positions"]?.arrayValue)
        #expect(rows.map { $0["pair"]?.stringValue } == ["ZRX/WETH", "ZRX/USDC", "WETH/USDC"])
        #expect(rows[0]["unrealised"]?["averageProfit"]?["value"] == "0.06")
        #expect(rows[0]["unrealised"]?["fifoProfit"]?["value"] == "-0.06")
        #expect(rows[0]["unrealised"]?["dollars"]?["fifoProfit"]?["raw"] == "-120000000")
        #expect(rows[1]["unrealised"]?["dollars"]?.isNull == true)
        #expect(rows[2]["unrealised"]?.isNull == true)
        #expect(rows[2]["byAverageCost"]?["cost"]?["value"] == "4100")
    }

    @Test("CSV has a line for each trade, and a symbol is no formula")
    func csv() {
        let lines = MarketJSON.trades.table(Self.trades).lines
        #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix("\r") })
        #expect(lines[0].hasPrefix("time,block,log_index,transaction,side,base,quote,"))
        #expect(lines[1].contains(",buy,ZRX,WETH,1500,1.8195,0.001213,"))
        #expect(
            lines.allSatisfy {
                $0.split(separator: ",").count == MarketJSON.trades.listHeader.count
            }
        )
        let formula = TradesState(
            pair: Pair(base: Fixtures.token(5, "=1+1", "x", 18), quote: Fixtures.weth),
            block: 1,
            since: 0,
            rows: Self.trades.rows,
            summary: Self.trades.summary
        )
        #expect(MarketJSON.trades.table(formula).lines[1].contains(",'=1+1,"))
    }
}
