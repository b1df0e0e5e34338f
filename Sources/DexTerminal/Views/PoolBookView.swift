package import DexCore
import Ethereum
import Uniswap
import ZeroEx

/// Draws the pools of a pair as a ladder, with the spread in the middle.
///
/// Asks are above, worst first; bids below, best first.
package typealias PoolBookView = StateView<PoolBookState>

extension StateView<PoolBookState> {
    package func lines(_ screen: Screen) -> [String] {
        let header = header(screen)
        let footer = footer(screen)
        // Two empty lines, the table's heads and the spread, which may wrap.
        let around = header.count + footer.count + 4 + (screen.width < 60 ? 1 : 0)
        var (asks, bids) = (state.asks.count, state.bids.count)
        if let height = screen.height {
            (asks, bids) = LadderRows.split(asks: asks, bids: bids, room: max(2, height - around))
        }
        return header + [""]
            + PoolLadder(
                state.book,
                asks: Array(state.asks.prefix(asks)),
                bids: Array(state.bids.prefix(bids))
            ).lines(screen) + [""]
            + footer
    }

    private func header(_ screen: Screen) -> [String] {
        let base = PlainText.name(state.pair.base.symbol)
        let quote = PlainText.name(state.pair.quote.symbol)
        let block = state.book.block
        let age = screen.now > block.timestamp ? screen.now - block.timestamp : 0
        return [
            Table.join(
                [
                    ("\(base)/\(quote)", .bold), ("  Uniswap pools at block \(block.number)", nil),
                    (", \(TimeSpan.text(age)) ago", .dim),
                ],
                width: screen.width,
                style: screen.style
            )
        ]
            + TerminalText.wrap(
                "prices in \(quote) per \(base), with the pool's fee; amounts in \(base)",
                width: screen.width
            ).map { screen.style.paint($0, .dim) }
    }

    private func footer(_ screen: Screen) -> [String] {
        func side(_ shown: Int, _ all: Int, _ noun: String) -> String {
            shown < all ? "\(shown) of \(NumberText.count(all, noun))" : NumberText.count(all, noun)
        }
        let book = state.book
        let isCut = state.asks.count < book.asks.count || state.bids.count < book.bids.count
        return screen.sentences(
            side(state.asks.count, book.asks.count, "ask") + ", "
                + side(state.bids.count, book.bids.count, "bid")
                + (isCut ? " (--depth N for more)" : "")
                + " of \(NumberText.count(book.pools.count, "pool")): `dex pool \(state.pair.word)` "
                + "lists them. \(PoolText.seen(state.nodes)) Nobody has signed these prices.",
            .dim
        )
    }
}

enum PoolText {
    /// Such as `v3:0.05%, v2:0.3%`.
    static func names(_ book: PoolBook) -> String {
        book.ordered.map(\.kind.name).joined(separator: ", ")
    }

    /// How many nodes a price is from; a sentence.
    static func seen(_ nodes: UInt64) -> String {
        nodes <= 1 ? "Price seen by one node." : "Price seen by \(nodes) nodes."
    }
}
