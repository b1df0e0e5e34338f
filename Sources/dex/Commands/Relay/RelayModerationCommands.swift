import ArgumentParser
import DexCore
import DexRelay
import DexTerminal
import Ethereum
import RelayHost
import StrictJSON
import ZeroEx

/// `dex relay hide`, `remove` and `show`: what a running relay does with orders from now on.
struct RelayHideCommand: DexCommand {
    static var answer: Answer? { .relayDecision }
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Keep an order, a maker's orders or a pair's orders out of the book, silently.",
        discussion: """
            The orders stay in the store and are watched; their makers get the answers that they \
            would get anyway. A running relay does it within a few seconds. A rule about an order \
            comes before one about its maker, and that before one about its pair.
            """
    )
    static let examples: Examples = [
        "Every order of a maker":
            "dex relay hide 0xE41d2489571d322189246DaFA5ebDe1F4699F498 --reason spam",
        "Every order of a pair": "dex relay hide ZRX/WETH",
    ]

    @OptionGroup var decision: RelayDecisionOptions
    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        try await RelayDecision(context: context, relay: relay, decision).report(.hide)
    }
}

struct RelayRemoveCommand: DexCommand {
    static var answer: Answer? { .relayDecision }
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take an order, a maker's orders or a pair's orders off, and refuse them.",
        discussion: """
            Whoever posts them is told that the operator does not carry them. A running relay does \
            it within a few seconds. After dex relay show they have to be posted again.
            """
    )
    static let examples: Examples = [
        "Every order of a maker": "dex relay remove 0xE41d2489571d322189246DaFA5ebDe1F4699F498",
        "Every order of a pair": "dex relay remove ZRX/WETH --reason 'Court order 12'",
    ]

    @OptionGroup var decision: RelayDecisionOptions
    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        try await RelayDecision(context: context, relay: relay, decision).report(.remove)
    }
}

struct RelayShowCommand: DexCommand {
    static var answer: Answer? { .relayDecision }
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what was hidden, and take again what was removed.",
        discussion: """
            It also shows what the policy program hides or rejects of the same order, maker or \
            pair from now on: the operator has the last word.
            """
    )
    static let examples: Examples = [
        "A pair again": "dex relay show ZRX/WETH",
        "A maker again": "dex relay show 0xE41d2489571d322189246DaFA5ebDe1F4699F498",
    ]

    @OptionGroup var decision: RelayDecisionOptions
    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        try await RelayDecision(context: context, relay: relay, decision).report(.show)
    }
}

/// `dex relay moderation`: the log of what was decided.
struct RelayModerationCommand: DexCommand {
    static var answer: Answer? { .relayModeration }
    static let configuration = CommandConfiguration(
        commandName: "moderation",
        abstract: "List what was hidden, removed and shown again, the latest first."
    )
    static let examples: Examples = [
        "What was decided, and when": "dex relay moderation",
        "With whole hashes and addresses": "dex relay moderation -v",
    ]

    @OptionGroup var relay: RelayOptions
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        let log = ModerationLog(settings)
        let entries = try await log.decisions().reversed().map {
            ServerJSON.Decision(entry: $0, settings: settings)
        }
        let data: JSONValue = [
            "path": log.path.map { .string($0) } ?? .null,
            "store": .string(settings.store.words),
            "decisions": ServerJSON.decision(entries),
        ]
        return CommandReport(data: data) { screen in
            guard !entries.isEmpty else {
                return ["Nothing was hidden or removed.", "Do it: dex relay hide 0x..."]
            }
            return ServerJSON.decision.lines(entries, screen)
        }
    }
}

struct RelayDecisionOptions: ParsableArguments, Sendable {
    @Argument(
        help: .of("what", "An order's hash, a maker's address, or a pair such as ZRX/WETH.")
    )
    var what: String

    @Option(help: .of("text", "Why, for the log; clients never see it."))
    var reason: String?
}

/// Writes a decision where running relays find it.
private struct RelayDecision {
    let context: CommandContext
    let relay: RelayOptions
    let options: RelayDecisionOptions

    init(context: CommandContext, relay: RelayOptions, _ options: RelayDecisionOptions) {
        self.context = context
        self.relay = relay
        self.options = options
    }

    func report(_ action: Moderation.Action) async throws -> CommandReport {
        let settings = try context.relaySettings(at: try context.relaySettingsPath(relay.config))
        let subject = try subject(settings)
        if let reason = options.reason {
            guard PlainText.clean(reason, limit: ModerationFile.maximumOfReason) == reason else {
                throw RelayUseError.badReason(maximum: ModerationFile.maximumOfReason)
            }
        }
        let log = ModerationLog(settings)
        let entry =
            if context.options.isDryRun {
                ModerationDecision(
                    time: Console.now(),
                    action: action,
                    subject: subject,
                    reason: options.reason
                )
            } else {
                try await log.decide(
                    action,
                    subject,
                    reason: options.reason,
                    now: Console.now()
                )
            }
        let decision = ServerJSON.Decision(entry: entry, settings: settings)
        let words = decision.words()
        let done =
            switch action {
            case .hide: "\(words) is hidden."
            case .remove: "\(words) is removed, and posts of it are refused."
            case .show: "\(words) is shown as far as it can be filled."
            }
        let when =
            log.path == nil
            ? "Every running instance does it at once: dex relay stats"
            : "A running relay does it within a few seconds: dex relay stats"
        return context.changed([
            "path": log.path.map { .string($0) } ?? .null,
            "store": .string(settings.store.words),
            "decision": ServerJSON.decision(decision),
        ]) { _ in [done, when] }
    }

    private func subject(_ settings: RelaySettings) throws -> Moderation.Subject {
        let text = options.what
        if let hash = OrderHash(ifHex: text) { return .order(hash) }
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        if sides.count == 2 {
            let one = try settings.tokens.token(String(sides[0])).address
            let other = try settings.tokens.token(String(sides[1])).address
            guard one != other else { throw RelayUseError.badSubject(text) }
            return .pair(PairDirection(makerToken: one, takerToken: other))
        }
        guard let maker = Address(ifValid: text), maker != .zero else {
            throw RelayUseError.badSubject(text)
        }
        return .maker(maker)
    }
}
