import DexCore
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
        let open = state.filter { $0.state != .ended(exit: 0) }
        let shown = screen.showsAll ? state : open
        let width = shown.map { String($0.id).count }.max() ?? 1
        return shown.flatMap { made in
            let id = String(made.id)
            let number = String(repeating: " ", count: width - id.count) + id
            let text = "\(number)  \(GuardText.state(made)): \(GuardText.terms(made))"
            let lines = [text, made.neverFires].compactMap { $0 }
                .flatMap { TerminalText.wrap($0, width: screen.width - 4) }
            return lines.enumerated().map { index, line in
                (index == 0 ? "" : "    ") + screen.style.paint(line, Self.ink(made))
            }
        } + leftOut(state.count - shown.count, screen) + screen.sentences(GuardText.runs, .dim)
    }

    private func leftOut(_ count: Int, _ screen: Screen) -> [String] {
        guard count > 0 else { return [] }
        let text =
            count == 1
            ? "One that did what it was to do is left out"
            : "\(count) that did what they were to do are left out"
        return screen.sentences("\(text): dex guard list --all shows all.", .dim)
    }

    private static func ink(_ made: JournalGuard) -> Style.Color? {
        switch made.state {
        case .waiting where made.neverFires != nil: .yellow
        case .waiting, .ended(exit: 0): nil
        case .firing: .green
        case .interrupted, .ended: .yellow
        }
    }
}
