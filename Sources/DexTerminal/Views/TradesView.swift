package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// Shows the tape: the trades of a pair, the latest first.
package typealias TradesView = StateView<TradesState>

extension StateView<TradesState> {
    package func lines(_ screen: Screen) -> [String] {
        let pair = state.pair
        let name = pair.shownName
        let since = TimeText.zoned(UInt256(state.since), screen)
        guard !state.rows.isEmpty else {
            // A side may have none.
            let which = state.summary.trades == 0 ? "No trade" : "No such trade"
            return screen.sentences(
                "\(which) of \(name) since \(since) (block \(state.block)). "
                    + "An earlier time: dex trades \(pair.word) --since 7d"
            )
        }
        let rows = state.rows.map { MarketJSON.Trade(trade: $0, pair: pair) }
        let summary = state.summary
        return screen.title("\(name) trades at block \(state.block)") + [""]
            + MarketJSON.trade.lines(rows, screen) + [""]
            + screen.sentences(
                NumberText.count(summary.trades, "trade") + " since \(since): "
                    + MarketText.volume(summary, pair) + ".",
                .dim
            )
    }
}

enum MarketText {
    /// `1200 ZRX for 0.9 WETH`.
    static func volume(_ summary: MarketSummary, _ pair: Pair) -> String {
        NumberText.brief(summary.base, pair.base, .down) + " for "
            + NumberText.brief(summary.quote, pair.quote, .down)
    }
}
