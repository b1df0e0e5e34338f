package import DexCore
import Ethereum

package typealias OwnOrdersView = StateView<OwnOrdersState>

extension StateView<OwnOrdersState> {
    package func lines(_ screen: Screen) -> [String] {
        var lines: [String] = []
        if state.rows.isEmpty {
            lines += screen.sentences("There are no such orders at block \(state.block).")
        } else {
            lines += OrdersView.lines(state.rows.map(\.order), screen) { index in
                details(state.rows[index], screen)
            }
            lines.append("")
            lines += screen.sentences(
                "\(NumberText.count(state.rows.count, "order")) of "
                    + "\(state.account.checksummed) at block \(state.block).",
                .dim
            )
        }
        if !state.dropped.isEmpty {
            let codes = Set(state.dropped.map(\.reason.code)).sorted().joined(separator: ", ")
            lines += screen.sentences("Left out \(state.dropped.orderCount): \(codes).", .dim)
        }
        for warning in state.warnings { lines += screen.warning(warning) }
        return lines
    }

    private func details(_ row: OwnOrdersState.Row, _ screen: Screen) -> [String] {
        var lines: [String] = []
        if row.isInDoubt {
            let text =
                row.relay.map {
                    "It is on \(TerminalText.clean($0)). Another relay may lack it: `dex resume` "
                        + "posts it there."
                } ?? "Nobody knows whether the relay took it."
            lines += indented(text, screen, .yellow)
        }
        for event in row.events {
            let (maker, taker) = (row.order.maker.token, row.order.taker.token)
            let what: String
            var by = ""
            switch event.kind {
            case .fill(let account, _):
                what =
                    "filled: \(NumberText.amount(event.makerAmount, maker)) for "
                    + NumberText.amount(event.takerAmount, taker)
                by = account == state.account ? "by ourselves" : "by \(account.checksummed)"
            case .cancel:
                what = "cancelled: \(NumberText.amount(event.makerAmount, maker))"
            }
            let time = event.time.map { ", \(TimeText.zoned(UInt256($0), screen))" } ?? ""
            lines += indented("\(what), block \(event.block)\(time)", screen, .cyan)
            if !by.isEmpty { lines += indented("  \(by)", screen, .dim) }
            lines += indented("  in \(event.transaction.hex)", screen, .dim)
        }
        return lines
    }

    private func indented(_ text: String, _ screen: Screen, _ color: Style.Color) -> [String] {
        let indent = "  " + text.prefix { $0 == " " }
        let words = String(text.drop { $0 == " " })
        return TerminalText.wrap(words, width: screen.width - indent.count)
            .map { indent + screen.style.paint($0, color) }
    }
}
