import ArgumentParser

/// `dex relay`: host a relay.
struct RelayCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Host a relay: a watched book of 0x orders that anyone can read and post to.",
        discussion: """
            First dex relay init, then dex relay check, then dex relay serve. The relay holds no \
            money and no keys; it needs a node of its chain.
            """,
        subcommands: [
            RelayInitCommand.self, RelayServeCommand.self, RelayCheckCommand.self,
            RelayStatsCommand.self, RelayExportCommand.self, RelayImportCommand.self,
            RelayTokenCommand.self, RelayHideCommand.self, RelayRemoveCommand.self,
            RelayShowCommand.self, RelayModerationCommand.self, RelayBackupCommand.self,
            RelayKeyCommand.self,
        ]
    )
    static let examples: Examples = [
        "Write its settings": "dex relay init --network sandbox",
        "Check them": "dex relay check",
        "Run it": "dex relay serve",
    ]
    static let process: CommandProcess? = .server
}

/// The option of every command that reads relay.toml.
struct RelayOptions: ParsableArguments, Sendable {
    @Option(help: .of("file", "The relay's settings (default: relay.toml beside config.toml)."))
    var config: String?
}
