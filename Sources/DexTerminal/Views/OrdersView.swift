package import DexCore
import Ethereum
package import ZeroEx

/// Shows a list of orders; what is filled or short of one stands below its row.
package typealias OrdersView = StateView<OrdersState>

extension StateView<OrdersState> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.rows.isEmpty else {
            return screen.sentences("There are no such orders at block \(state.block).")
                + dropped(screen)
        }
        let legend = RelayLegend(of: state.rows.map(\.relays))
        let relays = legend.lines(screen)
        return Self.lines(state.rows, screen) { row in
            let numbers = legend.numbers(of: state.rows[row].relays)
            return numbers.isEmpty
                ? [] : [screen.style.paint("  shown by relay \(numbers)", .dim)]
        } + [""] + (relays.isEmpty ? [] : relays + [""])
            + screen.sentences(
                "\(NumberText.count(state.rows.count, "order")) at block \(state.block).",
                .dim
            ) + dropped(screen)
    }

    private func dropped(_ screen: Screen) -> [String] {
        let warnings = state.warnings.flatMap { screen.warning($0) }
        guard !state.dropped.isEmpty else { return warnings }
        let codes = Set(state.dropped.map(\.reason.code)).sorted().joined(separator: ", ")
        return screen.sentences("Left out \(state.dropped.orderCount): \(codes).", .dim) + warnings
    }

    /// - Parameter details: lines below a row.
    static func lines(
        _ rows: [OrdersState.Row],
        _ screen: Screen,
        details: (Int) -> [String] = { _ in [] }
    ) -> [String] {
        let hashes = ShortHashes(rows.map(\.order.hash.hex), screen)
        var lines = ReadJSON.order.lines(rows, screen, isNumbered: true)
        for index in rows.indices.reversed() {
            let hash = hashes.lines(rows[index].order.hash.hex, screen)
            let parts = OrdersText.parts(rows[index])
                .flatMap { TerminalText.wrap($0, width: screen.width - 2) }
                .map { "  " + screen.style.paint($0, .cyan) }
            lines.insert(contentsOf: hash + parts + details(index), at: index + 2)
        }
        return lines
    }
}

/// The screen of `dex order`.
package struct OrderView: Sendable {
    private let row: OrdersState.Row
    private let block: UInt64
    private let fills: [FillEvent]
    private let warnings: [String]

    package init(
        _ row: OrdersState.Row,
        block: UInt64,
        fills: [FillEvent] = [],
        warnings: [String] = []
    ) {
        self.row = row
        self.block = block
        self.fills = fills
        self.warnings = warnings
    }

    package func lines(_ screen: Screen) -> [String] {
        let base = row.side == .sell ? row.maker : row.taker
        let quote = PlainText.name(row.pair.quote.symbol)
        let price = NumberText.price(row.price, row.pair)
        let verb = row.side == .buy ? "Buy" : "Sell"
        let color: Style.Color =
            switch row.standing {
            case .open, .filled: .green
            case .partlyFilled: .cyan
            case .cancelled, .expired, .unfunded, .halfFunded, .unknown: .yellow
            }
        var lines =
            screen.title("\(verb) order: \(NumberText.amount(base)) at \(price) \(quote)") + [""]
        var facts = KeyValueList()
        facts.add("order", row.order.hash.hex)
        facts.add("state", "\(row.standing.rawValue) at block \(block)", color)
        facts.add("gives", NumberText.amount(row.maker))
        facts.add("wants", NumberText.amount(row.taker))
        facts.add("filled", OrdersText.part(row.state.filled, of: row))
        facts.add("cancelled", OrdersText.part(row.state.cancelled, of: row))
        facts.add("remaining", OrdersText.part(row.state.remaining, of: row))
        facts.add(
            "fillable",
            row.knownFillable.map { OrdersText.part($0, of: row) } ?? UnknownText.word
        )
        facts.add("expires", TimeText.expiry(row.order.expiry, screen))
        facts.add("maker", screen.account(row.order.maker) + (row.isOwn ? " (ours)" : ""))
        if row.order.taker != .zero { facts.add("only for", row.order.taker.checksummed) }
        if row.order.feeRecipient != .zero {
            facts.add("fees to", row.order.feeRecipient.checksummed)
        }
        facts.add("on relay", row.isOnRelay ? "yes" : "no")
        for relay in row.relays { facts.add("shown by", TerminalText.clean(relay)) }
        // Notes do not repeat the state and the maker's line.
        let said: Set<OrderFlag> = [
            .own, .filled, .cancelled, .partlyFilled, .partlyFunded, .expired,
        ]
        let notes = row.flags.filter { !said.contains($0) }
        facts.add("notes", notes.map(\.rawValue).joined(separator: " "), .yellow)
        lines.append(contentsOf: facts.lines(screen))
        if !fills.isEmpty {
            lines.append("")
            lines += screen.title(NumberText.count(fills.count, "fill"))
            for fill in fills {
                let amount =
                    row.side == .sell
                    ? NumberText.amount(fill.makerAmount, row.maker.token)
                    : NumberText.amount(fill.takerAmount, row.taker.token)
                let text = "\(amount) by \(fill.taker.checksummed)"
                lines.append(
                    contentsOf: TerminalText.wrap(text, width: screen.width - 2).map { "  " + $0 }
                )
            }
        }
        for warning in warnings { lines += screen.warning(warning) }
        return lines
    }
}
