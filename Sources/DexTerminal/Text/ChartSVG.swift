package import DexCore
import Ethereum
import ZeroEx

/// A chart as a picture: SVG 1.1 without scripts, fonts or anything loaded from elsewhere.
///
/// A rising candle is hollow and a falling one filled, so nothing depends on colour.
package struct ChartSVG: SVGChart, Sendable {
    private let state: ChartState
    private let mark: String?
    /// Pixels from the left edge and from the top.
    private static let left = 16
    private static let right = 850
    private static let top = 48
    private static let bottom = 380
    private static let volumeTop = 396
    private static let volumeBottom = 476

    /// - Parameter mark: what stands below the title of a state that is old; nil of a fresh one.
    package init(_ state: ChartState, mark: String? = nil) {
        self.state = state
        self.mark = mark
    }

    /// The document, ending in a line break.
    package var text: String {
        let lines =
            [
                SVGElement.tag("title", [], title, in: .values),
                SVGElement.tag(
                    "rect",
                    [("width", "960"), ("height", "512")],
                    fill: .paper,
                    in: .values
                ),
                SVGElement.tag(
                    "text",
                    [("x", "16"), ("y", "28"), ("font-size", "16")],
                    fill: .text,
                    title,
                    in: .values
                ),
            ]
            + (mark.map {
                SVGElement.tag(
                    "text",
                    [("x", "16"), ("y", "44"), ("font-size", "12")],
                    fill: .text,
                    $0,
                    in: .values
                )
            }.map { [$0] } ?? []) + content
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 512\" width=\"960\" "
            + "height=\"512\" font-family=\"monospace\" font-size=\"12\">\n"
            + lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// The picture as an element of a page, whose style sheet has the colours.
    package var element: String {
        var picture = self
        picture.palette = .classes
        return "<svg viewBox=\"0 40 960 468\" role=\"img\" font-size=\"12\">"
            + ([SVGElement.tag("title", [], title, in: .classes)] + picture.content).joined()
            + "</svg>"
    }

    private(set) var palette = SVGElement.Palette.values

    private var title: String {
        "\(state.pair.name), \(CandleInterval.text(state.interval)) candles at block \(state.block)"
    }

    private var content: [String] {
        let slots = state.slots
        return grid() + candles(slots) + volumes(slots) + axis()
    }

    /// Lines with a price at the side.
    private func grid() -> [String] {
        let prices = state.candles.compactMap(\.prices)
        guard let high = prices.map(\.high).max(), let low = prices.map(\.low).min(),
            let scale = PriceScale(prices, state.pair)
        else { return [] }
        return [high, low.midpoint(with: high) ?? low, low].flatMap { price in
            let y = y(price, scale)
            let text = Ratio(price, base: state.pair.base, quote: state.pair.quote)
                .text(significant: 6)
            return [
                line(Self.left, y, Self.right, y, .grid),
                label(Self.right + 8, y + 4, "start", text),
            ]
        }
    }

    private func candles(_ slots: [Candle?]) -> [String] {
        guard let scale = PriceScale(slots.compactMap { $0?.prices }, state.pair) else { return [] }
        return slots.enumerated().flatMap { index, slot -> [String] in
            guard let prices = slot?.prices else { return [] }
            let place = place(index, of: slots.count)
            let (open, close) = (y(prices.open, scale), y(prices.close, scale))
            let cellStyle: SVGElement.CellStyle = prices.isRising ? .rising : .falling
            let middle = place.x + place.width / 2
            return [
                line(middle, y(prices.high, scale), middle, y(prices.low, scale), cellStyle),
                SVGElement.tag(
                    "rect",
                    [
                        ("x", "\(place.x)"), ("y", "\(min(open, close))"),
                        ("width", "\(place.width)"),
                        ("height", "\(max(1, abs(open - close)))"),
                    ],
                    stroke: cellStyle,
                    fill: prices.isRising ? .paper : cellStyle,
                    in: palette
                ),
            ]
        }
    }

    private func volumes(_ slots: [Candle?]) -> [String] {
        let maximum = slots.map { $0?.base ?? .zero }.max() ?? .zero
        guard maximum != .zero else { return [] }
        let room = Self.volumeBottom - Self.volumeTop
        let bars = slots.enumerated().compactMap { index, slot -> String? in
            guard let slot, slot.base != .zero else { return nil }
            let share = UInt256.mulDiv(slot.base, UInt256(UInt64(room)), maximum)?.quotient.w0 ?? 0
            let height = max(1, Int(clamping: share))
            let place = place(index, of: slots.count)
            return SVGElement.tag(
                "rect",
                [
                    ("x", "\(place.x)"), ("y", "\(Self.volumeBottom - height)"),
                    ("width", "\(place.width)"), ("height", "\(height)"),
                ],
                fill: .volume,
                in: palette
            )
        }
        let amount = NumberText.brief(maximum, state.pair.base, .down)
        return bars + [label(Self.right + 8, Self.volumeTop + 8, "start", amount)]
    }

    private func axis() -> [String] {
        [
            label(Self.left, 500, "start", "\(TimeText.minute(state.since)) UTC"),
            label(Self.right, 500, "end", "\(TimeText.minute(state.until)) UTC"),
        ]
    }

    /// Pixels from the left edge, and across.
    private func place(_ index: Int, of count: Int) -> (x: Int, width: Int) {
        let room = Self.right - Self.left
        let first = Self.left + index * room / count
        let next = Self.left + (index + 1) * room / count
        return (first, max(1, (next - first) * 7 / 10))
    }

    private func y(_ price: Price, _ scale: PriceScale) -> Int {
        Self.bottom - scale.place(of: price, among: Self.bottom - Self.top + 1)
    }
}
