import ArgumentParser
import DexCore
import DexTerminal
import Ethereum

struct TransactionCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "tx",
        abstract: "See what was sent; pay more for it, or take its nonce, while it waits.",
        discussion: "Without a subcommand it lists.",
        subcommands: [
            ListCommand.self, SpeedupCommand.self, CancelCommand.self, ExportCommand.self,
        ],
        defaultSubcommand: ListCommand.self
    )
    static let examples: Examples = [
        "See what was sent": "dex tx list",
        "Pay more for what waits": "dex tx speedup 0x7d3a9f01",
    ]
    static let completions: [String: CompletionSource] = ["hash": .transactions]

    struct ListCommand: ListingCommand {
        static var answer: Answer? { Answer(LifeJSON.transactions) }
        static var rows: Fields<TransactionsState.Row> { LifeJSON.transaction }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The journal's transactions, the newest first, and how they stand.",
            discussion: """
                The node is asked about those that are unsettled. --wallet shows those of one \
                account only, and takes any address. --sort sorts the latest, of which --limit says \
                how many there are (20 without it).
                """
        )
        static let examples: Examples = [
            "The last 20 transactions": "dex tx list",
            "Only those that need you": "dex tx list --unsettled",
        ]

        @Flag(
            help: "Only what dex resume shows: in no block yet, or mined after its command ended."
        )
        var unsettled = false

        @OptionGroup var list: ListOptions<ListCommand>
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            try checkForm()
            guard (list.limit ?? 1) <= 10_000 else {
                throw ValidationError("--limit takes a number from 1 to 10000.")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let session = try context.session([.node])
            let account =
                options.wallet == nil ? nil : try await context.account(session.network).address
            let names = try context.knownAddresses(session.network)
            context.console.progress("reading the journal")
            var state = try await TransactionsModel(
                session: session,
                journal: try context.journal(session.network),
                names: names
            ).load(account: account, limit: list.limit ?? 20, onlyUnsettled: unsettled)
            _ = list.selection().apply(to: &state.rows)
            let shown = ShownList(
                network: session.network.name,
                kind: .transactions,
                hashes: state.rows.map(\.hash.word)
            )
            return report(
                context,
                LifeJSON.transactions,
                state,
                left: 0,
                warnings: state.warnings,
                shown: shown
            ) { [state] in
                TransactionsView(state).lines($0.naming(names))
            }
        }
    }

    struct SpeedupCommand: OperationCommand {
        typealias Model = ReplacementModel

        static var answer: Answer? { .replacement }
        static let configuration = CommandConfiguration(
            commandName: "speedup",
            abstract: "Send a waiting transaction again, with the same nonce and a higher fee.",
            discussion: """
                Either of the two is mined, and never both. It pays at least a tenth more, and \
                what the market pays now, up to 150 % of what was confirmed first.
                """
        )
        static let examples: Examples = [
            "Pay what the market pays now": "dex tx speedup 0x7d3a9f01",
            "Pay at most 40 gwei for a unit of gas": "dex tx speedup 0x7d3a9f01 --max-fee 40",
        ]

        @Argument(help: .hash(of: "the transaction"))
        var hash: String

        @OptionGroup(title: "Replacing") var sending: SendingOptions
        @OptionGroup(title: "Replacing") var holding: HoldingOptions
        @OptionGroup(title: "Replacing") var replacing: ReplacementOptions
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        var groups: [any SettingsOptions] { [replacing, sending, holding] }

        func request(_ context: CommandContext) throws -> ReplacementRequest {
            let reference = try HashReference(hash)
            let resolver = try context.hashes(try context.session(needs))
            return ReplacementRequest(.speedup, of: try resolver.ownTransaction(reference))
        }
    }

    struct CancelCommand: OperationCommand {
        typealias Model = ReplacementModel

        static var answer: Answer? { .replacement }
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Use the nonce of a waiting transaction up, so that it is never mined.",
            discussion: """
                An empty transaction to yourself takes its place. It costs gas, and it may come \
                too late. Orders are cancelled with dex cancel.
                """
        )
        static let examples: Examples = [
            "Take a waiting transaction back": "dex tx cancel 0x7d3a9f01",
            "Before most others": "dex tx cancel 0x7d3a9f01 --priority high",
        ]
        static let isWithdrawal = true

        @Argument(help: .hash(of: "the transaction"))
        var hash: String

        @OptionGroup(title: "Replacing") var sending: SendingOptions
        @OptionGroup(title: "Replacing") var holding: HoldingOptions
        @OptionGroup(title: "Replacing") var replacing: ReplacementOptions
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        var groups: [any SettingsOptions] { [replacing, sending, holding] }

        func request(_ context: CommandContext) throws -> ReplacementRequest {
            let reference = try HashReference(hash)
            let resolver = try context.hashes(try context.session(needs))
            return ReplacementRequest(.cancel, of: try resolver.ownTransaction(reference))
        }
    }
}

/// Limits on the cost of a replacement.
struct ReplacementOptions: SettingsOptions, Sendable {
    @Flag(help: "Replace more than 3 times, or pay more than 150 % of what was confirmed first.")
    var beyondLimits = false

    func apply(to settings: inout TradeSettings) {
        settings.allowsBeyondLimits = beyondLimits
    }
}
