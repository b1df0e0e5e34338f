/// The help of a command on a terminal: what it does, examples, and the details behind them.
package typealias HelpView = StateView<CommandHelp>

extension StateView<CommandHelp> {
    private static var indent: String { "  " }
    /// Longer lines are hard to read, however wide the terminal is.
    private static var widest: Int { 100 }
    /// With fewer columns, a text stands below what it explains, not beside it.
    private static var minimumBeside: Int { 60 }
    private static var widestLabel: Int { 24 }

    package func lines(_ screen: Screen) -> [String] {
        let screen = Screen(
            width: min(screen.width, Self.widest),
            style: screen.style,
            now: screen.now
        )
        let options = state.optionSections.map { section in
            list(section.title, section.options.map { ($0.label, $0.text) }, screen)
        }
        let members = state.groups.map { group in
            list(
                group.title,
                group.members.map { ($0.names.joined(separator: ", "), $0.summary) },
                screen
            )
        }
        var blocks = [screen.sentences(state.summary), examples(screen), usage(screen)]
        blocks.append(state.discussion.isEmpty ? [] : screen.sentences(state.discussion))
        blocks.append(list("Arguments", state.arguments.map { ($0.label, $0.text) }, screen))
        blocks += options + members
        blocks.append(screen.sentences(ending, .dim))
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private var ending: String {
        guard !state.isOfOptions else { return "More about a command: dex help COMMAND" }
        let everywhere = "Options of every command, such as --json: dex help options"
        guard !state.groups.isEmpty else { return everywhere }
        let words = state.name.split(separator: " ").dropFirst() + ["COMMAND"]
        return "More about one of them: dex help \(words.joined(separator: " "))\n" + everywhere
    }

    private func usage(_ screen: Screen) -> [String] {
        let label = "Usage: "
        let lines = hanging(
            [state.name] + state.usage,
            indent: String(repeating: " ", count: label.count),
            screen
        )
        let names = state.aliases.map { "dex \($0)" }
        return [screen.style.paint(label, .bold) + lines[0].dropFirst(label.count)]
            + lines.dropFirst()
            + (names.isEmpty ? [] : ["Short: " + names.joined(separator: ", ")])
    }

    private func examples(_ screen: Screen) -> [String] {
        guard !state.examples.isEmpty else { return [] }
        return [screen.style.paint("Examples:", .bold)]
            + state.examples.flatMap { example in
                let purpose = TerminalText.wrap(
                    example.purpose,
                    width: max(1, screen.width - Self.indent.count - 2)
                )
                return purpose.map { Self.indent + screen.style.paint("# " + $0, .dim) }
                    + command(example.line, screen)
            }
    }

    /// A command line; where it is broken, a shell still takes it as one.
    private func command(_ line: String, _ screen: Screen) -> [String] {
        let deeper = Self.indent + Self.indent
        let mark = " \\"
        var rows: [String] = []
        for word in ExampleWords.groups(line) {
            guard let last = rows.last else {
                rows.append(Self.indent + word)
                continue
            }
            if last.count + 1 + word.count + mark.count <= screen.width {
                rows[rows.count - 1] += " " + word
            } else {
                rows[rows.count - 1] += mark
                rows.append(deeper + word)
            }
        }
        return rows
    }

    private func hanging(_ words: [String], indent: String, _ screen: Screen) -> [String] {
        var rows = [indent]
        for word in words {
            let last = rows[rows.count - 1]
            let isFirst = last == indent
            if isFirst || last.count + 1 + word.count <= screen.width {
                rows[rows.count - 1] += (isFirst ? "" : " ") + word
            } else {
                rows.append(indent + word)
            }
        }
        return rows
    }

    /// Names with their texts, beside each other or, on a narrow screen, below each other.
    private func list(
        _ title: String,
        _ entries: [(label: String, text: String)],
        _ screen: Screen
    ) -> [String] {
        guard !entries.isEmpty else { return [] }
        let fitting = entries.map(\.label.count).filter { $0 <= Self.widestLabel }
        let isBeside = screen.width >= Self.minimumBeside
        let column = isBeside ? Self.indent.count + (fitting.max() ?? 4) + 2 : 6
        let margin = String(repeating: " ", count: column)
        return [screen.style.paint(title + ":", .bold)]
            + entries.flatMap { entry in
                let label = Self.indent + entry.label
                let texts = TerminalText.wrap(entry.text, width: max(1, screen.width - column))
                    .map { margin + $0 }
                guard isBeside, label.count + 2 <= column, let first = texts.first else {
                    return [label] + texts
                }
                return [label + first.dropFirst(label.count)] + texts.dropFirst()
            }
    }
}

/// The words of an example as they are written, with their quotes.
enum ExampleWords {
    /// The words, an option with its value in one: a line is not broken between them.
    static func groups(_ line: String) -> [String] {
        var groups: [String] = []
        for word in split(line) {
            if let last = groups.last, last.hasPrefix("-"), !last.contains(" "),
                !word.hasPrefix("-")
            {
                groups[groups.count - 1] += " " + word
            } else {
                groups.append(word)
            }
        }
        return groups
    }

    /// `dex alias set b 'book ZRX/WETH'` has five words.
    static func split(_ line: String) -> [String] {
        var words = [""]
        var quote: Character?
        for character in line {
            if character == " ", quote == nil {
                words.append("")
                continue
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            }
            words[words.count - 1].append(character)
        }
        return words
    }
}
