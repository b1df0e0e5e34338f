import ArgumentParser
import DexCore

/// `dex __complete WORDS…`: what the shells' completions ask, with the word being typed as the last.
///
/// Each line is a value, a tab and a note. `:files` lets the shell complete names of files.
struct CompletionRequest {
    static let word = "__complete"

    let environment: ProcessEnvironment
    let interruption: Interruption

    /// Prints the lines of an answer.
    func answer(_ words: [String]) -> ExitCode {
        let lines = lines(words)
        return lines.isEmpty ? .done : Console.print(lines: lines)
    }

    /// The lines of an answer; none if the local store cannot be read, since a shell that completes
    /// has no place for an error.
    func lines(_ words: [String]) -> [String] {
        do {
            return try offered(words)
        } catch {
            return []
        }
    }

    private func offered(_ words: [String]) throws -> [String] {
        let settings = SettingsReading(environment)
        // The word that is being typed is no alias yet.
        let line = CompletionLine(
            words.count > 1 ? try TypedLine.expanded(words, settings) : words
        )
        let values = CompletionValues(context: try context(line, settings), line: line)
        var items: [CompletionItem]
        switch line.place {
        case .nothing: items = []
        case .command:
            items = commands(line)
            if line.path.words.isEmpty, !line.isHelp { items += own(values) }
        case .optionName: items = options(line)
        case .value(let argument):
            if argument.takesFile(line.prefix) { return [":files"] }
            items = try values.items(for: argument)
        }
        var seen: Set<String> = []
        return items.filter { item in
            item.begins(with: line.prefix) && seen.insert(item.value).inserted
        }
        .map { $0.line(after: line.lead) }
    }

    private func context(
        _ line: CompletionLine,
        _ settings: SettingsReading
    ) throws -> CommandContext {
        var options = ["--quiet"]
        for name in ["--network", "--wallet"] {
            if let value = line.given[name] { options += ["\(name)=\(value)"] }
        }
        return CommandContext(
            options: try GlobalOptions.parse(options),
            environment: environment,
            console: Console(
                settings: Console.Settings(
                    isJSON: false,
                    isQuiet: true,
                    isVerbose: false,
                    isColourless: true
                ),
                environment: environment,
                interruption: interruption
            ),
            name: Self.word,
            config: settings
        )
    }

    /// The commands below the last one; short forms are for typing, not for choosing.
    private func commands(_ line: CompletionLine) -> [CompletionItem] {
        let help =
            line.path.words.isEmpty && !line.isHelp
            ? [CompletionItem(value: HelpTopic.word, note: "Show the help of a command.")] : []
        return line.path.command.shownMembers.map {
            CompletionItem(value: $0.word, note: $0.configuration.abstract)
        } + help
    }

    /// The user's aliases; without readable settings the commands alone.
    private func own(_ values: CompletionValues) -> [CompletionItem] {
        (try? values.aliases()) ?? []  // none: see above
    }

    private func options(_ line: CompletionLine) -> [CompletionItem] {
        line.arguments.filter { $0.kind != .positional }.flatMap { argument in
            argument.names.filter { $0.hasPrefix("--") && line.given[$0] == nil }.map {
                CompletionItem(value: $0, note: argument.abstract)
            }
        }
    }
}
