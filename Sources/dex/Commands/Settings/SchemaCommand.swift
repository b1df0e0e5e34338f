import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// `dex schema`: what scripts may rely on, for programs to read.
struct SchemaCommand: DexCommand {
    static var answer: Answer? { .schema }
    static let takesCommand = true

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of what a command prints with --json.",
        discussion: """
            The schema (draft 2020-12) is that of the whole object, with warnings and errors; of a \
            command that prints an object a line it is that of each line. Without COMMAND it lists \
            the commands that have one.
            """
    )
    static let examples: Examples = [
        "What dex tx list --json prints": "dex schema tx list",
        "The commands that have a schema": "dex schema",
    ]

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
        if let problem = TypedLine.problem(words) { throw problem }
        let path = CommandPath(words)
        guard path.words.count == words.count else {
            let unknown = PlainText.clean(words[path.words.count], limit: 100)
            throw ValidationError("There is no command '\(unknown)' there. See dex schema.")
        }
        guard let schema = Self.schema(path.run) else {
            let name = path.run.words.joined(separator: " ")
            throw ValidationError("dex \(name) prints no JSON. See dex schema.")
        }
        return schema
    }

    /// The schemas of all commands, in the order of the help.
    static let all = CommandPath.all.compactMap(schema)

    private static func schema(_ path: CommandPath) -> AnswerSchema? {
        guard let command = path.answering, let answer = command.answer else { return nil }
        return AnswerSchema(
            command: path.reportedName,
            summary: command.configuration.abstract,
            answer: answer
        )
    }
}
