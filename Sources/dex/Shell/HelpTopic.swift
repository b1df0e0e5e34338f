import ArgumentParser

/// What `dex help` is asked about.
enum HelpTopic {
    /// The first word behind `help` that names no command; nil where all do, or where no help is
    /// asked for.
    ///
    /// ArgumentParser shows the whole help for it, as if that had been wanted.
    static func unknown(_ arguments: [String]) -> String? {
        guard arguments.first == "help" else { return nil }
        var commands = Dex.configuration.subcommands
        for word in arguments.dropFirst() where !word.hasPrefix("-") {
            guard let command = commands.first(where: { $0.configuration.commandName == word })
            else { return word }
            commands = command.configuration.subcommands
        }
        return nil
    }
}
