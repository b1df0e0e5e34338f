package import DexCore
import Ethereum

/// Shows the checks row by row, with their remedies.
package typealias DoctorView = StateView<DoctorState>

extension StateView<DoctorState> {
    package func lines(_ screen: Screen) -> [String] {
        let network = state.network.map { " of the network \(TerminalText.clean($0))" } ?? ""
        let account = state.account.map { " for \(screen.account($0))" } ?? ""
        return screen.sentences("Check\(network)\(account)", .bold) + [""]
            + state.rows.flatMap { lines($0, screen) } + [""] + screen.sentences(summary)
    }

    private var summary: String {
        let parts = DoctorState.Mark.allCases.compactMap { mark -> String? in
            let count = state.count(mark)
            return count == 0 ? nil : "\(count) \(mark.word)"
        }
        return parts.joined(separator: ", ") + "."
    }

    private func lines(_ row: DoctorState.Row, _ screen: Screen) -> [String] {
        let title = row.check.title
        let label = title + String(repeating: " ", count: DoctorState.Check.width - title.count)
        let mark = row.mark.word
        let padding = String(repeating: " ", count: DoctorState.Mark.width - mark.count)
        let head = screen.style.paint(mark, row.mark.color) + padding + "  " + label + "  "
        let indent = DoctorState.Mark.width + DoctorState.Check.width + 4
        let room = screen.width - indent
        let found = TerminalText.clean(row.found)
        let remedies = (row.remedy ?? "").split(separator: "\n").map {
            "-> " + TerminalText.clean(String($0))
        }
        guard room >= 24 else {
            let first = Table.join(
                [(mark + " " + title, row.mark.color)],
                width: screen.width,
                style: screen.style
            )
            return [first] + screen.sentences(found)
                + remedies.flatMap { screen.sentences($0, .cyan) }
        }
        func indented(_ line: String) -> String {
            // A hash is not broken, so that it can be copied: its line is indented less.
            let space = min(indent, max(0, screen.width - TerminalText.width(of: line)))
            return String(repeating: " ", count: space)
        }
        let reported = TerminalText.wrap(found, width: room).enumerated().map { index, line in
            (index == 0 ? head : indented(line)) + line
        }
        let mending = remedies.flatMap { TerminalText.wrap($0, width: room) }
        return reported + mending.map { indented($0) + screen.style.paint($0, .cyan) }
    }
}

extension DoctorState.Check {
    fileprivate static let width = allCases.map(\.title.count).max() ?? 0
}

extension DoctorState.Mark {
    fileprivate static let width = allCases.map(\.word.count).max() ?? 0

    fileprivate var word: String { self == .skipped ? "skip" : rawValue }

    fileprivate var color: Style.Color {
        switch self {
        case .ok: .green
        case .warn: .yellow
        case .fail: .red
        case .skipped: .dim
        }
    }
}
