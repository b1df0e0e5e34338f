import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

struct WatchCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            "Follow the chain and report what happens to your orders and tokens, until Ctrl-C.",
        discussion: """
            Tells fills and cancels of your orders, tokens and ether that come in or go out, and \
            orders that are about to expire or cannot be filled any more: each once, also across \
            restarts. \
            It checks your alerts (dex alert) at each new block. \
            What a reorganization takes back is told, too. It goes on where it stopped; the \
            journal keeps how far it came.
            """
    )

    @Option(
        help: .of(
            "start",
            "Where to begin: journal (where it stopped, the default), latest, first, or a block's "
                + "number."
        )
    )
    var from: WatchStart?

    @Flag(help: "Check once, report what is new, and end.")
    var once = false

    @Option(
        help: .of("seconds", "Seconds between two looks (default: half the network's block time).")
    )
    var interval: UInt64?

    @Flag(help: "Tell transfers of tokens that are neither in the token map nor in your orders.")
    var allTokens = false

    @Flag(help: "Report only alerts and the events that an alert waits for (dex alert).")
    var alerts = false

    @Option(
        parsing: .singleValue,
        help: .of(
            "name",
            "Where events are reported: terminal, desktop, command or webhook; repeat for several (default: "
                + "those of config.toml)."
        )
    )
    var sink: [WatchSinkName] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let interval, !(1...86_400).contains(interval) {
            throw ValidationError("--interval takes 1 to 86400 seconds, not \(interval).")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        context.liftBudget()
        let session = try context.session([.node])
        let account = try context.account(session.network).address
        let journal = try context.journal(session.network)
        var settings = try context.watchSettings()
        if let interval { settings.interval = interval * 1_000 }
        settings.tellsAllTokens = allTokens
        settings.tellsOnlyAlerts = alerts
        let lock = try context.watchLock(session.network, account)
        defer { withExtendedLifetime(lock) {} }
        let sinks = try context.sinks(sink)
        let model = WatchModel(
            session: session,
            journal: journal,
            settings: settings,
            sinks: sinks,
            tell: { context.tell($0) }
        )
        guard once else {
            try await model.follow(account, from: from ?? .journal)
            return context.finished()
        }
        let left = try await model.once(account, from: from ?? .journal)
        var report = context.finished()
        if !left.isEmpty {
            let error = DexError(WatchSetupError.sinkFailed(left: left))
            report.exit = error.exit
            report.error = error
        }
        return report
    }
}

extension WatchSinkName: ExpressibleByArgument {}

extension WatchStart: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument {
        case "journal": self = .journal
        case "latest": self = .latest
        case "first": self = .block(0)
        default:
            guard let number = UInt64(argument), number <= UInt64(Int64.max) else { return nil }
            self = .block(number)
        }
    }
}
