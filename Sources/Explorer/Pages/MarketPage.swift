import DexCore
import DexStore
import DexTerminal
import Ethereum
import ZeroEx

/// A pair's book with its depth, its candles, and its newest trades.
struct MarketPage {
    /// Rows of each side of the book.
    static let depth = 15

    let market: MarketOverview
    /// The names of all networks.
    let networks: [String]
    let now: UInt64

    private var pair: Pair { market.book.pair }

    var page: Page {
        let book = market.book
        return Page(
            title: "\(pair.base.symbol)/\(pair.quote.symbol)",
            body: """
                <h1>\(Parts.pairName(pair))</h1>
                \(others)
                \(Parts.facts([
                    ("Bid", price(book.bid)), ("Ask", price(book.ask)), ("Mid", prices.mid.map(Parts.text)),
                    ("Last", price(market.trades.first { $0.price != nil }?.price)),
                    ("Orders", Parts.text("\(book.bidCount) bids, \(book.askCount) asks")),
                    ("Prices", "\(Parts.token(pair.quote)) per \(Parts.token(pair.base))"),
                ]))
                \(depth)\(candles)
                <div class="sides">\(side("Bids", .buy, book.bids))\(side("Asks", .sell, book.asks))</div>
                \(tape)
                """,
            liveness: .book
        )
    }

    /// The same pair on the other networks.
    private var others: HTML? {
        let links = networks.map { network -> HTML in
            network == market.network
                ? "<b>\(network)</b>"
                : "<a href=\"\(MarketPath.text(pair, network: network))\">\(network)</a>"
        }
        return links.count < 2 ? nil : "<p class=\"pager\">\(links.joined(by: " · "))</p>"
    }

    private var prices: BookPriceText { BookPriceText(market.book) }

    private func price(_ price: Price?) -> HTML {
        price.map { Parts.text(prices.text($0)) } ?? "–"
    }

    private var depth: HTML {
        let picture = DepthSVG(market.book).element
        return Parts.section(
            "Depth",
            picture.map { "<figure>\(HTML(own: $0))</figure>" }
                ?? "<p class=\"empty\">The book is empty.</p>"
        )
    }

    private var candles: HTML {
        let chart = market.chart
        let lengths = MarketOverviewModel.intervals.map { length -> HTML in
            let name = CandleInterval.text(length)
            return length == chart.interval
                ? "<b>\(name)</b>"
                : "<a href=\"\(MarketPath.text(pair, network: market.network, interval: length))\">\(name)</a>"
        }
        return Parts.section(
            "Candles",
            chart.candles.isEmpty
                ? "<p class=\"empty\">No trades in this time.</p>"
                : "<figure>\(HTML(own: ChartSVG(chart).element))</figure>",
            aside: "<p class=\"pager\">\(lengths.joined(by: " "))</p>"
        )
    }

    private func side(_ title: String, _ side: TradeSide, _ rows: [OrderbookState.Row]) -> HTML {
        let shown = rows.prefix(Self.depth)
        return Parts.section(
            title,
            Parts.table(
                [
                    .init("Price", .number), .init("Fillable", .number), .init("Order"),
                    .init("Expires", .wide),
                ],
                shown.map { row in
                    [
                        Parts.text(prices.text(row.price, of: side == .sell ? .buy : .sell)),
                        Parts.text(
                            NumberText.briefValue(row.fillable, pair.base.decimals, .down)
                        ),
                        Parts.order(row.orderHash),
                        Parts.text(TimeText.remaining(until: row.expires, now: now)),
                    ]
                },
                empty: "None."
            )
        )
    }

    private var tape: HTML {
        Parts.section(
            "Trades",
            Parts.table(
                [
                    .init("Age"), .init("Side"), .init("Price", .number),
                    .init("Amount", .number), .init("Total", .wideNumber), .init("Order", .wide),
                    .init("Transaction"),
                ],
                market.trades.map { trade in
                    [
                        Parts.age(trade.fill.time, now: now), OrderParts.side(trade.side),
                        price(trade.price),
                        Parts.amount(TokenAmount(raw: trade.base, token: pair.base)),
                        Parts.amount(TokenAmount(raw: trade.quote, token: pair.quote)),
                        Parts.order(trade.fill.orderHash),
                        Parts.transaction(trade.fill.transaction),
                    ]
                },
                empty: "No trades in the newest blocks."
            )
        )
    }
}
