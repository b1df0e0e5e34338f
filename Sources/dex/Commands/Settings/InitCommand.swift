import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import SandboxHost

struct InitCommand: DexCommand {
    static var answer: Answer? { Answer(SetupJSON.state) }
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up a network, its node and relay, and a wallet.",
        discussion: """
            On a terminal it asks for all of them. Addresses are tested before they are kept; a \
            new wallet's words are shown once, and three are asked back. It ends with dex doctor, \
            whose exit code it has. Run again, it changes only what is answered.

            With --yes nothing is asked: what no option names stays as it is. A new wallet's \
            password is then the first line of the file that DEX_PASSWORD_FILE names.
            """
    )
    static let examples: Examples = [
        "Be asked for everything, on a terminal": "dex init",
        "Say it all at once, in a script":
            "dex init --network base --rpc https://node.example --new-wallet main --yes",
        "See what that would change": "dex init --network base --dry-run",
    ]

    @Option(help: .of("name", "Make a wallet of this name, from a new recovery phrase."))
    var newWallet: String?

    @Option(
        name: .customLong("import"),
        help: .of("form", "Bring a key in: keystore, key or words.")
    )
    var form: SetupWalletForm?

    @Option(help: .of("name", "With --import: the wallet's name (default: wallet-1, wallet-2...)."))
    var name: String?

    @Option(help: .of("file", "With --import: the file that it is in, or - for stdin."))
    var from: String?

    @OptionGroup var keystoreOptions: KeystoreOptions
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        let wallets = [
            options.wallet.map { _ in "--wallet" }, newWallet.map { _ in "--new-wallet" },
            form.map { _ in "--import" },
        ].compactMap(\.self)
        if wallets.count > 1 {
            throw ValidationError("\(wallets.joined(separator: " and ")) exclude each other.")
        }
        if form == nil, name != nil || from != nil {
            throw ValidationError("--name and --from belong to --import.")
        }
        if form == .keystore, from == nil {
            throw ValidationError("Name the keystore's file with --from FILE.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let dialog = try dialog(context)
        let settings = try context.settings()
        let wallets = SetupWalletFolder(
            context: context,
            keystoreOptions: keystoreOptions,
            dialog: dialog
        )
        let answers = try await SetupModel(
            start: SetupModel.Start(
                networks: try settings.networks(),
                network: settings.networkName,
                wallet: settings.text(["wallet"]),
                isSandboxRunning: try context.sandbox() != nil
            ),
            flags: try flags(),
            tools: tools(settings, context),
            wallets: wallets,
            dialog: dialog
        ).answers()
        let changes = try keep(answers, context)
        if answers.startsSandbox {
            context.console.progress("Starting the sandbox")
            _ = try await SandboxLauncher(folder: SandboxFolder(try context.home().sandbox))
                .launch(SandboxLauncher.usual)
        }
        return try await report(answers, changes, wallets.warnings, context)
    }

    /// - Returns: nil if nothing is asked.
    /// - Throws: `DexError`, exit 2, without a terminal.
    private func dialog(_ context: CommandContext) throws(DexError) -> TerminalDialog? {
        guard !options.saysYes, !options.isDryRun else { return nil }
        guard !options.isJSON, let terminal = context.console.terminal() else {
            throw ArgumentError.nobodyToAsk
        }
        return TerminalDialog(terminal: terminal, console: context.console)
    }

    private func flags() throws -> SetupFlags {
        let nodes = try CommandContext.checked(options.rpc, "--rpc")
        let relays = try CommandContext.checked(options.relay, "--relay")
        return SetupFlags(
            network: options.network,
            nodes: nodes,
            relays: try CommandContext.relays(relays, over: []).map(\.url),
            wallet: options.wallet.map { .existing($0) } ?? newWallet.map { .new($0) }
                ?? form.map { .imported($0, file: from, name: name) }
        )
    }

    private func tools(_ settings: Settings, _ context: CommandContext) -> SetupModel.Tools {
        SetupModel.Tools(
            network: { name throws(DexError) in try settings.network(name) },
            addresses: { text, endpoint, network throws(DexError) in
                let path = ["networks", network.name, endpoint.rawValue]
                let value = try SettingsSchema.known(path).value(of: text)
                // The settings check it, and that they can be changed at all.
                var file = settings.file
                try file.set([(path, value)])
                switch value {
                case .list(let urls): return urls
                case .text, .integer, .flag: return [value.text]
                }
            },
            session: { network throws(DexError) in
                // A budget of its own: nobody waits ten times for a typing error.
                try context.testing.session(network)
            }
        )
    }

    /// Writes the settings that differ, all at once.
    ///
    /// - Returns: what was written, or would be in a dry run.
    private func keep(
        _ answers: SetupAnswers,
        _ context: CommandContext
    ) throws(DexError) -> [SetupState.Change] {
        // The user took time to answer.
        var settings = try context.config.readAgain()
        let network = answers.network
        let path = ["networks", network.name]
        var changes: [(path: [String], value: SettingValue)] = []
        changes.append((["network"], .text(network.name)))
        if let nodes = answers.nodes { changes.append((path + ["rpc"], .list(nodes))) }
        if let relays = answers.relays {
            changes.append(
                (path + ["relay"], relays.count == 1 ? .text(relays[0]) : .list(relays))
            )
        }
        // The sandbox has accounts of its own.
        if let wallet = answers.wallet, !network.isSandbox {
            changes.append((["wallet"], .text(wallet.name)))
        }
        let before = settings.file.values
        changes.removeAll { before[$0.path] == $0.value }
        if !changes.isEmpty {
            try settings.file.set(changes)
            if !options.isDryRun {
                try context.config.save(settings)
                context.console.note("Saved in \(settings.file.path).")
            }
        }
        return changes.map { change in
            SetupState.Change(
                key: change.path.joined(separator: "."),
                value: change.value.shown.literal
            )
        }
    }

    private func report(
        _ answers: SetupAnswers,
        _ changes: [SetupState.Change],
        _ warnings: [String],
        _ context: CommandContext
    ) async throws -> CommandReport {
        let network = answers.network
        let checking = context.checking(network.name, options.isDryRun ? nil : answers.wallet?.name)
        let checkup = options.isDryRun ? nil : try await MachineCheck(context: checking).state()
        let sandbox = try context.sandbox()
        let state = SetupState(
            network: network,
            file: try context.home().configFile,
            changes: changes,
            wallet: answers.wallet,
            hasAccount: try answers.wallet != nil || context.hasAccount(),
            isSandboxRunning: sandbox != nil,
            explorer: network.isSandbox ? sandbox.map { "\($0.rpc)/" } : nil,
            tokens: try context.tokenMap(network),
            checkup: checkup
        )
        let overridden = ["DEX_NETWORK", "DEX_RPC_URL", "DEX_RELAY_URL", "DEX_WALLET"]
            .filter { context.environment[$0] != nil }
            .map { "\($0) is set in this shell, and wins over config.toml." }
        guard !options.isDryRun else {
            return context.changed(
                SetupJSON.state(state),
                warnings: warnings + overridden
            ) { SetupView(state).lines($0) }
        }
        return CommandReport(
            data: SetupJSON.state(state),
            warnings: warnings + overridden,
            error: checkup?.failure
        ) { SetupView(state).lines($0) }
    }
}

extension CommandContext {
    /// Seconds to wait for one answer of an address that is tested while the user waits.
    private static let testTimeout = 10

    /// For the test of one address.
    fileprivate var testing: CommandContext {
        with { $0.timeout = $0.timeout ?? Self.testTimeout }
    }

    /// For the checkup of a network as its settings are, and of the wallet that was chosen.
    fileprivate func checking(_ network: String, _ wallet: String?) -> CommandContext {
        var context = with { options in
            options.network = network
            options.rpc = []
            options.relay = []
            if let wallet { options.wallets = [wallet] }
        }
        context.opensWallets = false
        return context
    }

    /// An account is named by the settings or the environment.
    fileprivate func hasAccount() throws(DexError) -> Bool {
        try settings().text(["wallet"]) != nil
            || ["DEX_WALLET", "DEX_PRIVATE_KEY"].contains { environment[$0] != nil }
    }
}
