import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// A command of `dex`: parses, wires, and returns what is shown.
protocol DexCommand: DescribedCommand, Sendable {
    var options: GlobalOptions { get }

    /// The name in the JSON envelope; nil for its words, such as `sandbox up`.
    static var reportedName: String? { get }

    /// What it answers with `--json`; nil if it has no such answer.
    static var answer: Answer? { get }

    /// Where `trade.pair` goes if the pair is left out; nil if it takes none from there.
    static var pairPlace: PairPlace? { get }

    /// Its arguments may be numbers below zero.
    static var takesNegativeNumbers: Bool { get }

    /// Its arguments are the words of a command.
    static var takesCommand: Bool { get }

    /// It only takes back what was given: nothing that is wrong elsewhere keeps a user from that.
    static var isWithdrawal: Bool { get }

    /// Runs the command. Failures are thrown as `DexError` or as the errors of the modules below.
    func execute(_ context: CommandContext) async throws -> CommandReport
}

extension DexCommand {
    static var reportedName: String? { nil }
    static var pairPlace: PairPlace? { nil }
    static var takesNegativeNumbers: Bool { false }
    static var takesCommand: Bool { false }
    static var isWithdrawal: Bool { false }
}

/// A command's result.
struct CommandReport: Sendable {
    var exit: ExitCode
    var status: JSONEnvelope.Status
    var data: JSONValue
    var warnings: [String]
    /// Set where it ended with a failure, although there is something to show (mined, nothing filled).
    var error: DexError?
    /// The list of orders or transactions that the text output has, whose rows get numbers.
    var list: ShownList?
    /// The text is a list, for which a pager may be used.
    var isPaged = false
    /// The text has the mark of a state that is old, if it is.
    var isMarked = false
    /// Everything was already printed, object by object.
    var isStream = false
    /// What is proven of a plan that is not signed, or of a signed order.
    var proof: StateProof?
    /// The text output; empty prints nothing.
    var lines: @Sendable (Screen) -> [String]

    init(
        exit: ExitCode = .done,
        status: JSONEnvelope.Status = .ok,
        data: JSONValue = [:],
        warnings: [String] = [],
        error: DexError? = nil,
        lines: @escaping @Sendable (Screen) -> [String] = { _ in [] }
    ) {
        self.exit = error?.exit ?? exit
        self.status = error == nil ? status : .error
        self.data = data
        self.warnings = warnings
        self.error = error
        self.lines = lines
    }
}
