package import DexCore
import Ethereum
import Uniswap
import ZeroEx

/// Shows the pools of a pair, the deepest first.
package typealias PoolListView = StateView<PoolListState>

extension StateView<PoolListState> {
    package func lines(_ screen: Screen) -> [String] {
        let (base, quote) = (state.pair.base, state.pair.quote)
        var title = "\(state.pair.shownName) at block \(state.block.number)"
        if let mid = state.mid {
            title += ", mid \(NumberText.price(mid, base: base, quote: quote))"
        }
        let names = "\(PlainText.name(quote.symbol)) and \(PlainText.name(base.symbol))"
        return screen.title(title) + table(screen).lines(width: screen.width, style: screen.style)
            + [""]
            + screen.sentences(
                "PAYS and SELLS are the depth at 1 %: the \(names) that a pool pays out until its price "
                    + "has moved by 1 %. The volume is that of 24 hours, in "
                    + "\(PlainText.name(quote.symbol)). \(PoolText.seen(state.nodes))",
                .dim
            ) + state.warnings.flatMap { screen.warning($0) }
    }

    private func table(_ screen: Screen) -> Table {
        let (base, quote) = (state.pair.base, state.pair.quote)
        var table = Table([
            .init("POOL"),
            .init("PAYS \(PlainText.name(quote.symbol))", .right, dropOrder: 1),
            .init("SELLS \(PlainText.name(base.symbol))", .right),
            .init("VOLUME", .right, dropOrder: 3), .init("SHARE", .right, dropOrder: 4),
            .init("ORACLE", .right, dropOrder: 5), .init("LIQUIDITY", .right, dropOrder: 6),
            .init("ADDRESS", dropOrder: 2),
        ])
        let bids = places(state.rows.compactMap { $0.sell?.quote }, of: quote)
        let asks = places(state.rows.compactMap { $0.buy?.base }, of: base)
        let volumes = places(state.rows.compactMap(\.volume), of: quote)
        for row in state.rows {
            func amount(_ raw: UInt256?, _ token: Token, _ places: Int) -> String {
                raw.map { NumberText.column($0, of: token, places: places) } ?? "-"
            }
            table.add([
                .init(row.pool.kind.name, .bold),
                .init(amount(row.sell?.quote, quote, bids), .green),
                .init(amount(row.buy?.base, base, asks), .red),
                .init(amount(row.volume, quote, volumes)),
                .init(state.share(of: row).map { NumberText.percent(basisPoints: $0) } ?? "-"),
                .init(Self.reach(row.oracle)),
                .init(Self.powers(row.liquidity)),
                .init(
                    screen.width >= 120 ? row.address.checksummed : row.address.shortened,
                    .dim
                ),
            ])
        }
        return table
    }

    private func places(_ amounts: [UInt256], of token: Token) -> Int {
        NumberText.places(forLargest: amounts.max() ?? .zero, of: token)
    }

    /// The longest mean that the oracle answers.
    private static func reach(_ oracle: PoolListState.Oracle) -> String {
        switch oracle {
        case .none: "-"
        case .reaches(0, _): "none"
        case .reaches(let seconds, _): ">= \(TimeSpan.text(UInt64(seconds)))"
        }
    }

    /// Three digits and a power of ten, such as `1.23e24`, rounded down.
    static func powers(_ number: UInt128) -> String {
        let digits = Array(number.description)
        guard digits.count > 6 else { return String(digits) }
        return "\(digits[0]).\(digits[1])\(digits[2])e\(digits.count - 1)"
    }
}
