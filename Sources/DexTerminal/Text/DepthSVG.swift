package import DexCore
import Ethereum
import ZeroEx

/// The depth of a book as an element of a page: how much can be bought or sold up to each price.
///
/// Prices far from the best one are left out, since a single absurd order would hide all others.
package struct DepthSVG: SVGChart, Sendable {
    private let book: OrderbookState
    let palette = SVGElement.Palette.classes
    /// From the best price of a side, in hundredths of a percent of it: a fifth.
    private static let farthest: UInt64 = 2_000
    private static let left = 16
    private static let right = 850
    private static let top = 16
    private static let bottom = 216

    package init(_ book: OrderbookState) { self.book = book }

    /// A price, and what can be filled up to it in base units of BASE.
    private struct Step {
        let price: Price
        let total: UInt256
    }

    /// nil for an empty book.
    package var element: String? {
        let (bids, asks) = (Self.steps(book.bids), Self.steps(book.asks))
        let all = bids + asks
        guard let maximum = all.map(\.total).max(), maximum != .zero,
            let scale = PriceScale(of: all.map(\.price), book.pair)
        else { return nil }
        let title = "Depth of \(book.pair.name)"
        let lines =
            [SVGElement.tag("title", [], title, in: .classes)]
            + [0, 1, 2].flatMap { grid($0, maximum) }
            + area(bids, scale, maximum, .rising, to: Self.left)
            + area(asks, scale, maximum, .falling, to: Self.right)
            + axis(all)
        return "<svg viewBox=\"0 0 960 240\" role=\"img\" font-size=\"12\">"
            + lines.joined() + "</svg>"
    }

    private static func steps(_ rows: [OrderbookState.Row]) -> [Step] {
        guard let best = rows.first?.price else { return [] }
        var total = UInt256.zero
        return rows.prefix { $0.price.basisPoints(from: best) <= farthest }.map { row in
            total = total.addingSaturating(row.fillable)
            return Step(price: row.price, total: total)
        }
    }

    private func x(_ price: Price, _ scale: PriceScale) -> Int {
        Self.left + scale.place(of: price, among: Self.right - Self.left + 1)
    }

    private func y(_ total: UInt256, _ maximum: UInt256) -> Int {
        let room = UInt256(UInt64(Self.bottom - Self.top))
        return Self.bottom - Int(clamping: UInt256.mulDiv(total, room, maximum)?.quotient.w0 ?? 0)
    }

    /// The stairs of a side, from its best price to the picture's edge.
    private func area(
        _ steps: [Step],
        _ scale: PriceScale,
        _ maximum: UInt256,
        _ cellStyle: SVGElement.CellStyle,
        to edge: Int
    ) -> [String] {
        guard let first = steps.first else { return [] }
        var points = ["\(x(first.price, scale)),\(Self.bottom)"]
        var height = Self.bottom
        for step in steps {
            let place = x(step.price, scale)
            points.append("\(place),\(height)")
            height = y(step.total, maximum)
            points.append("\(place),\(height)")
        }
        points.append("\(edge),\(height)")
        let outline = points.joined(separator: " ")
        return [
            "<g class=\"area\">"
                + SVGElement.tag(
                    "polygon",
                    [("points", outline + " \(edge),\(Self.bottom)")],
                    fill: cellStyle,
                    in: .classes
                ) + "</g>",
            SVGElement.tag(
                "polyline",
                [("points", outline), ("fill", "none"), ("stroke-width", "1.5")],
                stroke: cellStyle,
                in: .classes
            ),
        ]
    }

    /// A line at none, half or all of the depth, with the amount beside it.
    private func grid(_ halves: UInt64, _ maximum: UInt256) -> [String] {
        let amount = UInt256.mulDiv(maximum, UInt256(halves), 2)?.quotient ?? .zero
        let y = y(amount, maximum)
        let line = line(Self.left, y, Self.right, y, .grid)
        guard halves > 0 else { return [line] }
        let text = NumberText.brief(amount, book.pair.base, .down)
        return [line, label(Self.right + 8, y + 4, "start", text)]
    }

    /// The lowest and the highest price.
    private func axis(_ steps: [Step]) -> [String] {
        guard let low = steps.map(\.price).min(), let high = steps.map(\.price).max() else {
            return []
        }
        func text(_ price: Price) -> String {
            Ratio(price, base: book.pair.base, quote: book.pair.quote).text(significant: 6)
        }
        return [
            label(Self.left, 234, "start", text(low)),
            label(Self.right, 234, "end", text(high)),
        ]
    }
}
