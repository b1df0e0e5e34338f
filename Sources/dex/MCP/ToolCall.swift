import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// One call of a tool: its arguments, and all that it works with.
struct ToolCall: Sendable {
    let arguments: ToolArguments
    let host: ToolHost
    /// What the client calls itself, cleaned and short: nothing is decided by it.
    let client: String
    /// Tells the client how far the call is.
    let progress: @Sendable (String) -> Void

    /// Runs a command of `dex` in this process, as its command line would with `--json`.
    ///
    /// - Parameters: as of `command`.
    /// - Throws: `DexError`.
    func run(_ words: [String], _ operands: [String] = []) async throws -> ToolAnswer {
        let (command, context) = try command(words, operands)
        let report: CommandReport
        do {
            report = try await command.execute(context)
        } catch {
            throw Self.described(error)
        }
        return ToolAnswer(
            data: report.data,
            warnings: report.warnings
                + context.late.all.filter { !report.warnings.contains($0) }
                + [report.error?.message].compactMap(\.self),
            stale: context.freshness.stale
        )
    }

    /// A context of its own for what is no command: as of `command`.
    ///
    /// - Throws: `DexError`.
    func context() throws(DexError) -> CommandContext {
        try command(CommandPath.words(of: ApproveCommand.List.self)).1
    }

    /// A command of `dex`, and a context of its own for it.
    ///
    /// With that nothing is printed, nobody is asked, and no wallet is opened. What a client gave
    /// stands behind `--` or in the word of its option, so that none of it is read as an option.
    ///
    /// - Parameters:
    ///   - words: the command, and its options as `--name=value`.
    ///   - operands: its arguments.
    /// - Throws: `DexError`: `bad-arguments` if the command does not take them, `secret-argument`.
    func command(
        _ words: [String],
        _ operands: [String] = []
    ) throws(DexError) -> (any DexCommand, CommandContext) {
        let line = words + host.options + ["--"] + operands
        if let kind = SecretArguments(line).refused { throw ArgumentError.secret(kind) }
        let parsed: any ParsableCommand
        do {
            parsed = try TypedLine.parse(line)
        } catch {
            throw DexError(ToolArgumentError.refused(Dex.message(for: error)))
        }
        guard let command = parsed as? any DexCommand else {
            throw DexError(ToolArgumentError.refused("No command answers this."))
        }
        var context = host.context(
            command.options,
            name: CommandPath(words).reportedName,
            progress: progress
        )
        context.isWithdrawal = type(of: command).isWithdrawal
        return (command, context)
    }

    /// The error; one that would name other wallets says only that ours is unknown.
    private static func described(_ error: any Error) -> DexError {
        let error = Failure.describe(error)
        let named: Set = ["unknown-wallet", "ambiguous-wallet", "ambiguous-name"]
        return named.contains(error.code) ? MCPError.noAccount : error
    }
}
