package import DexStore

/// The screen of `dex alert list`.
package typealias AlertsView = StateView<[JournalAlert]>

extension StateView<[JournalAlert]> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.isEmpty else {
            return screen.sentences("There is no alert.")
                + screen.sentences("Add one: dex alert add ZRX/WETH --below 0.00074", .dim)
        }
        return AlertJSON.alert.lines(state, screen)
            + screen.sentences("Alerts are checked while `dex watch` or `dex live` runs.", .dim)
    }
}
