package import DexCore
import Ethereum
import ZeroEx

/// Draws an order book as a ladder, with the spread in the middle.
///
/// Asks are above, worst first; bids below, best first.
package struct OrderbookView: Sendable {
    private let state: OrderbookState
    private let prices: BookPriceText
    private let amountPlaces: Int
    /// The shown digits of an order's hash.
    private let hashDigits: Int

    package init(_ state: OrderbookState) {
        self.state = state
        prices = BookPriceText(state)
        let largest = (state.asks + state.bids).map(\.fillable).max() ?? .zero
        amountPlaces = NumberText.places(forLargest: largest, of: state.pair.base)
        hashDigits = Self.hashDigits(state)
    }

    package func lines(_ screen: Screen) -> [String] {
        var lines = header(screen)
        lines.append("")
        let (askRows, bidRows) = rows(screen)
        let asks = Array(cumulated(state.asks).prefix(askRows))
        let bids = Array(cumulated(state.bids).prefix(bidRows))
        let deepest = max(asks.last?.total ?? .zero, bids.last?.total ?? .zero)
        let layout = Layout(width: screen.width)
        let drawnTable = { (bar: Int) -> Table in
            var table = Table(layout.columns(barWidth: bar))
            for row in asks.reversed() {
                table.add(cells(row, .sell, deepest, layout, bar, screen))
            }
            for row in bids { table.add(cells(row, .buy, deepest, layout, bar, screen)) }
            return table
        }
        // The bars use the remaining width.
        let others = drawnTable(0).columnWidths.filter { $0 > 0 }
        let room = screen.width - others.reduce(0) { $0 + $1 + 2 }
        let bar = room < 4 ? 0 : min(30, room)
        var drawn = drawnTable(bar).lines(width: screen.width, style: screen.style)
        // Numbers are never cut: what does not fit goes on its own line.
        let parts = prices.spreadParts
        let whole = parts.joined(separator: "   ")
        let isWide = TerminalText.width(of: whole) > screen.width
        let middle = (isWide ? parts : [whole])
            .flatMap { TerminalText.wrap($0, width: screen.width) }
            .map { screen.style.paint($0, .bold) }
        drawn.insert(contentsOf: middle, at: drawn.count - bids.count)
        lines.append(contentsOf: drawn)
        lines.append("")
        lines.append(contentsOf: footer(screen))
        return lines
    }

    /// How many rows of each side fit the screen's height: half each, and what one side leaves.
    private func rows(_ screen: Screen) -> (asks: Int, bids: Int) {
        let (asks, bids) = (state.asks.count, state.bids.count)
        guard let height = screen.height else { return (asks, bids) }
        // Two empty lines, the table's heads and the spread, which may wrap.
        let around =
            header(screen).count + footer(screen).count + 4
            + (screen.width < 60 ? 1 : 0)
        let room = max(2, height - around)
        return LadderRows.split(asks: asks, bids: bids, room: room)
    }

    // MARK: Around the ladder

    private func header(_ screen: Screen) -> [String] {
        let base = PlainText.name(state.pair.base.symbol)
        let quote = PlainText.name(state.pair.quote.symbol)
        var parts: [(text: String, color: Style.Color?)] = [("\(base)/\(quote)", .bold)]
        if state.isRaw {
            parts.append(("  RAW: as the relay sent it, nothing verified", .yellow))
        } else if let block = state.block {
            parts.append(("  verified at block \(block)", nil))
            let age = screen.now > state.timestamp ? screen.now - state.timestamp : 0
            parts.append((", \(TimeSpan.text(age)) ago", .dim))
        }
        let fees = state.isRaw ? "before fees" : "after fees"
        let units = "prices in \(quote) per \(base), \(fees); amounts in \(base)"
        return [Table.join(parts, width: screen.width, style: screen.style)]
            + TerminalText.wrap(units, width: screen.width).map { screen.style.paint($0, .dim) }
    }

    private func footer(_ screen: Screen) -> [String] {
        func side(_ shown: Int, _ all: Int, _ noun: String) -> String {
            shown < all ? "\(shown) of \(NumberText.count(all, noun))" : NumberText.count(all, noun)
        }
        var sentences = [
            side(state.asks.count, state.askCount, "ask") + ", "
                + side(state.bids.count, state.bidCount, "bid")
                + (state.asks.count < state.askCount || state.bids.count < state.bidCount
                    ? " (--depth N for more)." : ".")
        ]
        let sent =
            state.relays.isEmpty
            ? "The relay sent \(NumberText.count(state.received, "order"))"
            : "\(state.relays.count { $0.failure == nil }) of "
                + "\(NumberText.count(state.relays.count, "relay")) sent "
                + NumberText.count(state.received, "order")
        sentences.append(state.isRaw ? "\(sent)." : "\(sent), \(state.verified) verified.")
        if !state.dropped.isEmpty { sentences.append(droppedSentence()) }
        if let fees = feeSentence() { sentences.append(fees) }
        if hasBetterUntakable {
            sentences.append("Spread and mid are of the orders that you can take.")
        }
        if let untakeable = untakeableSentence(screen) { sentences.append(untakeable) }
        sentences += sourceSentences()
        return TerminalText.wrap(sentences.joined(separator: " "), width: screen.width)
            .map { screen.style.paint($0, .dim) } + state.warnings.flatMap { screen.warning($0) }
    }

    /// How the watched book learns of changes; empty for a single book.
    private func sourceSentences() -> [String] {
        guard let source = state.source else { return [] }
        func list(_ names: [String]) -> String {
            names.map { TerminalText.clean($0) }.joined(separator: ", ")
        }
        var sentences: [String] = []
        if !source.following.isEmpty {
            sentences.append("Following the feed of \(list(source.following)).")
        }
        if !source.polling.isEmpty {
            let tenths = (source.interval + 50) / 100
            let seconds = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
            sentences.append("Polling \(list(source.polling)) every \(seconds) s.")
        }
        return sentences
    }

    /// Taker fees besides the two tokens of the pair; nil without any.
    private func feeSentence() -> String? {
        let pair = state.pair
        guard let token = state.feeToken,
            ![pair.base.address, pair.quote.address].contains(token.address)
        else { return nil }
        let symbol = PlainText.name(token.symbol)
        guard let rate = state.feeRate else {
            return "Orders charge taker fees in \(symbol) whose value no book here shows: "
                + "prices are without them."
        }
        let price = NumberText.price(rate.price, base: token, quote: pair.quote)
        return "Prices are with taker fees in \(symbol), at \(price) "
            + "\(PlainText.name(pair.quote.symbol)) each."
    }

    /// An order that cannot be taken, such as our own, precedes the best of its side.
    private var hasBetterUntakable: Bool {
        !state.isRaw
            && [state.asks, state.bids].contains { rows in
                rows.first?.isTakeable == false
            }
    }

    /// The rows that cannot be taken, on a screen without the column that says why; nil without any.
    private func untakeableSentence(_ screen: Screen) -> String? {
        guard !Layout(width: screen.width).kinds.contains(.flags) else { return nil }
        let rows = (state.asks + state.bids).filter { !$0.isTakeable }
        guard !rows.isEmpty else { return nil }
        let named = rows.prefix(3).map { row in
            let flags = row.flags.filter { OrderFlag.notForTaking.contains($0) }
            return "\(row.orderHash.hex.prefix(2 + hashDigits)) "
                + flags.map(\.rawValue).joined(separator: " ")
        }
        let more = rows.count > named.count ? ", \(rows.count - named.count) more" : ""
        return "You cannot take: \(named.joined(separator: ", "))\(more)."
    }

    private func droppedSentence() -> String {
        var counts: [String: Int] = [:]
        for order in state.dropped { counts[order.reason.code, default: 0] += order.count }
        let reasons = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key)" }
        return "Left out \(state.dropped.orderCount): \(reasons.joined(separator: ", "))."
    }

    // MARK: Rows

    private struct CumulatedRow {
        let row: OrderbookState.Row
        /// Of this and all better rows that can be taken.
        let total: UInt256
        let counts: Bool
    }

    private func cumulated(_ rows: [OrderbookState.Row]) -> [CumulatedRow] {
        var total = UInt256.zero
        return rows.map { row in
            let counts = row.isTakeable
            if counts { total = total.addingSaturating(row.fillable) }
            return CumulatedRow(row: row, total: total, counts: counts)
        }
    }

    private func cells(
        _ entry: CumulatedRow,
        _ side: TradeSide,
        _ deepest: UInt256,
        _ layout: Layout,
        _ barWidth: Int,
        _ screen: Screen
    ) -> [Table.Cell] {
        let base = state.pair.base
        let color: Style.Color = side == .sell ? .red : .green
        let row = entry.row
        // A maker that sells is a taker's purchase.
        let price = prices.text(row.price, of: side == .sell ? .buy : .sell)
        var cells: [Table.Cell] = []
        for column in layout.kinds {
            switch column {
            case .side:
                cells.append(.init(side == .sell ? "ask" : "bid", entry.counts ? color : .dim))
            case .price: cells.append(.init(price, entry.counts ? color : .dim))
            case .amount:
                let text = NumberText.column(row.fillable, of: base, places: amountPlaces)
                cells.append(.init(text, entry.counts ? nil : .dim))
            case .total:
                let text = NumberText.column(entry.total, of: base, places: amountPlaces)
                cells.append(.init(entry.counts ? text : "-", entry.counts ? nil : .dim))
            case .depth:
                let bar = Bar.text(entry.total, of: deepest, width: barWidth)
                cells.append(.init(entry.counts ? bar : "", color))
            case .expires:
                let text = TimeText.remaining(until: row.expires, now: state.timestamp)
                cells.append(.init(text, .dim))
            case .maker: cells.append(.init(screen.party(row.maker), .dim))
            case .order: cells.append(.init("\(row.orderHash.hex.prefix(2 + hashDigits))", .dim))
            case .flags:
                let text = row.flags.map(\.rawValue).joined(separator: " ")
                cells.append(.init(text, row.flags.contains(.own) ? .cyan : .yellow))
            }
        }
        return cells
    }

    /// The digits of a hash that name one order: by them the shown ones differ, and another order
    /// of the relay has the same by chance in 1 of 100 books.
    private static func hashDigits(_ state: OrderbookState) -> Int {
        let hashes = (state.asks + state.bids).map(\.orderHash.hex)
        var digits = 4
        var starts = 65_536
        while digits < 8, starts < 100 * state.received {
            digits += 1
            starts *= 16
        }
        return ShortHashes.digits(telling: hashes, minimum: digits)
    }

    /// The columns that fit a width.
    private struct Layout {
        enum Kind {
            case side, price, amount, total, depth, expires, maker, order, flags
        }

        let kinds: [Kind]

        init(width: Int) {
            kinds =
                switch width {
                case ..<24: [.price, .amount]
                case ..<30: [.price, .amount, .order]
                case ..<52: [.price, .amount, .depth, .order]
                case ..<72: [.side, .price, .amount, .total, .depth, .order]
                case ..<110: [.side, .price, .amount, .total, .depth, .expires, .order, .flags]
                default:
                    [.side, .price, .amount, .total, .depth, .expires, .maker, .order, .flags]
                }
        }

        func columns(barWidth: Int) -> [Table.Column] {
            kinds.map { kind in
                switch kind {
                case .side: .init("")
                case .price: .init("PRICE", .right)
                case .amount: .init("AMOUNT", .right)
                case .total: .init("TOTAL", .right, dropOrder: 1)
                case .depth: .init(barWidth >= 5 ? "DEPTH" : "", dropOrder: 3)
                case .expires: .init("EXPIRES", dropOrder: 2)
                case .maker: .init("MAKER", dropOrder: 5)
                case .order: .init("ORDER")
                case .flags: .init("NOTES", dropOrder: 0, minimumWidth: 4)
                }
            }
        }
    }
}
