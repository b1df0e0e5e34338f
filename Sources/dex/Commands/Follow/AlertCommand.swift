import ArgumentParser
import DexCore
import DexStore
import DexTerminal
import Ethereum
import StrictJSON

/// `dex alert`: conditions that `dex watch` reports.
struct AlertCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "alert",
        abstract: "Notify me when a price, spread, balance or order meets a condition.",
        discussion: """
            dex watch checks the alerts at each new block while it runs, and reports them to its \
            sinks: the terminal, the desktop, a command or a webhook. An alert fires once when \
            its condition becomes true, and again only after it was false.
            """,
        subcommands: [Add.self, List.self, Remove.self],
        defaultSubcommand: List.self
    )
    static let examples: Examples = [
        "Be told when ZRX falls below a price": "dex alert add ZRX/WETH --below 0.00074",
        "See all alerts": "dex alert list",
        "Check them at each block": "dex watch",
    ]
    static let completions: [String: CompletionSource] = ["id": .alerts]

    struct Add: DexCommand {
        static var answer: Answer? { Answer(AlertJSON.alert) }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an alert.",
            discussion: """
                A price is the mid of the verified book, or its bid or ask; without a relay of \
                Uniswap's pools, where it has to be true of two blocks in a row, and of the mean \
                of 5 minutes where a pool's oracle reaches: ZRX/WETH --below \
                0.00074, ZRX/WETH bid --above 0.0008. A spread is a share of the mid: ZRX/WETH \
                spread --above 2%. A balance is the account's: balance WETH --below 1. fill, \
                unfunded and expiring are events of your orders, of any pair or of one: fill \
                ZRX/WETH. The limit itself counts, as for dex guard add. <, <=, > and >= do too, \
                quoted: 'ZRX/WETH < 0.00074'.
                """
        )
        static let examples: Examples = [
            "When the mid falls below a price": "dex alert add ZRX/WETH --below 0.00074",
            "Once, when the spread is wide": "dex alert add ZRX/WETH spread --above 2% --once",
            "When alice runs low": "dex alert add balance WETH --below 1 -w alice",
        ]

        @Argument(help: .of("condition", "What is compared, such as ZRX/WETH, or an event."))
        var condition: [String]

        @Option(help: .of("p", "Fire when it is P or less."))
        var below: String?

        @Option(help: .of("p", "Fire when it is P or more."))
        var above: String?

        @Flag(help: "Remove the alert once it fired.")
        var once = false

        @OptionGroup var options: GlobalOptions

        func validate() throws {
            if below != nil, above != nil {
                throw ValidationError("Give --below or --above; for both, add two alerts.")
            }
        }

        /// The condition in one text.
        private var text: String {
            let limit = below.map { ["below", $0] } ?? above.map { ["above", $0] } ?? []
            return (condition + limit).joined(separator: " ")
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let session = try context.session([])
            let model = try context.alerts(session)
            let parsed = try await AlertParser(session: session).parse(text)
            var alert = model.alert(
                parsed,
                account: parsed.condition.isOfAccount
                    ? try await context.account(session.network).address : nil,
                isOnce: once
            )
            if !options.isDryRun { alert = try model.add(alert) }
            let name = alert.id == 0 ? "An alert" : "Alert \(alert.id)"
            return context.changed(AlertJSON.alert(alert)) { [alert] screen in
                screen.sentences("\(name) is set: \(alert.text)")
                    + screen.sentences("It is checked while `dex watch` or `dex live` runs.", .dim)
            }
        }
    }

    struct List: ListingCommand {
        static var answer: Answer? { Answer(AlertJSON.list) }
        static var rows: Fields<JournalAlert> { AlertJSON.alert }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the alerts of the network."
        )
        static let examples: Examples = [
            "Every alert": "dex alert list",
            "For a script": "dex alert list -j",
        ]
        @OptionGroup var list: ListOptions<List>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let model = try context.alerts(try context.session([]))
            var alerts = try model.list()
            let left = list.selection().apply(to: &alerts)
            return report(
                context,
                AlertJSON.list,
                alerts,
                left: left
            ) { [alerts] in AlertsView(alerts).lines($0) }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { Answer(AlertJSON.alert) }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an alert."
        )
        static let examples: Examples = [
            "Remove an alert": "dex alert remove 3",
            "See what is left": "dex alert list",
        ]

        @Argument(help: .of("id", "Its number in dex alert list."))
        var id: Int64

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let model = try context.alerts(try context.session([]))
            let alert = try model.find(id)
            if !options.isDryRun { try model.remove(id) }
            return context.changed(AlertJSON.alert(alert)) { screen in
                screen.sentences("Alert \(alert.id) is removed: \(alert.text)")
            }
        }
    }
}

extension CommandContext {
    fileprivate func alerts(_ session: Session) throws -> AlertsModel {
        AlertsModel(session: session, journal: try journal(session.network))
    }
}
