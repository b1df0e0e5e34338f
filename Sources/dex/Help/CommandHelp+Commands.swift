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
                examples: CommandExamples.ofOptions
            )
        case .command(let words): try self.init(CommandTree.path(of: words))
        }
    }

    /// The help of a command, which its parents lead to; `dex` itself comes first.
    init(_ path: [any ParsableCommand.Type]) throws(JSONError) {
        let command = path.last ?? Dex.self
        let configuration = command.configuration
        let name = path.map(CommandTree.name(of:)).joined(separator: " ")
        let isGroup = !configuration.subcommands.isEmpty
        let everywhere = Set(try GlobalOptions.parameters().map(\.names))
        self.init(
            name: name,
            aliases: configuration.aliases,
            summary: configuration.abstract,
            examples: CommandExamples.of(name),
            discussion: configuration.discussion,
            // A group's description would be that of everything below it.
            parameters: isGroup
                ? [] : try command.parameters().filter { !everywhere.contains($0.names) },
            groups: Self.groups(configuration)
        )
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
        CommandTree.shown(commands).map {
            Member(names: CommandTree.names(of: $0), summary: $0.configuration.abstract)
        }
    }
}

extension ParsableArguments {
    /// The arguments and options, as ArgumentParser describes them to tools.
    static func parameters() throws(JSONError) -> [CommandHelp.Parameter] {
        let description = try JSONParser.parse(text: _dumpHelp())
        let all = description["command"]?["arguments"]?.arrayValue ?? []
        return all.compactMap(CommandHelp.Parameter.init)
    }
}

extension CommandHelp.Parameter {
    /// - Returns: nil for what is hidden, and for `--help`.
    fileprivate init?(_ description: JSONValue) {
        guard description["shouldDisplay"]?.boolValue == true,
            let kind = description["kind"]?.stringValue
        else { return nil }
        // Short names first: they are what a user learns from the list.
        let names = (description["names"]?.arrayValue ?? []).compactMap(Self.name)
            .sorted { $0.utf8.count < $1.utf8.count }
        guard !names.contains("--help") else { return nil }
        self.init(
            kind: kind == "positional" ? .argument : kind == "flag" ? .flag : .option,
            names: names,
            value: description["valueName"]?.stringValue ?? "",
            text: Self.text(description),
            section: description["sectionTitle"]?.stringValue,
            isRequired: description["isOptional"]?.boolValue == false,
            isRepeating: description["isRepeating"]?.boolValue == true
        )
    }

    private static func name(_ description: JSONValue) -> String? {
        description["name"]?.stringValue.map {
            (description["kind"]?.stringValue == "long" ? "--" : "-") + $0
        }
    }

    /// The words of the option, and its values and default where the words leave them out.
    private static func text(_ description: JSONValue) -> String {
        var text = description["abstract"]?.stringValue ?? ""
        let values = (description["allValues"]?.arrayValue ?? []).compactMap(\.stringValue)
        let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        if !values.isEmpty, !words.isSuperset(of: values) {
            text += " One of: \(values.joined(separator: ", "))."
        }
        let standard = description["defaultValue"]?.stringValue ?? ""
        if !standard.isEmpty, !text.contains("default") {
            text += " Default: \(standard)."
        }
        return text
    }
}
