import DexTerminal
import EthereumWallet
import Glibc

/// Questions, on the terminal itself.
extension Console {
    enum Answer: Sendable {
        case yes
        case no
        case noTerminal
        case interrupted
    }

    /// Asks a question whose default is No, on the terminal itself: stdin may be a file.
    ///
    /// Some plans want a word, which no habit types.
    ///
    /// - Parameter plan: shown before the question on stderr, or on the terminal if stderr goes
    ///   elsewhere.
    func confirm(
        _ question: PlanQuestion,
        about plan: (Screen) -> [String]
    ) async -> Answer {
        guard let terminal = shown(plan) else { return .noTerminal }
        let prompt =
            question.word.map {
                "\(question.text)\n\(question.reason) Type \($0) to go on:"
            }
            ?? question.text + " [y/N]"
        // The words of others in it begin no line of ours.
        let lines = TerminalText.flow(prompt, width: Self.width(STDERR_FILENO))
        switch await terminal.ask(lines.joined(separator: "\n") + " ", isHidden: false) {
        case .interrupted: return .interrupted
        case .ended: return .no
        case .typed(let line):
            let text = line.withBytes { String(decoding: $0, as: UTF8.self) }
            let answer = text.split(separator: " ").joined().lowercased()
            if let word = question.word { return answer == word ? .yes : .no }
            return answer == "y" || answer == "yes" ? .yes : .no
        }
    }

    /// Shows the plan to a user at the terminal, as `confirm` does; nil without a terminal.
    func shown(_ plan: (Screen) -> [String]) -> Terminal? {
        guard let terminal = terminal() else { return nil }
        let text = plan(errorScreen).joined(separator: "\n")
        if errorIsTerminal {
            error(text + "\n")
        } else {
            endProgress()
            terminal.write(text + "\n\n")
        }
        return terminal
    }

    /// The terminal, for other questions; nil without one.
    func terminal() -> Terminal? {
        guard listener == nil else { return nil }
        endProgress()
        return Terminal(interruption)
    }

    /// The user can be asked.
    var hasTerminal: Bool {
        listener == nil && Terminal(interruption) != nil
    }
}
