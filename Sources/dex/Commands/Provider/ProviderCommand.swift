import ArgumentParser
import DexCore
import DexProvider
import DexTerminal

struct ProviderCommand: DexCommand {
    static var answer: Answer? { nil }
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Be the wallet of dapps on this machine; each request is asked about here.",
        discussion: """
            Serves the JSON-RPC of EIP-1193 on 127.0.0.1, and provider.js for pages. An \
            application is paired by a code that this terminal shows and its user types there. \
            Every signature and transaction is shown as a plan, and asked about. Rules, limits, \
            journal and audit log apply as everywhere. Ctrl-C ends it, and all pairings.
            """
    )
    static let examples: Examples = [
        "Be the wallet of dapps, as the account main": "dex provider -w main",
        "For two of them at once, on another port": "dex provider -w bob --port 8549",
    ]

    @Option(help: .of("n", "The port on 127.0.0.1; 0 takes a free one."))
    var port: UInt16 = 8548

    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        if options.saysYes || options.isDryRun {
            throw ValidationError(
                "dex provider asks about every request: leave --yes and --dry-run out."
            )
        }
        if options.isJSON {
            throw ValidationError("dex provider asks on a terminal: leave --json out.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        guard context.console.hasTerminal else {
            throw ProviderError.needsTerminal
        }
        let session = try context.session([.node])
        let account = try await context.account(session.network)
        guard account.key != nil else { throw account.noKey }
        context.liftBudget()
        let wallet = TerminalWallet(context, account)
        let environment = context.liveEnvironment
        let gateway = DappGateway(
            wallet: wallet,
            pairings: DappPairings(
                random: environment.random,
                now: { environment.elapsed() / 1_000 }
            )
        )
        let server = DappServer(gateway: gateway, port: Int(port))
        let console = context.console
        do {
            try await server.run { url in
                console.endProgress()
                console.result(Self.head(url, account, console.screen).joined(separator: "\n"))
                await gateway.run()
            }
        } catch let error as ServingFailure {
            throw ProviderError.cannotListen(place: "127.0.0.1:\(port)", reason: error.reason)
        }
        // Behind a question that was open.
        console.note("\nEnded: what waited got error 4900, and no application is paired any more.")
        return context.finished()
    }

    /// What is shown once the server answers.
    static func head(_ url: String, _ account: Account, _ screen: Screen) -> [String] {
        var facts = KeyValueList()
        facts.add("JSON-RPC", url)
        facts.add("for pages", "<script src=\"\(url)/provider.js\"></script>")
        facts.add("account", account.label)
        facts.add("network", "\(account.network.name), chain \(account.network.chainID)")
        return screen.title("A wallet for applications on this machine") + [""]
            + facts.lines(screen) + [""]
            + screen.sentences("Each request is shown here and asked about. Ctrl-C ends it.", .dim)
    }
}
