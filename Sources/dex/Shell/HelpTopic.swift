import ArgumentParser

/// The topic of `dex help`.
enum HelpTopic {
    /// The first word after `help` that names no command; nil without one.
    ///
    /// ArgumentParser would show the whole help for it.
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
