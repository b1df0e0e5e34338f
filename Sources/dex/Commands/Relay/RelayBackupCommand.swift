import ArgumentParser
import DexCore
import DexRelay
import DexTerminal
import RelayHost
import StrictJSON

struct RelayBackupCommand: DexCommand {
    static var answer: Answer? { .relayBackup }
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the relay's SQLite file while the relay runs.",
        discussion: """
            The copy is the store at one moment, complete and checked. Posts go on beside it. For \
            PostgreSQL use pg_dump.
            """
    )
    static let examples: Examples = [
        "While the relay runs": "dex relay backup relay-copy.sqlite",
        "By a file of settings": "dex relay backup copy.sqlite --config relay.toml",
    ]

    @Argument(help: .of("file", "Where to; it must not exist yet."))
    var file: String

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        let backup = try StoreBackup(settings)
        let report = try options.isDryRun ? nil : backup.write(to: file)
        return context.changed([
            "file": .string(file),
            "orderCount": report.map { .integer($0.orders) } ?? .null,
            "bytes": report.map { .integer($0.bytes) } ?? .null,
        ]) { _ in
            guard let report else { return ["\(TerminalText.clean(file)) would be written."] }
            return [
                "\(TerminalText.clean(file)) has \(NumberText.count(report.orders, "order")) "
                    + "(\(report.bytes) bytes).",
                "To restore it, stop the relay and put the file in the place of its store.",
            ]
        }
    }
}
