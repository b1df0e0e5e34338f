import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import StrictJSON

/// `dex alias`: the user's own commands.
struct AliasCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Give a command line of dex a name of your own.",
        discussion: """
            dex alias set zb 'market-buy ZRX/WETH', then dex zb 100. What follows the alias is \
            added to its words. The aliases are in [aliases] of config.toml.
            """,
        subcommands: [SetAlias.self, List.self, Remove.self],
        defaultSubcommand: List.self
    )
    static let examples: Examples = [
        "Shorten what you often type": "dex alias set b 'book ZRX/WETH --depth 3'",
        "See all short forms": "dex alias list",
    ]
    static let completions: [String: CompletionSource] = ["name": .aliases]

    struct SetAlias: DexCommand {
        static var answer: Answer? { .aliasSet }
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Make an alias, or change one."
        )
        static let examples: Examples = [
            "A book by one letter": "dex alias set b 'book ZRX/WETH --depth 3'",
            "A command as one account": "dex alias set mine 'orders --mine -w alice'",
        ]
        @Argument(help: "The name: letters, digits, - and _.")
        var name: String
        @Argument(help: "What it stands for, as one text: 'market-buy ZRX/WETH'.")
        var command: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            guard SettingKind.isName(name), !name.hasPrefix("-") else {
                throw ArgumentError.badLabel(name)
            }
            guard name != HelpTopic.word, CommandPath.root.member(name) == nil else {
                throw ArgumentError.aliasOfCommand(name)
            }
            let words = CommandWords.split(command) ?? []
            guard let first = words.first, CommandPath.root.member(first) != nil else {
                let known = Dex.shownMembers.flatMap { $0.spellings }
                throw ArgumentError.aliasOfNothing(command, known: known)
            }
            var settings = try context.settings()
            try settings.file.set([([SettingsSchema.aliases, name], .text(command))])
            if !options.isDryRun { try context.config.save(settings) }
            let line = "dex \(name) is now: dex \(command)"
            return context.changed(["name": .string(name), "command": .string(command)]) { _ in
                [TerminalText.clean(line)]
            }
        }
    }

    struct List: ListingCommand {
        static var answer: Answer? { Answer(AliasJSON.list) }
        static var rows: Fields<AliasJSON.Entry> { AliasJSON.entry }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the short forms of dex and your own aliases."
        )
        static let examples: Examples = [
            "All short forms": "dex alias list",
            "For a script": "dex alias list -j",
        ]
        @OptionGroup var list: ListOptions<List>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let built = Dex.shownMembers.flatMap { command in
                command.configuration.aliases.map {
                    AliasJSON.Entry(
                        name: $0,
                        command: command.word,
                        isBuiltIn: true
                    )
                }
            }
            let file = try context.settings().file
            let own = file.values.filter { $0.key.first == SettingsSchema.aliases }
                .map {
                    AliasJSON.Entry(name: $0.key[1], command: $0.value.text, isBuiltIn: false)
                }
            var entries = built.sorted { $0.name < $1.name } + own.sorted { $0.name < $1.name }
            let left = list.selection().apply(to: &entries)
            return report(
                context,
                AliasJSON.list,
                entries,
                left: left
            ) { [entries] screen in
                entries.map { entry in
                    TerminalText.truncate(
                        TerminalText.clean("\(entry.name) = \(entry.command)"),
                        to: screen.isVerbose ? .max : screen.width
                    )
                }
            }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { .aliasRemove }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove one of your aliases."
        )
        static let examples: Examples = [
            "Forget an alias": "dex alias remove b",
            "See what is left": "dex alias list",
        ]
        @Argument(help: "The alias.")
        var name: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var settings = try context.settings()
            let known = settings.aliases.map(\.name)
            guard known.contains(name) else {
                throw ArgumentError.noSuchAlias(name, known: known)
            }
            _ = try settings.file.unset([SettingsSchema.aliases, name])
            if !options.isDryRun { try context.config.save(settings) }
            let line = "The alias \(name) is removed."
            return context.changed(["name": .string(name)]) { _ in [line] }
        }
    }
}
