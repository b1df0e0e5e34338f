import ArgumentParser
import DexCore
import DexSettings

/// A command line, read once before ArgumentParser gets its words.
///
/// The options of every command may stand before it, and an alias of the user's stands for its words:
/// `dex -j zb 1` is `dex market-buy ZRX/WETH 1 -j`. ArgumentParser knows neither.
struct TypedLine: Sendable {
    /// The words behind `dex`, in an order that ArgumentParser takes.
    let words: [String]
    /// The command that they name.
    let path: CommandPath
    let settings: SettingsReading
    /// Why an alias could not be looked up.
    let failure: DexError?

    /// - Parameter typed: the words behind `dex`.
    init(_ typed: [String], _ settings: SettingsReading) {
        let moved = Self.moved(typed)
        do throws(DexError) {
            words = try Self.expanded(moved, settings)
            failure = nil
        } catch {
            words = moved
            failure = error
        }
        path = CommandPath(words)
        self.settings = settings
    }

    // MARK: The order of the words

    /// The words with leading options of every command at the end, or before a `--`.
    ///
    /// ArgumentParser takes them only after the command. Unchanged if anything else comes first.
    private static func moved(_ typed: [String]) -> [String] {
        var index = 0
        while index < typed.count, let takesNext = CommonOption.takesNext(typed[index]) {
            index += takesNext ? 2 : 1
        }
        guard index > 0, index < typed.count, !typed[index].hasPrefix("-") else { return typed }
        var rest = Array(typed[index...])
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        rest.insert(contentsOf: typed[..<index], at: end)
        return rest
    }

    /// The words with one of the user's aliases, at their start, replaced by its own.
    ///
    /// A command of `dex` is never replaced. An alias is not looked up among aliases again.
    ///
    /// - Throws: `DexError`, exit 3, if the first word is no command and the settings cannot be
    ///   read.
    static func expanded(
        _ words: [String],
        _ settings: SettingsReading
    ) throws(DexError) -> [String] {
        guard let word = words.first, !word.hasPrefix("-"), word != HelpTopic.word,
            CommandPath.root.member(word) == nil, settings.hasHome,
            let alias = try settings.read().aliases.first(where: { $0.name == word })
        else { return words }
        return alias.words + words.dropFirst()
    }

    /// The result is to be JSON; known before the words are parsed.
    var wantsJSON: Bool {
        words.prefix { $0 != "--" }.contains { word in
            word == "--json" || CommonOption.letters(of: word)?.contains("j") == true
        }
    }

    // MARK: The command

    /// The reason why the parsing of a command line gave no command.
    struct ParsingEnd: Error {
        let error: any Error
        /// false: the version or the script of a shell was asked for.
        ///
        /// ArgumentParser takes long to tell, so it is asked once.
        let isFailure: Bool
    }

    /// The command, with the default pair if it lacks one.
    func parse() throws(ParsingEnd) -> any ParsableCommand {
        do {
            return try Self.parse(words)
        } catch let first {
            var error = first
            let isFailure = Dex.exitCode(for: first) != .success
            if isFailure, let words = withDefaultPair {
                do {
                    return try Self.parse(words)
                } catch let second {
                    error = second
                }
            }
            throw ParsingEnd(
                error: (isFailure ? negativeNumber : nil) ?? error,
                isFailure: isFailure
            )
        }
    }

    /// Parses a command line by the command itself, without the words that name it.
    ///
    /// `Dex.parseAsRoot` gives the same. On its way it asks each command of the words for all its
    /// options several times, which takes longer than all else that a short command does.
    ///
    /// - Throws: ArgumentParser's errors, which name the command without its groups.
    static func parse(_ words: [String]) throws -> any ParsableCommand {
        let path = CommandPath(words)
        let rest = words.dropFirst(path.words.count)
        // The version is the program's, whatever the command.
        guard !rest.contains("--version") else { return try Dex.parseAsRoot(words) }
        do {
            return try path.command.parseAsRoot(Array(rest))
        } catch {
            // ArgumentParser answers a program without arguments with its help.
            guard rest.isEmpty else { throw error }
            return try Dex.parseAsRoot(words)
        }
    }

    /// The words with `trade.pair` where the command lacks its pair; nil if it takes none, has one
    /// already, or there is no default.
    private var withDefaultPair: [String]? {
        guard let place = path.answering?.pairPlace,
            !words.contains(where: { $0.contains("/") && !$0.contains("://") }),
            let pair = settings.pair
        else { return nil }
        let index: Int
        switch place {
        case .first: index = path.words.count
        case .afterSide:
            guard let side = words.firstIndex(where: { ["buy", "sell"].contains($0) }) else {
                return nil
            }
            index = side + 1
        }
        var words = words
        words.insert(pair, at: index)
        return words
    }

    /// The problem with the first negative number before a `--`; nil without one.
    ///
    /// ArgumentParser takes it for an option, and would report another argument as missing.
    private var negativeNumber: ValidationError? {
        let number = words.prefix { $0 != "--" }.first { word in
            word.wholeMatch(of: /-\.?[0-9].*/) != nil
        }
        guard let number else { return nil }
        let command = words.first { !$0.hasPrefix("-") }.flatMap(CommandPath.root.member)
        return ValidationError(
            command?.answering?.takesNegativeNumbers == true
                ? "Put -- before arguments that begin with a minus, such as \(number)."
                : "\"\(number)\" is below zero: amounts, prices and times never are."
        )
    }

    // MARK: Unknown words

    /// The word of a command or of a help topic that names nothing; nil if all are known.
    var problem: ValidationError? {
        Self.problem(words) { settings.aliasNames }
    }

    /// The same of the words of a command alone.
    ///
    /// Options are not looked at: a mistyped command would make another command's option unknown.
    ///
    /// - Parameter own: the user's aliases, for a suggestion.
    static func problem(
        _ words: [String],
        own: () -> [String] = { [] }
    ) -> ValidationError? {
        let isHelp = words.first == HelpTopic.word
        if isHelp, let unknown = unknownOption(words) {
            return ValidationError("Unknown option '\(PlainText.clean(unknown, limit: 100))'.")
        }
        if isHelp, words.dropFirst().first == HelpTopic.optionsName { return nil }
        var path = CommandPath.root
        for word in isHelp ? words.dropFirst() : words[...] {
            if word.hasPrefix("-") {
                guard isHelp else { return nil }
                continue
            }
            guard let next = path.member(word) else {
                // It may be an argument.
                return !isHelp && path.defaultTakesWords ? nil : unknown(word, below: path, own)
            }
            guard next.isGroup else { return nil }
            path = next
        }
        return nil
    }

    private static func unknown(
        _ word: String,
        below path: CommandPath,
        _ own: () -> [String]
    ) -> ValidationError {
        let isFirst = path.words.isEmpty
        var known = path.members.flatMap { $0.command.spellings }
        if isFirst { known += own() + [HelpTopic.word] }
        return ValidationError(
            [
                "There is no command '\(PlainText.clean(word, limit: 100))'.",
                isFirst && word.lowercased() == "version"
                    ? "Did you mean dex --version?" : Suggestion.question(word, among: known),
            ].compactMap(\.self).joined(separator: " ")
        )
    }

    /// The first option that not every command has, and that asks for neither help nor version.
    private static func unknownOption(_ words: [String]) -> String? {
        words.filter { $0.hasPrefix("-") && $0 != "--" }
            .map { String($0.prefix { $0 != "=" }) }
            .first { name in
                !HelpTopic.flags.contains(name) && name != "--version"
                    && CommonOption.takesNext(name) == nil
            }
    }
}

extension CommandPath {
    /// A word behind a group may be an argument of its default command.
    fileprivate var defaultTakesWords: Bool {
        command.configuration.defaultSubcommand.map { inner in
            CommandArgument.all(of: inner).contains { $0.kind == .positional }
        } ?? false
    }
}
