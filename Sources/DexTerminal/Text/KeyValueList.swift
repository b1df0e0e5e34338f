/// Labels with values beside them, in wrapped lines.
package struct KeyValueList: Sendable {
    private var facts: [(label: String, value: String, color: Style.Color?)] = []

    package init() {}

    /// Appends a row unless the value is nil.
    package mutating func add(_ label: String, _ value: String?, _ color: Style.Color? = nil) {
        guard let value, !value.isEmpty else { return }
        facts.append((label, value, color))
    }

    package func lines(_ screen: Screen) -> [String] {
        rows(screen).flatMap(\.self)
    }

    /// The lines of each row.
    private func rows(_ screen: Screen) -> [[String]] {
        let labelWidth = facts.map { TerminalText.width(of: $0.label) }.max() ?? 0
        let room = screen.width - labelWidth - 4
        return facts.map { fact -> [String] in
            let padding = String(
                repeating: " ",
                count: labelWidth - TerminalText.width(of: fact.label)
            )
            guard room >= 16 else {
                // Without room beside the label, the value goes below it.
                let values = TerminalText.wrap(fact.value, width: screen.width)
                return [screen.style.paint(fact.label, .dim)]
                    + values.map { screen.style.paint($0, fact.color) }
            }
            let values = TerminalText.wrap(fact.value, width: room)
            return values.enumerated().map { index, value in
                let head =
                    index == 0
                    ? screen.style.paint(fact.label, .dim) + padding
                    : String(repeating: " ", count: labelWidth)
                return "  \(head)  \(screen.style.paint(value, fact.color))"
            }
        }
    }
}

extension Screen {
    /// A title; a narrow screen has it in several lines.
    package func title(_ text: String, _ color: Style.Color = .bold) -> [String] {
        TerminalText.wrap(text, width: width).map { style.paint($0, color) }
    }

    /// Sentences, wrapped and in one colour.
    package func sentences(_ text: String, _ color: Style.Color? = nil) -> [String] {
        TerminalText.wrap(TerminalText.cleanLines(text), width: width)
            .map { style.paint($0, color) }
    }

    /// A warning inside a screen.
    package func warning(_ text: String) -> [String] {
        let lines = TerminalText.wrap("! " + TerminalText.cleanLines(text), width: width)
        return lines.map { style.paint($0, .yellow) }
    }
}
