import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import RelayHost
import StrictJSON

/// `dex relay token`: the tokens that the relay carries.
struct RelayTokenCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Carry a token, or carry it no longer; a running relay takes it at SIGHUP.",
        subcommands: [Add.self, Remove.self]
    )
    static let examples: Examples = [
        "Carry a token": "dex relay token add ZRX",
        "Carry it no longer": "dex relay token remove ZRX",
    ]

    struct Add: DexCommand {
        static var answer: Answer? { .relayTokens }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a token's pair to relay.toml; an unknown one is read from the chain."
        )
        static let examples: Examples = [
            "For WETH": "dex relay token add ZRX",
            "For USDC": "dex relay token add ZRX --against USDC",
        ]

        @Argument(help: .of("token", "A symbol or an address."))
        var token: String

        @Option(help: .of("token", "What it is traded for (default WETH)."))
        var against = "WETH"

        @OptionGroup var relay: RelayOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let path = try context.relaySettingsPath(relay.config)
            let settings = try context.relaySettings(at: path)
            var token = try settings.tokens.token(self.token)
            if token.decimals == nil {
                let found = try await context.relayNode(settings).token(at: token.address)
                guard let found, found.decimals != nil else {
                    throw RelayUseError.noToken(token.address, chainID: settings.chainID)
                }
                token = found
            }
            var edit = RelayTokenEdit(settings)
            let pair = try edit.add(token, against: against)
            return try RelayTokenChange(context: context, path: path, file: edit.file)
                .report(added: [pair])
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { .relayTokens }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove every pair of a token from relay.toml."
        )
        static let examples: Examples = [
            "All of its pairs": "dex relay token remove ZRX",
            "By its address": "dex relay token remove 0xE41d2489571d322189246DaFA5ebDe1F4699F498",
        ]

        @Argument(help: .of("token", "A symbol or an address."))
        var token: String

        @OptionGroup var relay: RelayOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let path = try context.relaySettingsPath(relay.config)
            var edit = RelayTokenEdit(try context.relaySettings(at: path))
            let pairs = try edit.remove(token)
            return try RelayTokenChange(context: context, path: path, file: edit.file)
                .report(removed: pairs)
        }
    }
}

/// Writes a changed relay.toml, unless it is a dry run, and says what changed.
private struct RelayTokenChange {
    let context: CommandContext
    let path: String
    let file: RelaySettingsFile

    func report(added: [String] = [], removed: [String] = []) throws -> CommandReport {
        // The changed text has to be a relay's settings as a whole.
        _ = try context.relaySettings(file)
        if !context.options.isDryRun { try file.save() }
        let data: JSONValue = [
            "path": .string(path),
            "added": .list(added) { .string($0) },
            "removed": .list(removed) { .string($0) },
        ]
        let path = path
        return context.changed(data) { _ in
            added.map { "\(TerminalText.clean(path)) has the pair \(TerminalText.clean($0))." }
                + removed.map {
                    "\(TerminalText.clean(path)) no longer has the pair \(TerminalText.clean($0))."
                }
                + ["A running relay takes it at once: kill -HUP its process."]
        }
    }
}
