import DexCore
import DexNetwork
import DexTerminal
import Glibc
import StrictJSON

/// The inputs of a command: options, environment, folders and the console, opened on demand.
struct CommandContext: Sendable {
    let options: GlobalOptions
    let environment: ProcessEnvironment
    let console: Console
    /// The command's name in JSON.
    let name: String
    /// config.toml, which is read once.
    private(set) var config: SettingsReading
    /// The command only takes back what was given.
    var isWithdrawal = false
    /// A wallet may be opened with its password; false for a command that must never ask for it.
    var opensWallets = true
    /// The application that asks for it; nil for the user.
    var asker: Asker?
    /// The account of all steps; nil for the one that options, environment and settings name.
    var acting: Account?
    /// The journal entries to write after the outcome is reported.
    let reported = ReportedWrites()
    /// What arose after the plan was confirmed.
    let late = LateWarnings()
    /// Whether the state that was read last is old.
    let freshness = FreshnessMemory()
    /// The old states that were named on stderr.
    let staleMarks = StaleMarks()
    /// What later commands need not find out again.
    var caches = CommandCaches()
    /// Before it is passed, an interrupted command has no effect.
    let signingMark = SigningMark()
    /// The limits of all requests together.
    let budget = RequestBudget(
        clock: { steadyMilliseconds },
        memory: { MemoryLimit.used }
    )

    /// - Parameter config: that of the command line; nil for one of its own.
    init(
        options: GlobalOptions,
        environment: ProcessEnvironment,
        console: Console,
        name: String,
        config: SettingsReading? = nil
    ) {
        self.options = options
        self.environment = environment
        self.console = console
        self.name = name
        self.config = config ?? SettingsReading(environment)
    }

    /// The folders of config and data.
    ///
    /// - Throws: `DexError` (exit 3) if neither DEX_HOME nor HOME is set, or if other users could
    ///   change what is in the folders.
    func home() throws(DexError) -> Home {
        let home = try Home(environment)
        try home.checkFolders()
        return home
    }

    /// config.toml as it is now, and the rest as before: for a server that goes on for days.
    var rereading: CommandContext {
        var context = self
        context.config = SettingsReading(environment)
        return context
    }

    /// A context of its own with changed options: its own limits, caches and journal writes.
    ///
    /// It reads config.toml again.
    func with(_ change: (inout GlobalOptions) -> Void) -> CommandContext {
        var options = options
        change(&options)
        var context = CommandContext(
            options: options,
            environment: environment,
            console: console,
            name: name
        )
        context.isWithdrawal = isWithdrawal
        return context
    }

    /// Ends the limits on requests: a signature follows, or the command runs until it is stopped.
    func liftBudget() {
        budget.lift()
    }

    /// Warns at once on stderr, and in the result where that is JSON.
    func warn(late warning: String) {
        if late.add(warning) { console.alert(warning) }
    }

    /// Warns of what an outcome found, beyond its plan: on stderr where its text goes to a program, and
    /// in the result where that is JSON.
    ///
    /// - Parameters:
    ///   - plan: the warnings that were shown before the confirmation.
    ///   - error: the outcome's own, which is printed there in any case.
    func warn(ofOutcome warnings: [String], beyond plan: [String], error: DexError?) {
        guard options.isJSON || !console.isResultShown else { return }
        for warning in warnings where !plan.contains(warning) && warning != error?.message {
            warn(late: warning)
        }
    }

    /// Prints one object of a stream (`--watch`) or its lines; false once the reader is gone.
    func emit(_ report: CommandReport) -> Bool {
        if options.isJSON {
            var envelope = JSONEnvelope(
                command: name,
                status: report.status,
                exit: report.exit,
                data: report.data,
                warnings: withStaleness(
                    report.warnings + late.all.filter { !report.warnings.contains($0) }
                ),
                error: report.error
            )
            envelope.stale = freshness.stale
            envelope.proof = report.proof
            return console.result(utf8: envelope.json.utf8)
        }
        for warning in report.warnings { console.warn(warning) }
        var lines = report.lines(screen(for: report.list))
        if !report.isMarked, !lines.isEmpty { lines = marked(lines, console.screen) }
        guard !lines.isEmpty else { return true }
        let text = lines.joined(separator: "\n")
        guard report.isPaged, !options.hasNoPager else { return console.result(text) }
        return console.result(paging: text, with: Pager(environment))
    }

    /// The lines below a mark if the state that was read last is old.
    ///
    /// Where they are read by a program, the mark is a warning on stderr, whatever the options: once
    /// for each block.
    func marked(_ lines: [String], _ screen: Screen) -> [String] {
        guard let stale = freshness.stale else { return lines }
        guard console.isResultShown else {
            if staleMarks.isFirst(stale) { console.alert(stale.warning) }
            return lines
        }
        return staleness(screen) + lines
    }

    /// The mark of a state that is old; none of a fresh one.
    func staleness(_ screen: Screen) -> [String] {
        freshness.stale.map { screen.sentences("OLD STATE. \($0.warning)", .red) + [""] } ?? []
    }

    /// The warnings with that of a state that is old.
    func withStaleness(_ warnings: [String]) -> [String] {
        guard let stale = freshness.stale, !warnings.contains(stale.warning) else {
            return warnings
        }
        return warnings + [stale.warning]
    }

    /// A report whose text has the warnings already.
    ///
    /// - Parameter list: of orders or transactions, if the text is one.
    func report(
        _ data: JSONValue,
        warnings: [String],
        error: DexError? = nil,
        list: ShownList? = nil,
        lines: @escaping @Sendable (Screen) -> [String]
    ) -> CommandReport {
        let warnings = options.isJSON ? warnings : []
        var report = CommandReport(data: data, warnings: warnings, error: error, lines: lines)
        report.list = list
        return report
    }

    /// The end of a stream whose output is complete.
    func finished() -> CommandReport {
        var report = CommandReport()
        report.isStream = true
        return report
    }
}
