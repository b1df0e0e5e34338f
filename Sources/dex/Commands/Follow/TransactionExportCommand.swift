import ArgumentParser
import DexCore
import DexTerminal
import Ethereum

extension TransactionCommand {
    struct ExportCommand: DexCommand {
        static var answer: Answer? { .held }
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the file of a transaction that is signed and not sent again.",
            discussion: """
                The journal keeps what --no-send signed, also if its command was killed before it \
                wrote the file. Nothing is signed or sent.
                """
        )
        static let examples: Examples = [
            "Write the file of a signed transaction again":
                "dex tx export 0x7d3a9f01 --out tx.json",
            "See what it holds, and write nothing": "dex tx export 0x7d3a9f01 --out tx.json -n",
        ]

        @Argument(help: .hash(of: "the transaction"))
        var hash: String

        @Option(help: .of("file", "The new file."))
        var out: String

        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let file = NewFile(path: out)
            let session = try context.session([])
            let reference = try HashReference(hash)
            let found = try context.hashes(session).ownTransaction(reference)
            let (held, text) = try HeldTransactions(
                session: session,
                journal: try context.journal(session.network)
            ).file(of: found)
            try file.check()
            if !options.isDryRun { try file.write(text, of: found) }
            let done = options.isDryRun ? "It would be written to" : "It is written to"
            return context.changed(BroadcastJSON.held(held, path: out)) { screen in
                HeldView(held, path: out, title: done).lines(screen)
            }
        }
    }
}
