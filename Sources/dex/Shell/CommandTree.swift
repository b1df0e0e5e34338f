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

    /// The word of a command or of a help topic that names nothing; nil if all are known.
    ///
    /// Options are not looked at: a mistyped command would make another command's option unknown.
    static func problem(
        _ arguments: [String],
        ownAliases: () -> [String]
    ) -> ValidationError? {
        let isHelp = arguments.first == "help"
        if isHelp, arguments.dropFirst().first == HelpTopic.optionsName { return nil }
        var commands = Dex.configuration.subcommands
        var own = ownAliases
        for word in isHelp ? arguments.dropFirst() : arguments[...] {
            if word.hasPrefix("-") {
                guard isHelp else { return nil }
                continue
            }
            guard let command = find(word, in: commands) else {
                let known = shown(commands).flatMap(names(of:)) + own()
                return ValidationError(
                    [
                        "There is no command '\(PlainText.clean(word, limit: 100))'.",
                        Suggestion.question(word, among: known),
                    ].compactMap(\.self).joined(separator: " ")
                )
            }
            // The words after it may be arguments.
            let configuration = command.configuration
            guard !configuration.subcommands.isEmpty,
                isHelp || configuration.defaultSubcommand == nil
            else { return nil }
            commands = configuration.subcommands
            own = { [] }
        }
        return nil
    }
}
