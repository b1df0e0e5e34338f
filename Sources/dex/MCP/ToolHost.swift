import DexCore
import DexSettings
import DexTerminal
import PrivateFiles

/// What all calls of a server share: its network, its account, its settings.
struct ToolHost: Sendable {
    /// What the model may do.
    let ring: ToolRing
    /// The options that each command gets: those of the server, as words.
    let options: [String]
    /// Stands before every answer.
    let fence: Fence
    /// Takes files and URLs out of sentences.
    let machine: MachineText
    /// What it carries out for models.
    let desk = PlanDesk()
    private let environment: ProcessEnvironment
    private let caches = CommandCaches()

    /// Fixes network and account: settings that change later change nothing here.
    ///
    /// - Throws: `DexError`, exit 2 or 3.
    init(_ context: CommandContext, _ ring: ToolRing = .look) throws {
        self.ring = ring
        environment = context.environment
        let settings = try context.settings()
        let network = try context.network(settings)
        let given = context.options
        var words = ["--json", "--quiet", "--no-pager", "--network=\(network.name)"]
        let hasKey = context.environment["DEX_PRIVATE_KEY"] != nil
        let usual = network.isSandbox || hasKey ? nil : settings.text(["wallet"])
        if let wallet = given.wallet ?? context.environment["DEX_WALLET"] ?? usual {
            words.append("--wallet=\(wallet)")
        }
        words += given.relay.map { "--relay=\($0)" } + given.rpc.map { "--rpc=\($0)" }
        if let seconds = given.timeout { words.append("--timeout=\(seconds)") }
        options = words
        let home = try context.home()
        machine = MachineText(
            folders: [home.config, home.data, environment["HOME"], PrivateFiles.currentFolder()]
                .compactMap(\.self)
        )
        let tokens = try TokenMap(
            chainID: network.chainID,
            listed: network.tokenChain,
            coin: network.coin
        )
        fence = Fence(machine) { tokens.known($0) != nil }
    }

    /// A context for one command, which prints nothing, asks nobody and opens no wallet.
    func context(
        _ options: GlobalOptions,
        name: String,
        progress: @escaping @Sendable (String) -> Void
    ) -> CommandContext {
        var settings = options.output
        settings.listener = progress
        var context = CommandContext(
            options: options,
            environment: environment,
            console: Console(
                settings: settings,
                environment: environment,
                interruption: Interruption()
            ),
            name: name
        )
        context.opensWallets = false
        context.caches = caches
        return context
    }

    /// Keeps what later commands need not find out again.
    func save() { caches.save() }
}
