package import DexCore

/// Shows a message before it is signed.
package typealias MessageView = StateView<MessageState>

extension StateView<MessageState> {
    /// Stands before every line of the message, so that none looks like a line of `dex`.
    private static let margin = "  |"

    package func lines(_ screen: Screen) -> [String] {
        var facts = KeyValueList()
        facts.add("asked by", state.origin.map { TerminalText.clean($0) })
        facts.add("account", TerminalText.clean(state.account))
        facts.add("bytes", String(state.size))
        let room = max(16, screen.width - Self.margin.utf8.count - 1)
        let text = state.lines.flatMap { Self.broken($0, width: room) }
            .map { screen.style.paint(Self.margin, .dim) + ($0.isEmpty ? "" : " " + $0) }
        let warnings = MoneyText.warnings(state.warnings, screen)
        return facts.lines(screen) + [""] + text + (warnings.isEmpty ? [] : [""] + warnings)
    }

    /// The question repeats who asks.
    package var question: PlanQuestion {
        PlanQuestion(
            state.origin.map { "Sign this message for \(TerminalText.clean($0))?" }
                ?? "Sign this message?"
        )
    }

    /// A line as it is, spaces too, in pieces that fit: nothing of it begins a line of the terminal.
    private static func broken(_ line: String, width: Int) -> [String] {
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var used = 0
        for scalar in line.unicodeScalars {
            let columns = TerminalText.width(of: scalar)
            if used + columns > width {
                pieces.append(String(piece))
                (piece, used) = (String.UnicodeScalarView(), 0)
            }
            piece.append(scalar)
            used += columns
        }
        return pieces + [String(piece)]
    }
}
