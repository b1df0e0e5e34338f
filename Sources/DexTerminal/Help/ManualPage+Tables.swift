import DexCore

extension ManualPage.Everywhere {
    /// What holds for all commands of `dex`, beside their options.
    package init(options: [CommandHelp.Parameter]) {
        self.init(
            options: options,
            environment: Self.variables,
            exitCodes: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) },
            files: Self.places
        )
    }

    private static let variables = [
        ("DEX_HOME", "The folder of settings, wallets and journal; a profile is one of its own."),
        ("DEX_NETWORK", "The network, where no option names one."),
        ("DEX_RELAY_URL", "The relays, comma-separated, where no option names one."),
        ("DEX_RPC_URL", "The nodes, comma-separated, where no option names one."),
        ("DEX_WALLET", "The account, where no option names one."),
        ("DEX_PASSWORD_FILE", "A file of mode 600 whose first line is the wallet's password."),
        ("DEX_PRIVATE_KEY", "A key in hexadecimal digits, for scripts; it is never stored."),
        ("DEX_ZEROEX_API_KEY", "The key of 0x's Swap API; it is never stored."),
        ("DEX_FORK_URL", "The live chain's node for sandbox up --fork -; it is never stored."),
        ("DEX_WEBHOOK_SECRET", "The key of webhooks' signatures."),
        ("NO_COLOR", "If it is set, there are no colours."),
        ("VISUAL", "The editor of dex config edit; else EDITOR."),
    ]

    private static let places = [
        ("~/.config/dex/config.toml", "The settings."),
        ("~/.config/dex/policy.toml", "The rules for what may be signed."),
        ("~/.config/dex/relay.toml", "The settings of a relay that you host."),
        ("~/.local/share/dex", "The wallets, the journal, the log of signatures, and the sandbox."),
    ]
}

extension ExitCode {
    /// What a script may conclude from it, in one sentence; docs/output.md has more.
    var meaning: String {
        switch self {
        case .done: "Done."
        case .fault: "A fault of dex."
        case .usage: "Bad input or usage."
        case .configuration: "Bad configuration."
        case .unreachable: "The relay or the node is not reachable, or it answered nonsense."
        case .wallet: "No wallet, a wrong password, or a wrong key."
        case .refused: "Refused before anything was signed."
        case .relayRefused: "The relay refused the order."
        case .simulationFailed: "It fails in the simulation; nothing was sent."
        case .reverted: "Mined and reverted."
        case .notMinedYet: "Sent, and not mined or not confirmed yet."
        case .replacedOrDropped: "Replaced or dropped."
        case .filledLess: "Mined, but with less than the confirmed minimum."
        case .resultLost: "The result could not be written; the journal has what was sent."
        case .declined: "Declined at the prompt."
        case .planOnly: "The plan is printed; run it again with --yes."
        case .dryRun: "The dry run is done."
        case .interrupted: "Interrupted; the journal has what was sent."
        }
    }
}
