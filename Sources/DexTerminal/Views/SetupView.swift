package import DexCore

/// The end of `dex init`: the checkup, what is missing, and what to type next.
package typealias SetupView = StateView<SetupState>

extension StateView<SetupState> {
    package func lines(_ screen: Screen) -> [String] {
        guard let checkup = state.checkup else { return plan(screen) }
        return DoctorView(checkup).lines(screen) + [""] + ending(screen)
    }

    /// What a dry run would write.
    private func plan(_ screen: Screen) -> [String] {
        var lines = screen.sentences(
            state.changes.isEmpty
                ? "It would change nothing in \(state.file)." : "It would set in \(state.file):"
        )
        // One line each, to be copied.
        lines += state.changes.map { TerminalText.clean("  \($0.key) = \($0.value)") }
        if let wallet = state.wallet, wallet.address == nil {
            lines += screen.sentences("It would add the wallet \(wallet.name).")
        }
        return lines
    }

    private func ending(_ screen: Screen) -> [String] {
        let missing = state.missing.flatMap { missing in
            screen.sentences("Missing is \(missing.what):", .yellow) + ["  \(missing.command)"]
        }
        let explorer =
            state.explorer.map { ["See its chain and markets in a browser: \($0)"] } ?? []
        return missing + explorer + ["Next: \(state.next)"]
    }
}
