package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Shows the relay's pairs, with the figures of each if they were read.
package typealias PairsView = StateView<PairsState>

extension StateView<PairsState> {
    package func lines(_ screen: Screen) -> [String] {
        let table = state.hasFigures ? figures() : names(screen)
        return table.lines(width: screen.width, style: screen.style) + [""]
            + screen.sentences(
                "\(NumberText.count(state.rows.count, "pair")) \(place)."
                    + (state.hasFigures ? figuresNote : ""),
                .dim
            ) + state.warnings.flatMap { screen.warning($0) }
    }

    private var place: String {
        state.source == .pools
            ? "of the chain's hubs with Uniswap pools" : "on \(TerminalText.clean(state.relay))"
    }

    private var figuresNote: String {
        state.source == .pools
            ? " Depth is within 2 % of the best price; the volume is that of 24 hours at the "
                + "pools and the exchange."
            : " Depth is within 2 % of the best price; the volume is that of 24 hours."
    }

    private func figures() -> Table {
        var table = Table([
            .init("PAIR"), .init("BID", .point), .init("ASK", .point),
            .init("SPREAD", .right, dropOrder: 3), .init("DEPTH", .point, dropOrder: 2),
            .init("VOLUME", .point, dropOrder: 1), .init("TRADES", .right, dropOrder: 4),
            .init("NOTE", dropOrder: 5, minimumWidth: 7),
        ])
        for row in state.rows {
            let (base, quote) = (row.pair.base, row.pair.quote)
            func price(_ price: Price?) -> String {
                price.map { Ratio($0, base: base, quote: quote).text(significant: 6) } ?? "-"
            }
            table.add([
                .init(row.pair.shownName, .bold),
                .init(price(row.book?.bid), row.book?.bid == nil ? .dim : .green),
                .init(price(row.book?.ask), row.book?.ask == nil ? .dim : .red),
                .init(
                    row.book?.spreadBasisPoints.map { NumberText.percent(basisPoints: $0) } ?? "-"
                ),
                .init(
                    row.depth.map { Self.brief($0, quote) } ?? "-"
                ),
                .init(row.volume.map { Self.brief($0.quote, quote) } ?? "-"),
                .init(row.volume.map { "\($0.trades)" } ?? "-"),
                .init(row.isKnown ? "" : "not in the token map", .yellow),
            ])
        }
        return table
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

    private func names(_ screen: Screen) -> Table {
        var table = Table([
            .init("PAIR"), .init("BASE", dropOrder: 1), .init("QUOTE", dropOrder: 2),
            .init("NOTE", dropOrder: 3, minimumWidth: 7),
        ])
        for row in state.rows {
            table.add([
                .init(row.pair.shownName, .bold),
                .init(address(row.pair.base, screen), .dim),
                .init(address(row.pair.quote, screen), .dim),
                .init(row.isKnown ? "" : "not in the token map", .yellow),
            ])
        }
        return table
    }

    private func address(_ token: Token, _ screen: Screen) -> String {
        screen.width >= 110 ? token.address.checksummed : token.address.shortened
    }
}
