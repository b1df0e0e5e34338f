import DexCore
import DexNetwork
import DexTerminal
import Glibc
import StrictJSON

/// Everything that a command is given: options, environment, folders and the console.
///
/// Nothing is read or opened before it is asked for.
struct CommandContext: Sendable {
    let options: GlobalOptions
    let environment: ProcessEnvironment
    let console: Console
    /// The command's name in JSON.
    let name: String
    /// A wallet may be opened with its password; false for a command that must never ask for one.
    var opensWallets = true
    /// The journal entries to write after the outcome was reported.
    let reported = ReportedWrites()
    /// Before it is passed, a signal leaves nothing behind.
    let signingMark = SigningMark()
    /// What its requests may take together.
    let budget = RequestBudget(
        clock: { steadyMilliseconds },
        memory: { MemoryLimit.used }
    )

    /// The folders of config and data.
    ///
    /// - Throws: `DexError` (exit 3) if neither DEX_HOME nor HOME is set, or if other users could
    ///   change what is in the folders.
    func home() throws(DexError) -> Home {
        let home = try Home(environment)
        try home.checkFolders()
        return home
    }

    /// Lets requests take whatever they take from now on: something is to be signed and followed to
    /// its end, or the command goes on until it is ended.
    func liftBudget() {
        budget.lift()
    }

    /// Prints one object of a stream (`--watch`) or its lines; false once the reader is gone.
    ///
    /// - Parameter redrawing: on a terminal the lines replace the previous ones.
    func emit(_ report: CommandReport, redrawing: Bool = false) -> Bool {
        if options.isJSON {
            let envelope = JSONEnvelope(
                command: name,
                status: report.status,
                exit: report.exit,
                data: report.data,
                warnings: report.warnings,
                error: report.error
            )
            return console.result(utf8: envelope.json.utf8)
        }
        for warning in report.warnings { console.warn(warning) }
        let lines = report.lines(console.screen)
        guard !lines.isEmpty else { return true }
        let text = lines.joined(separator: "\n")
        return redrawing ? console.redraw(text) : console.result(text)
    }

    /// The end of a stream, which has printed all that it had to say.
    func finished() -> CommandReport {
        var report = CommandReport()
        report.isStream = true
        return report
    }
}
