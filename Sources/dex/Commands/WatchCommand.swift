import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Ethereum
import PrivateFiles
import StrictJSON

/// The command `dex watch`.
struct WatchCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow the chain and tell what happens to your orders and tokens, until Ctrl-C.",
        discussion: """
            Tells fills and cancels of your orders, tokens that come in or go out, and orders that \
            are about to expire or cannot be filled any more: each once, also across restarts. \
            What a reorganization takes back is told, too. It goes on where it stopped; the \
            journal keeps how far it came.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where to begin: journal (where it stopped, the default), latest, first, or a block's "
                + "number.",
            valueName: "start"
        )
    )
    var from: WatchStart?

    @Flag(help: "Look once, tell what is new, and end.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Seconds between two looks (default: half the network's block time).",
            valueName: "seconds"
        )
    )
    var interval: UInt64?

    @Flag(help: "Tell transfers of tokens that are neither in the token map nor in your orders.")
    var allTokens = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let interval, !(1...86_400).contains(interval) {
            throw ValidationError("--interval takes 1 to 86400 seconds, not \(interval).")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let account = try context.account(session.network).address
        let journal = try context.journal(session.network)
        var settings = try context.watchSettings()
        if let interval { settings.interval = interval * 1_000 }
        settings.tellsAllTokens = allTokens
        let lock = try context.watchLock(session.network, account)
        defer { withExtendedLifetime(lock) {} }
        let sinks: [any WatchSink] = [TerminalSink(context: context)]
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
            let error = DexError(
                .unreachable,
                code: "sink-failed",
                message: "Not everything could be told: the \(left.joined(separator: ", ")) did "
                    + "not take it.",
                hint: "It is kept, and tried again by the next `dex watch`.",
                retryable: true
            )
            report.exit = error.exit
            report.error = error
        }
        return report
    }
}

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

/// stdout: lines for people, or with `--json` one object a line.
struct TerminalSink: WatchSink {
    let context: CommandContext
    let name = "terminal"

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        let report = CommandReport(data: WatchJSON.notice(notice)) { WatchView(notice).lines($0) }
        return context.emit(report) ? .delivered : .closed
    }
}

extension CommandContext {
    /// What config.toml says of watching.
    ///
    /// - Throws: `DexError`, exit 3.
    func watchSettings() throws(DexError) -> WatchSettings {
        let file = try settings()
        var watch = WatchSettings()
        if let seconds = file.integer(["watch", "interval"]) {
            guard (1...86_400).contains(seconds) else {
                throw DexError(
                    .configuration,
                    code: "bad-setting",
                    message: "watch.interval is \(seconds), and 1 to 86400 seconds are possible.",
                    hint: "Set it: dex config set watch.interval 10"
                )
            }
            watch.interval = seconds * 1_000
        }
        if let seconds = file.integer(["watch", "expiry_notice"]) { watch.expiryNotice = seconds }
        return watch
    }

    /// Held while an account is watched: two at once would tell everything twice.
    ///
    /// - Throws: `DexError`, exit 6, `already-watching`.
    func watchLock(_ network: Network, _ account: Address) throws -> ExclusiveLock {
        let folder = network.isSandbox ? try home().sandbox : try home().data
        try PrivateFiles.makeFolder(folder)
        let path = "\(folder)/watch-\(network.chainID)-\(account.lowercaseHex).lock"
        guard let lock = try ExclusiveLock(path) else {
            throw DexError(
                .refused,
                code: "already-watching",
                message: "Another `dex watch` follows \(account.checksummed) on this network.",
                hint: "One tells everything; end it first."
            )
        }
        return lock
    }

    /// Tells something of watching itself.
    func tell(_ status: WatchStatus) {
        let sentence = WatchText.sentence(status)
        let isWarning = WatchText.isWarning(status)
        guard options.isJSON else {
            if isWarning { console.warn(sentence) } else { console.note(sentence) }
            return
        }
        _ = emit(
            CommandReport(
                data: WatchJSON.status(status),
                warnings: isWarning ? [sentence] : []
            )
        )
    }
}
