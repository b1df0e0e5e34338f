import ArgumentParser
import DexCore

/// The commands of `dex` by their words, for what ArgumentParser reports too late or not at all.
enum CommandTree {
    /// The command of a word among others, by its name or its short form.
    static func find(
        _ word: String,
        in commands: [any ParsableCommand.Type] = Dex.configuration.subcommands
    ) -> (any ParsableCommand.Type)? {
        commands.first { names(of: $0).contains(word) }
    }

    /// The name of a command and its short forms.
    static func names(of command: any ParsableCommand.Type) -> [String] {
        [name(of: command)] + command.configuration.aliases
    }

    static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }

    /// The commands that a user may type.
    static func shown(
        _ commands: [any ParsableCommand.Type] = Dex.configuration.subcommands
    ) -> [any ParsableCommand.Type] {
        commands.filter { $0.configuration.shouldDisplay }
    }

    /// The commands that words lead to, from `dex` on; other words after them are arguments.
    static func path(of words: [String]) -> [any ParsableCommand.Type] {
        var path: [any ParsableCommand.Type] = [Dex.self]
        for word in words {
            guard let next = find(word, in: path[path.count - 1].configuration.subcommands) else {
                break
            }
            path.append(next)
        }
        return path
    }

    /// The words of the command that a command line runs, such as `sandbox up`.
    ///
    /// Of a group alone they are those of its default subcommand.
    static func reportedName(_ arguments: [String]) -> String {
        var path = path(of: arguments)
        while let next = path[path.count - 1].configuration.defaultSubcommand { path.append(next) }
        return path.dropFirst().map(name(of:)).joined(separator: " ")
    }

    /// Parses a command line by the command itself, without the words that name it.
    ///
    /// `Dex.parseAsRoot` gives the same. On its way it asks each command of the words for all its
    /// options several times, which takes longer than all else that a short command does.
    ///
    /// - Throws: ArgumentParser's errors, which name the command without its groups.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let path = path(of: arguments)
        let command = path[path.count - 1]
        let rest = arguments.dropFirst(path.count - 1)
        // The version is the program's, whatever the command.
        guard !rest.contains("--version") else { return try Dex.parseAsRoot(arguments) }
        do {
            return try command.parseAsRoot(Array(rest))
        } catch {
            // ArgumentParser answers a program without arguments with its help.
            guard rest.isEmpty else { throw error }
            return try Dex.parseAsRoot(arguments)
        }
    }

    /// A command has no arguments but options, so that a word after its group is no argument.
    private static func takesNoWords(_ command: any ParsableCommand.Type) -> Bool {
        !CommandArgument.all(of: command).contains { $0.kind == .positional }
    }

    /// The first option that not every command has, and that asks for neither help nor version.
    private static func unknownOption(_ arguments: [String]) -> String? {
        let names = arguments.filter { $0.hasPrefix("-") && $0 != "--" }
            .map { String($0.prefix { $0 != "=" }) }
            .filter {
                !["-h", "--help", "--version"].contains($0) && ShortFlags.letters(of: $0) == nil
            }
        guard !names.isEmpty else { return nil }
        let known = Set(CommandArgument.all(of: PairsCommand.self).flatMap(\.names))
        return names.first { !known.contains($0) }
    }

    /// The word of a command or of a help topic that names nothing; nil if all are known.
    ///
    /// Options are not looked at: a mistyped command would make another command's option unknown.
    static func problem(
        _ arguments: [String],
        ownAliases: () -> [String]
    ) -> ValidationError? {
        let isHelp = arguments.first == "help"
        if isHelp, let unknown = unknownOption(arguments) {
            return ValidationError("Unknown option '\(PlainText.clean(unknown, limit: 100))'.")
        }
        if isHelp, arguments.dropFirst().first == HelpTopic.optionsName { return nil }
        var commands = Dex.configuration.subcommands
        var own = ownAliases
        for word in isHelp ? arguments.dropFirst() : arguments[...] {
            if word.hasPrefix("-") {
                guard isHelp else { return nil }
                continue
            }
            guard let command = find(word, in: commands) else {
                let isFirst = commands.count == Dex.configuration.subcommands.count
                let known =
                    shown(commands).flatMap(names(of:)) + own() + (isFirst ? ["help"] : [])
                return ValidationError(
                    [
                        "There is no command '\(PlainText.clean(word, limit: 100))'.",
                        isFirst && word.lowercased() == "version"
                            ? "Did you mean dex --version?"
                            : Suggestion.question(word, among: known),
                    ].compactMap(\.self).joined(separator: " ")
                )
            }
            // The words after it may be arguments.
            let configuration = command.configuration
            guard !configuration.subcommands.isEmpty,
                isHelp || configuration.defaultSubcommand.map(takesNoWords) ?? true
            else { return nil }
            commands = configuration.subcommands
            own = { [] }
        }
        return nil
    }
}
