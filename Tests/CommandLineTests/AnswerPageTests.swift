import AnswerPageSupport
import DexCore
import DexTerminal
import DexTestSupport
import ErrorTableSupport
import Foundation
import StrictJSON
import Testing

@testable import DexCommandLine

/// docs/output.md has what the descriptions of the answers say; `DEX_RECORD=1` writes it again.
@Suite("docs/output.md and the descriptions of answers")
struct AnswerPageTests {
    private static let schemas = SchemaCommand.all

    @Test("every command that prints JSON has a schema of its own name, and no secret ones have")
    func commands() {
        let names = Self.schemas.map(\.command)
        #expect(names.count > 100)
        #expect(Set(names).count == names.count)
        #expect(names.contains("tokens") && names.contains("tx list") && names.contains("schema"))
        for name in ["live", "mcp", "provider", "agent", "manual"] {
            #expect(!names.contains(name))
        }
    }

    @Test("the tables of `data` are those of the descriptions")
    func data() throws {
        let page = AnswerPage(Self.schemas.map { ($0.command, $0.answer) })
        try expect(page.lines, between: "answers")
    }

    @Test("the columns of --csv are those of the descriptions")
    func columns() throws {
        let lists = Self.schemas.filter { !$0.answer.columns.isEmpty }
        #expect(lists.count == 16)
        let rows = lists.map {
            "| `\($0.command)` | `\($0.answer.columns.joined(separator: ","))` |"
        }
        try expect(["| list | columns |", "|---|---|"] + rows, between: "columns")
    }

    @Test("the envelope of each error example is valid, and no wrong form of one is")
    func errors() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dex-error-answers")
        let place = folder.appending(path: "schemas")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = try #require(Self.schemas.first { $0.command == "balance" })
        try Data(schema.document.text.utf8).write(to: place.appending(path: "balance.json"))
        let examples = CommandErrorTableTests.areas.flatMap { $0.errors }
        #expect(examples.count > 100)
        let lines = examples.map { error -> String in
            let envelope = JSONEnvelope(command: "balance", error: error, warnings: ["One."])
            let entry: JSONValue = [
                "schema": "balance", "line": .string(error.code), "answer": envelope.json,
            ]
            return entry.text
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8)
            .write(to: folder.appending(path: "answers.jsonl"))
        let run = try await PythonEnvironment.run("answers/validate.py", folder.path)
        #expect(run.status == 0, "\(String(decoding: run.output, as: UTF8.self)) \(run.errors)")
    }

    /// Compares lines with those between the marks of a name, or writes them there.
    private func expect(_ lines: [String], between name: String) throws {
        let file = PythonEnvironment.root.appending(path: "docs/output.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let (start, end) = ("<!-- \(name): generated -->\n", "<!-- end of \(name) -->")
        let parts = page.components(separatedBy: start)
        let rest = try #require(parts.count == 2 ? parts[1] : nil, "\(start)")
        let tail = try #require(rest.range(of: end), "\(end)")
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["DEX_RECORD"] == "1" {
            let new = parts[0] + start + text + rest[tail.lowerBound...]
            try Data(new.utf8).write(to: file)
        } else {
            #expect(rest[..<tail.lowerBound] == text, "docs/output.md differs: DEX_RECORD=1")
        }
    }
}
