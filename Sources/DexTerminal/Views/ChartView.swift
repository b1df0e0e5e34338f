package import DexCore
import Ethereum
import ZeroEx

/// Draws candles in braille, one character wide, and their volume in blocks below.
///
/// The body goes from the first to the last price, the wick from the lowest to the highest. A wick
/// is left where the price rose and right where it fell, so nothing depends on colour.
package typealias ChartView = StateView<ChartState>

extension StateView<ChartState> {
    private static var volumeRows: Int { 3 }

    package func lines(_ screen: Screen) -> [String] {
        let pair = state.pair
        let name = pair.shownName
        let interval = CandleInterval.text(state.interval)
        let title = screen.title("\(name), \(interval) candles at block \(state.block)")
        guard !state.candles.isEmpty else {
            return title
                + screen.sentences(
                    "No trade since \(TimeText.zoned(UInt256(state.since), screen)). "
                        + "An earlier time: dex chart \(pair.word) --interval \(interval) --since 30d"
                )
        }
        let all = state.slots
        // The labels' room first: they are those of the candles that fit without any.
        let labels = labels(Array(all.suffix(screen.width)))
        let labelWidth =
            (labels + [volumeLabel(all.suffix(screen.width))])
            .map { TerminalText.width(of: $0) }.max() ?? 0
        let hasLabels = screen.width >= labelWidth + 14
        let room = hasLabels ? screen.width - labelWidth - 2 : screen.width
        let slots = Array(all.suffix(max(1, room)))
        return title + [""] + drawn(slots, hasLabels, screen)
            + axis(slots.count, of: all.count, screen) + [""] + facts(slots, all, screen)
    }

    /// The highest, middle and lowest price.
    private func labels(_ slots: [Candle?]) -> [String] {
        let prices = slots.compactMap { $0?.prices }
        guard let high = prices.map(\.high).max(), let low = prices.map(\.low).min() else {
            return []
        }
        return [high, low.midpoint(with: high) ?? low, low].map {
            Ratio($0, base: state.pair.base, quote: state.pair.quote).text(significant: 6)
        }
    }

    /// The largest volume of an interval.
    private func volumeLabel(_ slots: some Sequence<Candle?>) -> String {
        let maximum = slots.map { $0?.base ?? .zero }.max() ?? .zero
        return ProfitText.short(SignedAmount(maximum, minus: .zero), state.pair.base)
    }

    private func drawn(_ slots: [Candle?], _ hasLabels: Bool, _ screen: Screen) -> [String] {
        let height = screen.width < 60 ? 8 : 12
        var canvas = BrailleCanvas(width: slots.count, height: height)
        if let scale = PriceScale(slots.compactMap { $0?.prices }, state.pair) {
            for (column, slot) in slots.enumerated() {
                guard let prices = slot?.prices else { continue }
                canvas.candle(prices, column: column, scale)
            }
        }
        let labels = hasLabels ? labels(slots) : []
        var lines: [String] = []
        for row in 0..<height {
            let label =
                [0: 0, height / 2: 1, height - 1: 2][row].flatMap { index in
                    labels.indices.contains(index) ? labels[index] : nil
                }
            lines.append(
                line(slots, label, screen) { canvas.character(column: $0, row: row) }
            )
        }
        let maximum = slots.map { $0?.base ?? .zero }.max() ?? .zero
        let eighths = slots.map { self.eighths($0?.base ?? .zero, of: maximum) }
        let volume = volumeLabel(slots)
        for row in (0..<Self.volumeRows).reversed() {
            let isTop = row == Self.volumeRows - 1 && hasLabels
            lines.append(
                line(slots, isTop ? volume : nil, screen) {
                    Sparkline.block(eighths[$0], row: row)
                }
            )
        }
        return lines
    }

    /// Eighths of a character in all rows of the volume; anything above zero shows one.
    private func eighths(_ amount: UInt256, of maximum: UInt256) -> Int {
        guard amount != .zero, maximum != .zero else { return 0 }
        let all = UInt256(UInt64(Self.volumeRows * 8))
        let share = UInt256.mulDiv(amount, all, maximum)?.quotient.w0 ?? 0
        return max(1, Int(clamping: share))
    }

    private func line(
        _ slots: [Candle?],
        _ label: String?,
        _ screen: Screen,
        _ character: (Int) -> String
    ) -> String {
        var parts: [(text: String, color: Style.Color?)] = []
        for (column, slot) in slots.enumerated() {
            let text = character(column)
            let color: Style.Color? = slot?.prices.map { $0.isRising ? .green : .red }
            let shown = text == " " ? nil : color
            // Neighbours of one colour are one part: fewer escape sequences.
            if let last = parts.last, last.color == shown {
                parts[parts.count - 1].text += text
            } else {
                parts.append((text, shown))
            }
        }
        if let label { parts.append(("  \(label)", .dim)) }
        return Table.join(parts, width: screen.width, style: screen.style)
    }

    /// The first and the last time under the columns that they belong to.
    private func axis(_ count: Int, of all: Int, _ screen: Screen) -> [String] {
        let first = state.since + UInt64(all - count) * state.interval
        func minute(_ time: UInt64) -> String {
            String(TimeText.local(time, screen.zone.offset(time)).prefix(16).dropFirst(5))
        }
        let from = minute(first)
        let to = "\(minute(state.until)) \(screen.zone.offset(state.until).name)"
        let gap = count - from.count - to.count
        let text = gap > 0 ? from + String(repeating: " ", count: gap) + to : from
        return [Table.join([(text, .dim)], width: screen.width, style: screen.style)]
    }

    private func facts(_ slots: [Candle?], _ all: [Candle?], _ screen: Screen) -> [String] {
        let pair = state.pair
        func price(_ price: Price?) -> String? {
            price.map {
                NumberText.price($0, base: pair.base, quote: pair.quote) + " "
                    + PlainText.name(pair.quote.symbol)
            }
        }
        let prices = state.candles.compactMap(\.prices)
        var facts = KeyValueList()
        facts.add("last", price(prices.last?.close))
        facts.add("high", price(prices.map(\.high).max()))
        facts.add("low", price(prices.map(\.low).min()))
        facts.add("volume", MarketText.volume(state.summary, pair))
        facts.add("trades", "\(state.summary.trades)")
        let gaps = all.count { $0 == nil }
        var notes =
            "Wick left: the price rose. Wick right: it fell. "
            + (gaps == 0
                ? "Every interval has a trade."
                : "Blank: no trade, \(gaps) of \(NumberText.count(all.count, "interval")).")
        if slots.count < all.count {
            notes += " The last \(slots.count) fit this width; --svg and --json have all."
        }
        return facts.lines(screen) + [""] + screen.sentences(notes + " Times are UTC.", .dim)
    }
}
