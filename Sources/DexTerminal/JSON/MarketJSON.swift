package import DexCore
import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of the commands that show a market's past.
package enum MarketJSON {
    /// A trade of the tape, and the pair that it is of.
    package struct Trade: Sendable {
        let trade: TapeTrade
        let pair: Pair

        package init(trade: TapeTrade, pair: Pair) {
            self.trade = trade
            self.pair = pair
        }
    }

    package static let trade = Fields<Trade> {
        Field("time", "When its block was mined", as: .time, \.trade.fill.time)
            .csv(0, "time", isTime: true)
            .sorted("time") {
                ($0.trade.fill.block, $0.trade.fill.logIndex)
                    > ($1.trade.fill.block, $1.trade.fill.logIndex)
            }
            .shown(0) { rows, screen in
                // A narrow screen has no room for the date.
                let precision: TimeColumn.Precision = screen.width < 60 ? .clock : .seconds
                let times = TimeColumn(rows.map(\.trade.fill.time), screen, precision)
                return .init(column: .init(times.title, dropOrder: 1)) {
                    .init(times.text($0.trade.fill.time), .dim)
                }
            }
        Field("side", "The taker's side", \.trade.side.word).csv(4, "side")
            .shown(1, "SIDE") { row, _ in .init(row.trade.side.rawValue, color(row)) }
        Field("price", "Null if only one token changed hands") { $0.pair.price($0.trade.price) }
            .csv(9, "price")
            .sorted("price", .lowest) { $0.trade.price }
            .shown(2) { rows, _ in
                .init(column: .init(title("PRICE", rows, \.quote), .right)) { row in
                    .init(row.trade.price.map { NumberText.price($0, row.pair) } ?? "-", color(row))
                }
            }
        Field("baseAmount", "What changed hands of BASE") { $0.pair.base.amount($0.trade.base) }
            .csv(5, "base", "symbol").csv(7, "base_amount", "value", else: "raw")
            .csv(13, "base_address", "address")
            .sorted("amount") { $0.trade.base > $1.trade.base }
            .shown(3) { rows, _ in amounts("AMOUNT", rows, \.base, dropOrder: 0, \.trade.base) }
        Field("quoteAmount", "What changed hands of QUOTE") {
            $0.pair.quote.amount($0.trade.quote)
        }
        .csv(6, "quote", "symbol").csv(8, "quote_amount", "value", else: "raw")
        .csv(14, "quote_address", "address")
        .sorted("total") { $0.trade.quote > $1.trade.quote }
        .shown(4) { rows, _ in amounts("TOTAL", rows, \.quote, dropOrder: 2, \.trade.quote) }
        Field("maker", "Who made the order; at a pool the pool", \.trade.fill.maker)
            .csv(10, "maker")
        Field("taker", "Who filled it; at a pool where the output went", \.trade.fill.taker)
            .csv(11, "taker")
        Field("orderHash", "Null: a swap of an account of this journal, which fills no order") {
            $0.trade.fill.isSwap ? nil : $0.trade.fill.orderHash
        }
        .csv(12, "order")
        Field("transaction", "The transaction", \.trade.fill.transaction).csv(3, "transaction")
            .shown(6, "TRANSACTION", dropOrder: 4, minimumWidth: 12) { row, _ in
                .init(row.trade.fill.transaction.hex, .dim)
            }
        Field("block", "Its block", \.trade.fill.block).csv(1, "block")
        Field("logIndex", "The place of its event in the block", \.trade.fill.logIndex)
            .csv(2, "log_index")
        Field("source", "`book`, `swap`, or a pool such as `v3:0.05%`") {
            ExactText($0.trade.source.name)
        }
        .csv(15, "source")
        .shown(5) { rows, _ in
            // A column only where there is more than the exchange's orders.
            guard rows.contains(where: { $0.trade.source != .book }) else { return nil }
            return .init(column: .init("VENUE", dropOrder: 3)) {
                .init($0.trade.source.name, .dim)
            }
        }
    }

    private static func color(_ row: Trade) -> Style.Color {
        row.trade.side == .buy ? .green : .red
    }

    /// With the symbol of a token of the pair that all trades are of.
    private static func title(
        _ text: String,
        _ rows: [Trade],
        _ token: (Pair) -> Token
    ) -> String {
        text + (rows.first.map { " " + PlainText.name(token($0.pair).symbol) } ?? "")
    }

    /// Amounts with the same number of decimals.
    private static func amounts(
        _ text: String,
        _ rows: [Trade],
        _ token: @escaping (Pair) -> Token,
        dropOrder: Int,
        _ raw: @escaping (Trade) -> UInt256
    ) -> ScreenColumn<Trade>.Shown? {
        let largest = rows.map(raw).max() ?? .zero
        let places = rows.first.map { NumberText.places(forLargest: largest, of: token($0.pair)) }
        return .init(column: .init(title(text, rows, token), .right, dropOrder: dropOrder)) {
            .init(NumberText.column(raw($0), of: token($0.pair), places: places ?? 0))
        }
    }

    package static let trades = Fields<TradesState> {
        Field("base", "BASE of the pair", \.pair.base)
        Field("quote", "QUOTE of the pair", \.pair.quote)
        Field("block", "The latest block", \.block)
        Field("since", "From when on trades are listed", as: .time, \.since)
        Field("volume", "Of all since then, listed or not", object: volume) {
            Volume(summary: $0.summary, pair: $0.pair)
        }
        Field("trades", "The latest first", list: trade) { state in
            state.rows.map { Trade(trade: $0, pair: state.pair) }
        }
    }

    /// A candle, and the pair that it is of.
    struct Bar: Sendable {
        let candle: Candle
        let pair: Pair
    }

    static let candle = Fields<Bar> {
        Field("start", "When it begins", as: .time, \.candle.start)
        Field("open", "The first price; of pools what the first block left") {
            $0.pair.price($0.candle.prices?.open)
        }
        Field("high", "The highest price") { $0.pair.price($0.candle.prices?.high) }
        Field("low", "The lowest price") { $0.pair.price($0.candle.prices?.low) }
        Field("close", "The last price; of pools what the last block left") {
            $0.pair.price($0.candle.prices?.close)
        }
        Field("baseAmount", "What changed hands of BASE") { $0.pair.base.amount($0.candle.base) }
        Field("quoteAmount", "What changed hands of QUOTE") {
            $0.pair.quote.amount($0.candle.quote)
        }
        Field("tradeCount", "How many trades", \.candle.trades)
        Field("vwap", "All QUOTE for all BASE; null without one") {
            $0.pair.price($0.candle.weighted)
        }
    }

    /// A chart, and the path of the picture that was written; nil without one.
    struct Chart: Sendable {
        let state: ChartState
        let svg: String?
    }

    static let chart = Fields<Chart>(named: "chart", "Candles of a pair") {
        Field("base", "BASE of the pair", \.state.pair.base)
        Field("quote", "QUOTE of the pair", \.state.pair.quote)
        Field("block", "The latest block", \.state.block)
        Field("interval", "Seconds of a candle", \.state.interval)
        Field("since", "The beginning of the chart", as: .time, \.state.since)
        Field("until", "The end of the chart", as: .time, \.state.until)
        Field("volume", "Of all trades of the chart", object: volume) {
            Volume(summary: $0.state.summary, pair: $0.state.pair)
        }
        Field("svg", "The path of the picture; null without `--svg`", \.svg)
        Field(
            "candles",
            "The oldest first, none for an interval without trades",
            list: candle
        ) { chart in
            chart.state.candles.map { Bar(candle: $0, pair: chart.state.pair) }
        }
    }

    /// - Parameter svg: the path of the picture that was written; nil without one.
    package static func chart(_ state: ChartState, svg: String? = nil) -> JSONValue {
        chart(Chart(state: state, svg: svg))
    }

    /// The sums of a pair's trades.
    struct Volume: Sendable {
        let summary: MarketSummary
        let pair: Pair
    }

    static let volume = Fields<Volume>(named: "volume", "The sums of some trades of a pair") {
        Field("baseAmount", "What changed hands of BASE") { $0.pair.base.amount($0.summary.base) }
        Field("quoteAmount", "What changed hands of QUOTE") {
            $0.pair.quote.amount($0.summary.quote)
        }
        Field("tradeCount", "How many trades", \.summary.trades)
    }
}
