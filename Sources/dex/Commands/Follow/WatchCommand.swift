import ArgumentParser
import DexCore
import DexStore
import DexTerminal
import Ethereum
import StrictJSON

struct WatchCommand: DexCommand {
    static var answer: Answer? { .watch }
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            "Follow the chain and report what happens to your orders and tokens, until Ctrl-C.",
        discussion: """
            Tells fills and cancels of your orders, your trades, tokens and coins that come in or go \
            out, and \
            orders that are about to expire or cannot be filled any more: each once, also across \
            restarts. \
            It checks your alerts (dex alert) at each new block. \
            With several --wallet it watches all of them; one that fails does not stop the others. \
            What a reorganization takes back is told, too. It goes on where it stopped; the \
            journal keeps how far it came. Beside another dex watch of the account, one that only \
            prints shows what that one reports.
            """
    )
    static let examples: Examples = [
        "Follow your orders and tokens": "dex watch",
        "Two accounts, and only what is filled": "dex watch -w alice -w bob --events fill",
        "What is new since the last time, for a cron job": "dex watch --once -j",
    ]

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
        help: .of(
            "kinds",
            "The events that are reported, comma-separated: fill, cancel, received, sent, trade, "
                + "wrapped, unwrapped, expiring, expired, unfunded, funded, alert (default: all)."
        )
    )
    var events: WatchEventKinds?

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
        if alerts, events != nil {
            throw ValidationError("--alerts and --events exclude each other.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        context.liftBudget()
        let session = try context.session([.node])
        let accounts = try await context.watchedAccounts(session.network)
        let journal = try context.journal(session.network)
        var settings = try context.watchSettings()
        if let interval { settings.interval = interval * 1_000 }
        settings.tellsAllTokens = allTokens
        settings.tellsOnlyAlerts = alerts
        // A flag stands in for the setting.
        if alerts { settings.kinds = nil }
        if let events { settings.kinds = events.kinds }
        let sinks = try context.sinks(sink)
        let start = from ?? .journal
        // Without a position or a delivery of its own it needs no claim.
        let mayAttach = !once && from == nil && sinks.allSatisfy { $0 is TerminalSink }
        let isOne = accounts.count == 1
        let members = accounts.map { account in
            let tell: @Sendable (WatchStatus) -> Void = {
                context.tell($0, of: isOne ? nil : account)
            }
            return WatchAccounts.Member(
                account: account.address,
                model: WatchModel(
                    session: session,
                    journal: journal,
                    settings: settings,
                    sinks: sinks,
                    accountName: isOne ? nil : account.name ?? account.address.checksummed,
                    tell: tell
                ),
                claim: { () throws(DexError) in
                    let lock = try context.watchLock(session.network, account.address)
                    if let lock { return .own(lock) }
                    guard mayAttach else {
                        throw WatchSetupError.alreadyWatching(account.address)
                    }
                    return .attached
                },
                tell: tell
            )
        }
        let watch = WatchAccounts(members, environment: session.environment)
        guard once else {
            try await watch.follow(from: start)
            return context.finished()
        }
        let left = try await watch.once(from: start)
        var report = context.finished()
        if !left.isEmpty {
            let error = WatchSetupError.sinkFailed(left: left)
            report.exit = error.exit
            report.error = error
        }
        return report
    }
}

/// Kinds of events, comma-separated.
struct WatchEventKinds: ExpressibleByArgument, Sendable {
    let kinds: Set<WatchEvent.Kind>

    init?(argument: String) {
        var kinds: Set<WatchEvent.Kind> = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = WatchEvent.Kind(rawValue: word.filter { $0 != " " }) else {
                return nil
            }
            kinds.insert(kind)
        }
        self.kinds = kinds
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
