import ArgumentParser
import DexCore
import DexTerminal
import EthereumWallet
import Logging
import RelayHost
import StrictJSON

struct RelayServeCommand: DexCommand {
    static var answer: Answer? { .relayServe }
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the relay; Ctrl-C or SIGTERM stops it gracefully.",
        discussion: """
            SIGHUP reads relay.toml again; a faulty file changes nothing. A second Ctrl-C ends it \
            at once; no accepted order is lost even then. The log is on stderr.
            """
    )
    static let examples: Examples = [
        "By the default settings": "dex relay serve",
        "By a file": "dex relay serve --config relay.toml",
    ]
    static let process: CommandProcess? = .publicServer

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let path = try context.relaySettingsPath(relay.config)
        // Before anything else: SIGHUP must not end a relay that is starting.
        let hangups = HangupSignals()
        defer { hangups.end() }
        let settings = try context.relaySettings(at: path)
        context.liftBudget()
        let console = context.console
        let log = RelayLog(
            form: settings.logForm,
            level: options.isVerbose ? .info : settings.logLevel,
            milliseconds: { Console.milliseconds() },
            write: { console.error($0) }
        )
        let files = Descriptors.limit()
        if files < settings.maximumFiles {
            log.logger.warning(
                """
                This process may have \(files) files open, and limits.connections needs \
                \(settings.maximumFiles): raise the hard limit (ulimit -Hn, or LimitNOFILE of a \
                systemd unit), or lower limits.connections in relay.toml.
                """
            )
        }
        context.console.progress("Reading the chain and the orders")
        let host = RelayHost(
            settings: settings,
            chain: try context.relayChain(settings),
            recoverer: Secp256k1(),
            environment: context.liveEnvironment,
            version: Dex.version,
            log: log,
            hangups: hangups.stream
        ) { () throws(DexError) in
            try context.rereading.relaySettings(at: path)
        }
        try await host.run { report in
            context.console.endProgress()
            let view = RelayServeView(report: report)
            _ = context.emit(CommandReport(data: view.json, lines: { view.lines($0) }))
        }
        return CommandReport(
            data: ["running": false],
            lines: { _ in ["Stopped; every accepted order is kept."] }
        )
    }
}
