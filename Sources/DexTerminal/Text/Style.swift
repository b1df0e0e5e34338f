/// The marks of colours in a text.
package enum Style: Sendable {
    /// Without colours: pipes, `NO_COLOR`, `--no-color`.
    case plain
    /// By ANSI escape sequences.
    case ansi
    /// By visible marks, `<green>…</>`, for tests.
    case marked

    /// The colours; no meaning depends on colour alone.
    package enum Color: String, Sendable {
        case green
        case red
        case yellow
        case cyan
        case bold
        case dim

        var code: String {
            switch self {
            case .green: "32"
            case .red: "31"
            case .yellow: "33"
            case .cyan: "36"
            case .bold: "1"
            case .dim: "2"
            }
        }
    }

    /// The text in a colour; an empty text stays empty.
    package func paint(_ text: String, _ color: Color?) -> String {
        guard let color, !text.isEmpty else { return text }
        return switch self {
        case .plain: text
        case .ansi: "\u{1B}[\(color.code)m\(text)\u{1B}[0m"
        case .marked: "<\(color.rawValue)>\(text)</>"
        }
    }
}
