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
