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
        let table = GuardJSON.guardOrder.screenTable(shown, screen)
        let hasStates = table.shows(6, width: screen.width)
        let hasPairs = table.shows(3, width: screen.width)
        var lines = shown.isEmpty ? [] : table.lines(width: screen.width, style: screen.style)
        for (index, guardOrder) in shown.enumerated().reversed() {
            let state =
                hasStates && !GuardText.needsWords(guardOrder)
                ? "waiting" : GuardText.state(guardOrder)
            let pair = hasPairs ? nil : PlainText.pairName(guardOrder.pairName)
            let notes = [pair, guardOrder.neverFires ?? (state == "waiting" ? nil : state)]
                .compactMap { $0 }
                .flatMap { TerminalText.wrap($0, width: screen.width - 4) }
            lines.insert(
                contentsOf: notes.map {
                    "    " + screen.style.paint($0, GuardText.color(guardOrder))
                },
                at: index + 2
            )
        }
        return lines + leftOut(state.count - shown.count, screen)
            + screen.sentences(GuardText.runs, .dim)
    }

    private func leftOut(_ count: Int, _ screen: Screen) -> [String] {
        guard count > 0 else { return [] }
        let text =
            count == 1
            ? "One that did what it was to do is left out"
            : "\(count) that did what they were to do are left out"
        return screen.sentences("\(text): dex guard list --all shows all.", .dim)
    }
}
