import ArgumentParser
import DexCore
import DexStore
import DexTerminal
import Ethereum
import StrictJSON

/// `dex guard`: stop-loss and take-profit, while it runs.
struct GuardCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Buy or sell by itself when a price is reached: stop-loss and take-profit.",
        discussion: """
            A guard is a market order with a limit that waits for a price and fires once. It works \
            only while dex live or dex guard run runs: neither the relay nor the chain knows of it.
            """,
        subcommands: [Add.self, List.self, Remove.self, Run.self],
        defaultSubcommand: List.self
    )
    static let examples: Examples = [
        "A stop-loss": "dex guard add sell ZRX/WETH 100 --below 0.0007",
        "Run all guards": "dex guard run",
        "See what became of them": "dex guard list",
    ]

    struct Add: DexCommand {
        static var answer: Answer? { .guardAdd }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a guard.",
            discussion: """
                A sale looks at the best bid, a purchase at the best ask, of the verified book. \
                sell --below is a stop-loss, sell --above takes a profit. The limit is beyond the \
                price by the slippage, and fixed from now on: no order at a worse price is filled. \
                The account's key signs the terms, so that nothing else fires later. Without a relay \
                it looks at Uniswap's pools and trades there: the price has to be reached in two \
                blocks in a row, and by the mean of the last 5 minutes where a pool's oracle \
                reaches, else in every block for 60 s; no pool may have moved by more than the \
                slippage within the latest block.
                """
        )
        static let examples: Examples = [
            "A stop-loss": "dex guard add sell ZRX/WETH 100 --below 0.0007 --slippage 2",
            "Take a profit": "dex guard add sell ZRX/WETH 100 --above 0.0009",
            "Buy a dip, planned only": "dex guard add buy ZRX/WETH 1k --below 0.0006 -n",
        ]

        @Argument(help: "buy or sell.")
        var side: TradeSide

        @Argument(help: "BASE/QUOTE: symbols or addresses.")
        var pair: String

        @Argument(help: "How much of BASE: 1.5 or 1k; 50% or max of what can be spent.")
        var amount: String

        @Option(help: .of("p", "Fire when the price is P or less, in QUOTE per BASE."))
        var below: String?

        @Option(help: .of("p", "Fire when the price is P or more, in QUOTE per BASE."))
        var above: String?

        @Option(help: .of("pct", "The worst price beyond P, in percent (default 1)."))
        var slippage: String?

        @Flag(help: "Allow a slippage above 5%.")
        var allowHighSlippage = false

        @Flag(help: "Add it although its price is reached, and it fires at once or cannot.")
        var allowImmediate = false

        @Flag(help: "Add it although the account has less than it pays.")
        var allowUnfunded = false

        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard (below == nil) != (above == nil) else {
                throw ValidationError("Give --below or --above, with the price to wait for.")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var request = GuardRequest(
                side: side,
                pair: pair,
                amount: amount,
                trigger: below == nil ? .above : .below,
                price: below ?? above ?? "",
                allowsHighSlippage: allowHighSlippage,
                allowsImmediate: allowImmediate,
                allowsUnfunded: allowUnfunded
            )
            if let slippage { request.slippage = try TradeSettings.basisPoints(slippage) }
            let session = try context.session([.market, .node])
            let model = try context.guards(session)
            let account = try await context.account(session.network)
            guard options.isDryRun || account.key != nil else { throw account.noKey }
            context.console.progress("reading the market of \(pair)")
            let plan = try await model.plan(request, account: account.address)
            let view = GuardPlanView(plan)
            let shown = PlanReport(
                data: GuardJSON.plan(plan),
                warnings: plan.warnings,
                question: view.question
            ) { view.lines($0) }
            if let end = try await context.agreed(shown) { return end }
            let made = try await model.add(plan, signer: try await context.signer(of: account))
            return CommandReport(
                data: GuardJSON.guardOrder(made),
                warnings: options.isJSON ? plan.warnings : []
            ) { screen in
                screen.sentences("Guard \(made.id) waits: \(GuardText.terms(made)).")
                    + screen.sentences("Run it: dex guard run", .dim)
            }
        }
    }

    struct List: ListingCommand {
        static var answer: Answer? { Answer(GuardJSON.list) }
        static var rows: Fields<JournalGuard> { GuardJSON.guardOrder }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the guards of the network, and what became of those that fired."
        )
        static let examples: Examples = [
            "Every guard": "dex guard list",
            "For a script": "dex guard list -j",
        ]
        @Flag(help: "Show the guards too that did what they were to do.")
        var all = false

        @OptionGroup var list: ListOptions<List>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let model = try context.guards(try context.session([]))
            var guards = try model.list()
            let left = list.selection().apply(to: &guards)
            return report(
                context,
                GuardJSON.list,
                guards,
                left: left
            ) { [guards, all] in GuardsView(guards).lines($0.showingAll(all)) }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { Answer(GuardJSON.guardOrder) }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a guard, whether it waits or has fired."
        )
        static let examples: Examples = [
            "Remove a guard": "dex guard remove 2",
            "See what is left": "dex guard list",
        ]

        @Argument(help: .of("id", "Its number in dex guard list."))
        var id: Int64

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let model = try context.guards(try context.session([]))
            let made = try model.find(id)
            if !options.isDryRun { try model.remove(id) }
            return context.changed(GuardJSON.guardOrder(made)) { screen in
                screen.sentences("Guard \(made.id) is removed: \(GuardText.terms(made)).")
            }
        }
    }

    struct Run: DexCommand {
        static var answer: Answer? { .guardRun }
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Check your guards at each block, and fire them, until none waits or Ctrl-C.",
            discussion: """
                What a guard does was confirmed when it was added, and is not asked again. The key \
                has to sign by itself: a wallet's password is asked for once, at the start; an \
                unlocked wallet (dex unlock) signs within its limits. A guard fires in the second \
                block in a row in which its price is reached, and never twice: one that was \
                interrupted while it fired does not fire again, and dex resume tells what it did.
                """
        )
        static let examples: Examples = [
            "Until none waits, or Ctrl-C": "dex guard run",
            "With a wallet, at no more than a fee": "dex guard run -w alice --max-gas-cost 0.01",
        ]

        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Trading") var moving: MovingOptions
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            context.liftBudget()
            var settings = try context.tradeSettings()
            for group in [sending, moving] as [any SettingsOptions] {
                try group.apply(to: &settings)
            }
            let session = try context.session([.market, .node])
            let journal = try context.journal(session.network)
            let account = try await context.account(session.network)
            guard account.key != nil else { throw account.noKey }
            let waiting = try context.guards(session).waiting(account.address)
            // Before a password is asked for.
            guard !waiting.isEmpty else {
                throw GuardError.noGuards(account: account.address)
            }
            var loop = GuardLoop(
                session: session,
                journal: journal,
                settings: settings,
                account: account.address,
                report: { context.tell($0) }
            )
            if options.isDryRun {
                return context.changed(GuardJSON.list(waiting)) { GuardsView(waiting).lines($0) }
            }
            let signer = try await context.signer(of: account)
            let error = try await loop.run { () throws(DexError) in signer }
            var report = context.finished()
            if let error {
                report.exit = error.exit
                report.error = error
            }
            return report
        }
    }
}

extension CommandContext {
    /// Reports what happens to guards; what the user has seen is then recorded as reported.
    func tell(_ report: GuardReport) {
        if case .firing = report { signingMark.pass() }
        let sentence = GuardText.sentence(report)
        let isWarning = GuardText.isWarning(report)
        let isShown: Bool
        if options.isJSON {
            isShown = emit(
                CommandReport(
                    data: GuardJSON.report(report),
                    warnings: isWarning ? [sentence] : []
                )
            )
        } else {
            if isWarning { console.warn(sentence) } else { console.note(sentence) }
            switch report {
            case .firing(_, let plan):
                let lines = OperationView.market().planLines(plan, console.errorScreen)
                console.note(lines: lines + [""])
                isShown = true
            case .fired(_, let outcome):
                isShown = emit(
                    CommandReport(data: .null) {
                        OperationView.market().outcomeLines(outcome, $0)
                    }
                )
            case .begun, .reached, .held, .failed, .failing, .recovered: isShown = true
            }
        }
        switch report {
        case .fired, .failed: if isShown { reported.write(console) }
        case .begun, .reached, .held, .firing, .failing, .recovered: break
        }
    }
}

extension CommandContext {
    fileprivate func guards(_ session: Session) throws -> GuardsModel {
        GuardsModel(session: session, journal: try journal(session.network))
    }
}
