package import DexCore
import Ethereum
import StrictJSON
import ZeroEx

/// `data` of `pairs`.
extension ReadJSON {
    /// A pair of the list, and whether figures were requested.
    package struct ListedPair: Sendable {
        let row: PairsState.Row
        let hasFigures: Bool

        package init(row: PairsState.Row, hasFigures: Bool) {
            self.row = row
            self.hasFigures = hasFigures
        }

        fileprivate var pair: Pair { row.pair }
        fileprivate var book: PairsState.Book? { row.book }
        fileprivate var volume: MarketSummary? { row.volume }
    }

    package static let pair = Fields<ListedPair> {
        Field("pair", "Its name", as: .pairName, \.pair.name).csv(0, "pair")
            .sorted("pair") { ListComparison.pairs($0.pair, $1.pair) ?? false }
            .shown(0, "PAIR") { row, _ in .init(row.pair.shownName, .bold) }
        Field("base", "BASE", \.pair.base).csv(10, "base_address", "address")
            .shown(1) { names("BASE", $0, $1, dropOrder: 1, \.base) }
        Field("quote", "QUOTE", \.pair.quote).csv(11, "quote_address", "address")
            .shown(2) { names("QUOTE", $0, $1, dropOrder: 2, \.quote) }
        Field("isKnown", "Both tokens are in the token map", \.row.isKnown).csv(9, "known")
            .shown(9) { rows, _ in
                let dropOrder = hasFigures(rows) ? 5 : 3
                return .init(
                    column: .init("NOTE", dropOrder: dropOrder, minimumWidth: 7)
                ) {
                    .init($0.row.isKnown ? "" : "not in the token map", .yellow)
                }
            }
        Field("bid", "The best bid") { $0.pair.price($0.book?.bid) }.csv(1, "bid")
            .shown(3) { rows, _ in
                figures("BID", .point, rows) { row in
                    .init(price(row.book?.bid, row), row.book?.bid == nil ? .dim : .green)
                }
            }
        Field("ask", "The best ask") { $0.pair.price($0.book?.ask) }.csv(2, "ask")
            .shown(4) { rows, _ in
                figures("ASK", .point, rows) { row in
                    .init(price(row.book?.ask, row), row.book?.ask == nil ? .dim : .red)
                }
            }
        Field("spread", "Null if the book is crossed or one-sided") {
            $0.book?.spreadBasisPoints.map { Percent($0) }
        }
        .csv(3, "spread_percent")
        .sorted("spread", .lowest) { $0.book?.spreadBasisPoints }
        .shown(5) { rows, _ in
            figures("SPREAD", .right, dropOrder: 3, rows) { row in
                let spread = row.book?.spreadBasisPoints
                return .init(spread.map { NumberText.percent(basisPoints: $0) } ?? "-")
            }
        }
        Field("bidDepth", "QUOTE within 2 % of the best bid") {
            $0.pair.quote.amount($0.book?.bidDepth)
        }
        .csv(4, "bid_depth", "value")
        Field("askDepth", "QUOTE within 2 % of the best ask") {
            $0.pair.quote.amount($0.book?.askDepth)
        }
        .csv(5, "ask_depth", "value")
        .sorted("depth") {
            byQuote($0, $1) ?? ListComparison.precedes($0.row.depth, $1.row.depth, by: >)
        }
        .shown(6) { rows, _ in
            figures("DEPTH", .point, dropOrder: 2, rows) { row in
                .init(row.row.depth.map { brief($0, row.pair.quote) } ?? "-")
            }
        }
        Field("volume", "Of 24 hours", nullable: MarketJSON.volume) { row in
            row.volume.map { .init(summary: $0, pair: row.pair) }
        }
        .csv(6, "volume_base", "baseAmount.value").csv(7, "volume_quote", "quoteAmount.value")
        .csv(8, "trades", "tradeCount")
        .sorted("volume") {
            byQuote($0, $1)
                ?? ListComparison.precedes($0.volume?.quote, $1.volume?.quote, by: >)
        }
        .sorted("trades", .highest) { $0.volume?.trades }
        .shown(7) { rows, _ in
            figures("VOLUME", .point, dropOrder: 1, rows) { row in
                .init(row.volume.map { brief($0.quote, row.pair.quote) } ?? "-")
            }
        }
        .shown(8) { rows, _ in
            figures("TRADES", .right, dropOrder: 4, rows) { row in
                .init(row.volume.map { "\($0.trades)" } ?? "-")
            }
        }
    }

    package static func listedPairs(_ state: PairsState) -> [ListedPair] {
        state.rows.map { ListedPair(row: $0, hasFigures: state.hasFigures) }
    }

    // MARK: Columns

    private static func hasFigures(_ rows: [ListedPair]) -> Bool {
        rows.first?.hasFigures ?? false
    }

    /// A column that is there where figures were requested.
    private static func figures(
        _ title: String,
        _ alignment: Table.Alignment,
        dropOrder: Int = 0,
        _ rows: [ListedPair],
        _ cell: @escaping (ListedPair) -> Table.Cell
    ) -> ScreenColumn<ListedPair>.Shown? {
        guard hasFigures(rows) else { return nil }
        return .init(column: .init(title, alignment, dropOrder: dropOrder), cell: cell)
    }

    /// A column of tokens' addresses, which is there where no figures were requested.
    private static func names(
        _ title: String,
        _ rows: [ListedPair],
        _ screen: Screen,
        dropOrder: Int,
        _ token: @escaping (Pair) -> Token
    ) -> ScreenColumn<ListedPair>.Shown? {
        guard !hasFigures(rows) else { return nil }
        return .init(column: .init(title, dropOrder: dropOrder)) { row in
            let address = token(row.pair).address
            return .init(screen.width >= 110 ? address.checksummed : address.shortened, .dim)
        }
    }

    private static func price(_ price: Price?, _ row: ListedPair) -> String {
        price.map {
            Ratio($0, base: row.pair.base, quote: row.pair.quote).text(significant: 6)
        } ?? "-"
    }

    /// 5 significant digits with the symbol, rounded.
    private static func brief(_ raw: UInt256, _ token: Token) -> String {
        let places = NumberText.places(forLargest: raw, of: token)
        let text = Ratio(raw, decimals: token.decimals).shortened(
            places: places,
            rounding: .nearest
        )
        return "\(text) \(PlainText.name(token.symbol))"
    }

    /// Amounts of different tokens have different units; nil for the same QUOTE.
    private static func byQuote(_ one: ListedPair, _ other: ListedPair) -> Bool? {
        let (first, second) = (one.pair.quote, other.pair.quote)
        guard first.address != second.address else { return nil }
        return ListComparison.tokens(first, second)
    }

    package static let pairs = Fields<PairsState> {
        Field("relay", "The relay's host; empty without one", \.relay)
        Field("source", "`pools`: no relay is asked", \.source.word)
        Field("pairs", "What was not read is null", list: pair) { listedPairs($0) }
    }
}
