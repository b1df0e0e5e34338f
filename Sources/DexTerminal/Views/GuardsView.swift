package import DexStore

/// The screen of `dex guard list`.
package typealias GuardsView = StateView<[JournalGuard]>

extension StateView<[JournalGuard]> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.isEmpty else {
            return screen.sentences("There is no guard.")
                + screen.sentences(
                    "Add one: dex guard add sell ZRX/WETH 100 --below 0.0007",
                    .dim
                )
        }
        let width = state.map { String($0.id).count }.max() ?? 1
        return state.flatMap { made in
            let id = String(made.id)
            let number = String(repeating: " ", count: width - id.count) + id
            let text = "\(number)  \(GuardText.state(made)): \(GuardText.terms(made))"
            return TerminalText.wrap(text, width: screen.width - 4).enumerated()
                .map { index, line in
                    (index == 0 ? "" : "    ") + screen.style.paint(line, Self.ink(made))
                }
        } + screen.sentences(GuardText.runs, .dim)
    }

    private static func ink(_ made: JournalGuard) -> Style.Color? {
        switch made.state {
        case .waiting, .ended(exit: 0): nil
        case .firing: .green
        case .interrupted, .ended: .yellow
        }
    }
}
