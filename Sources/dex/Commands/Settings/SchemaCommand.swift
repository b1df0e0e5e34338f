import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// `dex schema`: what scripts may rely on, for programs to read.
struct SchemaCommand: DexCommand {
    static var answer: Answer? { .schema }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of what a command prints with --json.",
        discussion: """
            The schema (draft 2020-12) is that of the whole object, with warnings and errors; of a \
            command that prints an object a line it is that of each line. Without COMMAND it lists \
            the commands that have one.
            """
    )

    @Argument(help: .of("command", "The words of the command, such as tx list."))
    var words: [String] = []
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if !words.isEmpty { _ = try described() }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        guard !words.isEmpty else { return list() }
        let schema = try described()
        let document = schema.document
        let data: JSONValue = ["command": .string(schema.command), "schema": document]
        return CommandReport(data: data) { _ in document.indented }
    }

    private func list() -> CommandReport {
        let schemas = Self.all
        let data: JSONValue = [
            "commands": .list(schemas) {
                ["command": .string($0.command), "summary": .string($0.summary)]
            }
        ]
        return CommandReport(data: data) { screen in
            var table = Table([.init("COMMAND"), .init("ABOUT", dropOrder: 1, minimumWidth: 20)])
            for schema in schemas {
                table.add([.init(schema.command), .init(schema.summary, .dim)])
            }
            return table.lines(width: screen.width, style: screen.style)
        }
    }

    /// The schema of the command that the words name.
    private func described() throws -> AnswerSchema {
        if let problem = CommandTree.problem(words, ownAliases: { [] }) { throw problem }
        var path = CommandTree.path(of: words)
        guard path.count == words.count + 1 else {
            let unknown = PlainText.clean(words[path.count - 1], limit: 100)
            throw ValidationError("There is no command '\(unknown)' there. See dex schema.")
        }
        while let next = path[path.count - 1].configuration.defaultSubcommand { path.append(next) }
        guard let schema = Self.schema(path) else {
            let name = path.dropFirst().map(CommandTree.name(of:)).joined(separator: " ")
            throw ValidationError("dex \(name) prints no JSON. See dex schema.")
        }
        return schema
    }

    /// The schemas of all commands, in the order of the help.
    static let all: [AnswerSchema] = {
        var all: [AnswerSchema] = []
        func add(_ path: [any ParsableCommand.Type]) {
            if let schema = schema(path) { all.append(schema) }
            for command in CommandTree.shown(path[path.count - 1].configuration.subcommands) {
                add(path + [command])
            }
        }
        add([Dex.self])
        return all
    }()

    private static func schema(_ path: [any ParsableCommand.Type]) -> AnswerSchema? {
        let command = path[path.count - 1]
        guard let type = command as? any DexCommand.Type, let answer = type.answer else {
            return nil
        }
        let words = path.dropFirst().map(CommandTree.name(of:)).joined(separator: " ")
        return AnswerSchema(
            command: type.reportedName ?? words,
            summary: command.configuration.abstract,
            answer: answer
        )
    }
}
