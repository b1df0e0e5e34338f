import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

/// Runs the command of a line, and turns the result into text and an exit code.
struct CommandRunner: Sendable {
    let line: TypedLine
    let environment: ProcessEnvironment

    private var arguments: [String] { line.words }

    /// What no message may repeat.
    private var secrets: SecretArguments {
        SecretArguments(
            arguments,
            others: ["DEX_WALLET", "DEX_NETWORK", "DEX_PASSWORD_FILE"].compactMap {
                environment[$0]
            }
        )
    }

    /// Reports why no command could start.
    func refused(_ failure: DexError) -> ExitCode {
        let failure = secrets.hiding(failure)
        let isJSON = line.wantsJSON
        let console = console(Console.Settings(isJSON: isJSON), Interruption())
        console.failure(failure)
        if isJSON {
            console.result(utf8: JSONEnvelope(command: "", error: failure).json.utf8)
        }
        return failure.exit
    }

    private func console(_ settings: Console.Settings, _ interruption: Interruption) -> Console {
        Console(settings: settings, environment: environment, interruption: interruption)
    }

    func run(_ interruption: Interruption) async -> ExitCode {
        if let kind = secrets.refused { return refused(ArgumentError.secret(kind)) }
        if let problem = line.problem {
            return ended(TypedLine.ParsingEnd(error: problem, isFailure: true), interruption)
        }
        if let topic = HelpTopic(arguments) { return shown(topic, interruption) }
        let parsed: any ParsableCommand
        do throws(TypedLine.ParsingEnd) {
            parsed = try line.parse()
        } catch {
            return ended(error, interruption)
        }
        guard let command = parsed as? any DexCommand else {
            // `dex` and groups such as `dex sandbox`.
            return shown(.named(arguments), interruption)
        }
        return await run(command, interruption)
    }

    private func run(
        _ command: any DexCommand,
        _ interruption: Interruption
    ) async -> ExitCode {
        let console = console(command.options.output, interruption)
        var context = CommandContext(
            options: command.options,
            environment: environment,
            console: console,
            name: line.path.reportedName,
            config: line.settings
        )
        context.isWithdrawal = type(of: command).isWithdrawal
        defer { context.caches.save() }
        return await perform(command, context, interruption)
    }

    /// Runs a command and shows its result.
    private func perform(
        _ command: any DexCommand,
        _ context: CommandContext,
        _ interruption: Interruption
    ) async -> ExitCode {
        let console = context.console
        do {
            let report = try await console.withDelayedProgress {
                try await command.execute(context)
            }
            console.endProgress()
            if let error = report.error { console.failure(error) }
            warnOfJournal(context)
            if !report.isStream { _ = context.emit(report) }
            if !console.isResultLost { context.reported.write(console) }
            return console.exit(
                report.isStream && interruption.isInterrupted ? .interrupted : report.exit
            )
        } catch {
            console.endProgress()
            var failure = Failure.describe(error)
            // The signal may have caused any error; an error that reports the signal has more
            // detail.
            let isEarly = interruption.isInterrupted && !context.signingMark.wasPassed
            if isEarly || interruption.cameAtQuestion, failure.sent.isEmpty {
                failure = .cancelled
            } else if interruption.isInterrupted, failure.kind != .interrupted {
                failure = DexError.interrupted.after(failure.sent)
            }
            if failure.kind == .usage { failure = failure.suggesting(formQuestion) }
            failure = secrets.hiding(failure)
            console.failure(failure)
            warnOfJournal(context)
            if command.options.isJSON {
                var envelope = JSONEnvelope(
                    command: context.name,
                    error: failure,
                    warnings: context.withStaleness(context.late.all)
                )
                envelope.stale = context.freshness.stale
                console.result(utf8: envelope.json.utf8)
            }
            if !console.isResultLost { context.reported.write(console) }
            return failure.exit
        }
    }

    /// Warns of what the journal will not take, before a result with its warnings is printed.
    private func warnOfJournal(_ context: CommandContext) {
        guard context.options.isJSON else { return }
        for warning in context.reported.obstacles() { context.warn(late: warning) }
    }

    private func shown(_ topic: HelpTopic, _ interruption: Interruption) -> ExitCode {
        let console = console(Console.Settings(), interruption)
        do {
            let help = HelpView(try CommandHelp(topic))
            console.result(help.lines(console.screen).joined(separator: "\n"))
            return console.exit(.done)
        } catch {
            let failure = Failure.describe(error)
            console.failure(failure)
            return failure.exit
        }
    }

    /// The version goes to stdout; a usage error to stderr, with exit code 2.
    private func ended(_ end: TypedLine.ParsingEnd, _ interruption: Interruption) -> ExitCode {
        let isJSON = line.wantsJSON
        let console = console(Console.Settings(isJSON: isJSON), interruption)
        var text = Dex.fullMessage(for: end.error)
        guard end.isFailure else {
            console.result(text)
            return console.exit(.done)
        }
        text = suggesting(text)
        console.usageError(secrets.hiding(shown(withUsage(text))))
        if isJSON {
            let message = secrets.hiding(shown(suggesting(Dex.message(for: end.error))))
            let failure = ArgumentError.usage(message: message)
            let name = PlainText.clean(arguments.first { !$0.hasPrefix("-") } ?? "", limit: 60)
            console.result(utf8: JSONEnvelope(command: name, error: failure).json.utf8)
        }
        return .usage
    }

    /// The line that was probably meant, as a question; nil if none is near.
    private var formQuestion: String? {
        CommandForm(arguments, pair: line.settings.pair).meant().map { "Did you mean: \($0)?" }
    }

    /// ArgumentParser's message with our own suggestion behind its first line.
    ///
    /// Its own suggestions name options that only share some letters.
    private func suggesting(_ message: String) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        var question = formQuestion
        if let unknown = lines[0].firstMatch(of: /Unknown option '([^']+)'\./) {
            lines[0].replace(/\ Did you mean '[^']*'\?/, with: "")
            question =
                question
                ?? CommandForm.nearest(to: String(unknown.1), arguments)
                .map { "Did you mean \($0)?" }
        }
        if let question { lines.insert(question, at: 1) }
        return lines.joined(separator: "\n")
    }

    /// ArgumentParser's message with the usage line of our help, and the whole name of the command.
    ///
    /// Its own line has all options of every command if there are no others.
    private func withUsage(_ message: String) -> String {
        let label = "Usage: "
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
        guard let start = lines.firstIndex(where: { $0.hasPrefix(label) }),
            // nil: the description is not ArgumentParser's usual one, so its own line stays
            let help = try? CommandHelp(HelpTopic(arguments) ?? .named(arguments))
        else { return message }
        let hint = "  See "
        let end = lines[start...].firstIndex { $0.hasPrefix(hint) } ?? lines.endIndex
        if end < lines.endIndex {
            lines[end] = "\(hint)'\(help.name) --help' for more information."
        }
        lines.replaceSubrange(start..<end, with: [label + help.usageLine])
        return lines.joined(separator: "\n")
    }

    /// ArgumentParser's message, which repeats arguments.
    ///
    /// It is made safe for a terminal, and URLs are cut to what may be shown.
    private func shown(_ text: String) -> String {
        var text = text
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            for part in [argument] + parts.dropFirst() {
                guard let mark = part.firstRange(of: "//"), mark.upperBound < part.endIndex else {
                    continue
                }
                text = text.replacing(part, with: PlainText.origin(of: part))
            }
        }
        return TerminalText.cleanLines(text)
    }
}
