import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import PrivateFiles
import RelayHost
import StrictJSON

struct RelayExportCommand: DexCommand {
    static var answer: Answer? { .relayExport }
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the relay's orders, one JSON object a line.",
        discussion: """
            Orders that are shown or wait for funds; not those that a policy hides. A relay on \
            SQLite has its file to itself: stop it first.
            """
    )
    static let examples: Examples = [
        "Into a file": "dex relay export orders.jsonl",
        "To the terminal": "dex relay export",
    ]

    @Argument(help: .of("file", "Where to; an existing file is replaced (default: stdout)."))
    var file: String?

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        guard file != nil || !options.isJSON else {
            throw RelayUseError.exportNeedsFile
        }
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        let transfer = OrderTransfer(settings: settings)
        guard let file else {
            let console = context.console
            _ = try await transfer.export(now: Console.now()) { line in
                _ = console.result(utf8: line)
            }
            return context.finished()
        }
        var content: [UInt8] = []
        let count = try await transfer.export(now: Console.now()) { line in
            content += line
            content.append(UInt8(ascii: "\n"))
        }
        if !options.isDryRun {
            try reported(
                PrivateFiles.Failure.self,
                try PrivateFiles.replace(file, with: content)
            )
        }
        return context.changed(["file": .string(file), "orderCount": .integer(count)]) { _ in
            ["\(NumberText.count(count, "order")) are in \(TerminalText.clean(file))."]
        }
    }
}

struct RelayImportCommand: DexCommand {
    static var answer: Answer? { .relayImport }
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take orders of an export; each is verified as a posted one.",
        discussion: """
            Hash, signature, chain, funds, pairs and limits are checked again, and the policy \
            program is asked; fees may follow an earlier schedule. A relay on SQLite has its file \
            to itself: stop it first.
            """
    )
    static let examples: Examples = [
        "From a file": "dex relay import orders.jsonl",
        "From standard input": "dex relay import -",
    ]

    @Argument(help: .of("file", "The export; - is standard input."))
    var file: String

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    /// The most bytes of an export: a million orders.
    private static let maximumBytes = 1 << 30

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        let node = try context.relayNode(settings)
        let text = try reported(
            PrivateFiles.Failure.self,
            try context.content(of: file, limit: Self.maximumBytes)
        )
        guard let text else { throw ArgumentError.noFile(file) }
        context.liftBudget()
        context.console.progress("Verifying the orders")
        let report = try await OrderTransfer(settings: settings).take(
            text,
            node: node,
            environment: context.liveEnvironment
        )
        let view = RelayImportView(report: report)
        return CommandReport(data: view.json, lines: { view.lines($0) })
    }
}

/// What became of an import's lines, as text and JSON.
private struct RelayImportView: Sendable {
    let report: OrderImport.Report

    var json: JSONValue {
        [
            "lineCount": .integer(report.lines),
            "addedCount": .integer(report.added),
            "knownCount": .integer(report.known),
            "refusedCount": .integer(report.refused),
            "refusals": .list(report.examples) { refusal in
                [
                    "line": .integer(refusal.line),
                    "orderHash": refusal.hash.map { JSONFormat.hash($0) } ?? .null,
                    "reason": JSONFormat.text(refusal.reason),
                ]
            },
        ]
    }

    func lines(_ screen: Screen) -> [String] {
        var lines = [
            "\(report.lines) lines: \(report.added) added, \(report.known) known, "
                + "\(report.refused) refused."
        ]
        for refusal in report.examples {
            let hash = refusal.hash.map { " \($0.hex)" } ?? ""
            lines += screen.sentences(
                "  line \(refusal.line)\(hash): \(TerminalText.clean(refusal.reason))"
            )
        }
        let more = report.refused - report.examples.count
        if more > 0 { lines.append("  and \(more) more.") }
        return lines
    }
}
