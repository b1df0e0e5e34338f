import DexCore
import Ethereum
import ZeroEx

/// The picker of pairs: the list with the last prices, the line that narrows it below.
extension LivePairPicker {
    /// Lines of the list that the sheet has room for, so that it keeps its size while one types.
    private static let fewestLines = 10

    func sheet(_ screen: Screen) -> LiveSheet {
        let prompt = "> "
        var lines = table(screen)
        if let note { lines += screen.sentences(note.text, note.color) }
        let room = min(count + 1, Self.fewestLines)
        lines += Array(repeating: "", count: max(0, room - lines.count))
        return LiveSheet(
            title: "Another pair: type to narrow, Enter takes it, Esc leaves",
            lines: lines,
            last: [prompt + line.string],
            cursor: prompt.count + TerminalText.width(of: String(line.text.prefix(line.cursor))),
            choice: choices.isEmpty ? nil : selected + 1,
            choices: choices.isEmpty ? 0..<0 : 1..<1 + choices.count
        )
    }

    /// What there is to say below the list.
    private var note: (text: String, color: Style.Color)? {
        if isReading { return ("Reading the relay's pairs.", .dim) }
        if let problem {
            return ("The pairs could not be read: \(problem.message) Type BASE/QUOTE.", .yellow)
        }
        return choices.isEmpty ? ("No pair: type BASE/QUOTE.", .dim) : nil
    }

    /// A head and a line for each choice; nothing without any.
    private func table(_ screen: Screen) -> [String] {
        guard !choices.isEmpty else { return [] }
        var table = Table([
            .init(""), .init("PAIR"), .init("LAST", .right), .init("TRADES", .right, dropOrder: 2),
            .init("", dropOrder: 1),
        ])
        for (index, choice) in choices.enumerated() {
            let mark = Table.Cell(index == selected ? ">" : " ", .cyan)
            switch choice {
            case .listed(let row):
                table.add([
                    mark, .init(row.pair.shownName, .bold),
                    .init(row.volume?.last.map { NumberText.price($0, row.pair) } ?? "-"),
                    .init(row.volume.map { "\($0.trades)" } ?? "-", .dim),
                    .init(row.isKnown ? "" : "not in the token map", .yellow),
                ])
            case .typed(let text):
                table.add([
                    mark, .init(TerminalText.clean(text)), .init("-"), .init("-", .dim),
                    .init("as typed", .dim),
                ])
            }
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}
