import ArgumentParser

/// A command with the groups that lead to it, from `dex` on: `dex`, `wallet`, `new`.
struct CommandPath: Sendable {
    let commands: [any ParsableCommand.Type]

    private init(_ commands: [any ParsableCommand.Type]) {
        self.commands = commands
    }

    /// `dex` itself.
    static let root = CommandPath([Dex.self])

    /// The command that words lead to; other words after them are arguments.
    init(_ words: some Sequence<String>) {
        self =
            words.reduce(into: (Self.root, true)) { found, word in
                guard found.1, let next = found.0.member(word) else { return found.1 = false }
                found.0 = next
            }.0
    }

    /// All commands and groups that a user may type, in the order of the help.
    static let all: [CommandPath] = {
        func all(_ path: CommandPath) -> [CommandPath] { [path] + path.members.flatMap(all) }
        return all(root)
    }()

    /// The words of a command's type, for a command line of ours.
    static func words(of command: any ParsableCommand.Type) -> [String] {
        all.first { $0.command == command }?.words ?? []
    }

    /// The last one, which the words name.
    var command: any ParsableCommand.Type { commands.last ?? Dex.self }

    /// The words behind `dex`: `wallet new`.
    var words: [String] { commands.dropFirst().map { $0.word } }

    /// The words from `dex` on.
    var name: String { commands.map { $0.word }.joined(separator: " ") }

    var isGroup: Bool { !command.configuration.subcommands.isEmpty }

    /// The commands below that a user may type.
    var members: [CommandPath] { command.shownMembers.map { CommandPath(commands + [$0]) } }

    /// The command below of a name or a short form.
    func member(_ word: String) -> CommandPath? {
        command.configuration.subcommands.first { $0.spellings.contains(word) }
            .map { CommandPath(commands + [$0]) }
    }

    /// What runs: of a group alone its default command.
    var run: CommandPath {
        guard let next = command.configuration.defaultSubcommand else { return self }
        return CommandPath(commands + [next]).run
    }

    /// The name in JSON of what runs, such as `sandbox up`.
    var reportedName: String {
        let run = run
        return run.answering?.reportedName ?? run.words.joined(separator: " ")
    }

    /// The command if it does something; nil for a group.
    var answering: (any DexCommand.Type)? { command as? any DexCommand.Type }

    /// What its process is set up for.
    var process: CommandProcess { inner { $0.process } ?? .command }

    /// What the innermost of its commands says, if one says anything.
    func inner<Fact>(_ fact: (any DescribedCommand.Type) -> Fact?) -> Fact? {
        for case let command as any DescribedCommand.Type in commands.reversed() {
            if let fact = fact(command) { return fact }
        }
        return nil
    }
}

extension ParsableCommand {
    /// The name, as it is typed.
    static var word: String { configuration.commandName ?? "" }

    /// The name and its short forms.
    static var spellings: [String] { [word] + configuration.aliases }

    /// The commands of a group that a user may type.
    static var shownMembers: [any ParsableCommand.Type] {
        configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }
}
