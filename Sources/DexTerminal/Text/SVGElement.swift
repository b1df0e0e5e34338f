/// Writes elements of a picture, every value and text escaped.
enum SVGElement {
    /// The way a picture names its colours.
    enum Palette {
        /// By values: a file of its own.
        case values
        /// By classes, `s-` for lines and `f-` for areas: a picture within a page, whose style sheet
        /// knows light and dark screens.
        case classes
    }

    /// What a colour stands for.
    enum CellStyle: String {
        case text
        case label
        case grid
        case paper
        /// Prices that rise, and bids.
        case rising
        /// Prices that fall, and asks.
        case falling
        case volume

        var value: String {
            switch self {
            case .text: "#222222"
            case .label: "#555555"
            case .grid: "#dddddd"
            case .paper: "#ffffff"
            case .rising: "#1a7f37"
            case .falling: "#cf222e"
            case .volume: "#8899aa"
            }
        }
    }

    typealias Attributes = [(name: String, value: String)]

    /// An element with its colours after its attributes.
    static func tag(
        _ name: String,
        _ attributes: Attributes,
        stroke: CellStyle? = nil,
        fill: CellStyle? = nil,
        _ content: String? = nil,
        in palette: Palette
    ) -> String {
        let start = (attributes + colours(stroke, fill, palette)).reduce("<\(name)") {
            $0 + " \($1.name)=\"\(escaped($1.value))\""
        }
        return content.map { "\(start)>\(escaped($0))</\(name)>" } ?? start + "/>"
    }

    private static func colours(_ stroke: CellStyle?, _ fill: CellStyle?, _ palette: Palette)
        -> Attributes
    {
        switch palette {
        case .values:
            return [("stroke", stroke), ("fill", fill)].compactMap { name, cellStyle in
                cellStyle.map { (name, $0.value) }
            }
        case .classes:
            let classes = [stroke.map { "s-\($0.rawValue)" }, fill.map { "f-\($0.rawValue)" }]
                .compactMap { $0 }
            return classes.isEmpty ? [] : [("class", classes.joined(separator: " "))]
        }
    }

    /// A token's symbol is a stranger's text.
    static func escaped(_ text: String) -> String {
        TerminalText.clean(text).reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

/// A chart whose texts and lines are written alike.
protocol SVGChart {
    var palette: SVGElement.Palette { get }
}

extension SVGChart {
    /// A text beside or below what is drawn.
    func label(_ x: Int, _ y: Int, _ anchor: String, _ text: String) -> String {
        SVGElement.tag(
            "text",
            [("x", "\(x)"), ("y", "\(y)"), ("text-anchor", anchor)],
            fill: .label,
            text,
            in: palette
        )
    }

    func line(
        _ x1: Int,
        _ y1: Int,
        _ x2: Int,
        _ y2: Int,
        _ cellStyle: SVGElement.CellStyle
    ) -> String {
        SVGElement.tag(
            "line",
            [("x1", "\(x1)"), ("y1", "\(y1)"), ("x2", "\(x2)"), ("y2", "\(y2)")],
            stroke: cellStyle,
            in: palette
        )
    }
}
