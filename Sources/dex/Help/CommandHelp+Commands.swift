import ArgumentParser
import DexTerminal
import StrictJSON

extension CommandHelp {
    /// The help of a topic.
    ///
    /// - Throws: `JSONError` if ArgumentParser describes a command in a way of its own.
    init(_ topic: HelpTopic) throws(JSONError) {
        switch topic {
        case .options:
            self = .ofOptions(
                try GlobalOptions.parameters(),
                examples: Self.examples(GlobalOptions.examples)
            )
        case .command(let words): try self.init(CommandPath(words))
        }
    }

    /// The help of a command or of a group.
    init(_ path: CommandPath) throws(JSONError) {
        let command = path.command
        let configuration = command.configuration
        let everywhere = Set(try GlobalOptions.parameters().map(\.names))
        self.init(
            name: path.name,
            aliases: configuration.aliases,
            summary: configuration.abstract,
            examples: Self.examples((command as? any DescribedCommand.Type)?.examples ?? [:]),
            discussion: configuration.discussion,
            // A group's description would be that of everything below it.
            parameters: path.isGroup
                ? [] : try Parameter.all(of: command).filter { !everywhere.contains($0.names) },
            groups: Self.groups(configuration)
        )
    }

    private static func examples(_ lines: KeyValuePairs<String, String>) -> [Example] {
        lines.map { Example($0.key, $0.value) }
    }

    private static func groups(_ configuration: CommandConfiguration) -> [MemberGroup] {
        let ungrouped = MemberGroup(
            title: "Commands",
            members: members(configuration.ungroupedSubcommands)
        )
        let titled = configuration.groupedSubcommands.map {
            MemberGroup(title: $0.name, members: members($0.subcommands))
        }
        return ([ungrouped] + titled).filter { !$0.members.isEmpty }
    }

    private static func members(_ commands: [any ParsableCommand.Type]) -> [Member] {
        commands.filter { $0.configuration.shouldDisplay }.map {
            Member(names: $0.spellings, summary: $0.configuration.abstract)
        }
    }
}

extension GlobalOptions {
    /// The options of every command.
    static func parameters() throws(JSONError) -> [CommandHelp.Parameter] {
        try CommandHelp.Parameter.all(of: Self.self)
    }
}

extension CommandHelp.Parameter {
    /// The arguments and options of a command, without `--help`.
    fileprivate static func all(
        of command: any ParsableArguments.Type
    ) throws(JSONError) -> [CommandHelp.Parameter] {
        try CommandArgument.described(command).filter { !$0.names.contains("--help") }
            .map(CommandHelp.Parameter.init)
    }

    private init(_ argument: CommandArgument) {
        self.init(
            kind: argument.kind == .positional
                ? .argument : argument.kind == .flag ? .flag : .option,
            // Short names first: they are what a user learns from the list.
            names: argument.names.sorted { $0.utf8.count < $1.utf8.count },
            value: argument.value,
            text: Self.text(argument),
            section: argument.section,
            isRequired: !argument.isOptional,
            isRepeating: argument.isRepeating
        )
    }

    /// The words of the option, and its values and default where the words leave them out.
    private static func text(_ argument: CommandArgument) -> String {
        var text = argument.abstract
        let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        if !argument.allowed.isEmpty, !words.isSuperset(of: argument.allowed) {
            text += " One of: \(argument.allowed.joined(separator: ", "))."
        }
        if !argument.usual.isEmpty, !text.contains("default") {
            text += " Default: \(argument.usual)."
        }
        return text
    }
}
