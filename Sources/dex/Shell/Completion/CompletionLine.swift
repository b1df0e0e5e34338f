import ArgumentParser

/// An unfinished command line: what is known of the word that is being typed.
struct CompletionLine {
    /// What the word is.
    enum Place: Equatable {
        /// A command among those below the last one.
        case command
        case optionName
        /// The value of an option, or a positional argument.
        case value(CommandArgument)
        case nothing
    }

    /// The innermost command; `dex` itself before one is typed.
    private(set) var path = CommandPath.root
    private(set) var place = Place.command
    /// A word such as `help` came first, and the command is only named.
    private(set) var isHelp = false
    /// What was typed of the word.
    private(set) var prefix: String
    /// What stands before it within the same word, such as `--network=`.
    private(set) var lead = ""
    /// The values of options that were typed before, by their names.
    private(set) var given: [String: String] = [:]
    /// What has the options and arguments of the word.
    private var declaring: any ParsableArguments.Type = GlobalOptions.self
    private var positionals = 0

    /// The options and arguments that may stand here; before a command is typed, those of all.
    var arguments: [CommandArgument] { CommandArgument.all(of: declaring) }

    /// - Parameter words: after `dex`; the last one is being typed and may be empty.
    init(_ typed: [String]) {
        let words = Self.joined(typed)
        prefix = words.last ?? ""
        var open: CommandArgument?
        var isPlain = false
        for word in words.dropLast() {
            // bash splits --option=value into three words.
            if word == "=", open != nil { continue }
            if let option = open {
                note(option, word)
                open = nil
            } else if word == "--", !isPlain {
                isPlain = true
            } else if !isPlain, word.hasPrefix("-"), word.count > 1 {
                open = take(option: word)
            } else if path.words.isEmpty, positionals == 0, Self.onlyNames(word) {
                isHelp = true
            } else if !isPlain, let command = next(word) {
                enter(command)
            } else {
                positionals += 1
            }
        }
        if prefix == "=", open != nil { prefix = "" }
        place = place(open, isPlain: isPlain)
    }

    /// The words with `@` and the number of a row in one, which bash splits; it completes both.
    private static func joined(_ typed: [String]) -> [String] {
        typed.reduce(into: []) { words, word in
            if words.last == "@", !word.isEmpty, word.allSatisfy({ "0123456789".contains($0) }) {
                words[words.count - 1] += word
            } else {
                words.append(word)
            }
        }
    }

    /// What follows a word only names a command.
    private static func onlyNames(_ word: String) -> Bool {
        word == HelpTopic.word || CommandPath.root.member(word)?.answering?.takesCommand == true
    }

    private func next(_ word: String) -> CommandPath? {
        positionals == 0 ? path.member(word) : nil
    }

    private mutating func enter(_ next: CommandPath) {
        path = next
        let command = next.command
        declaring = command.configuration.defaultSubcommand ?? command
    }

    private mutating func note(_ option: CommandArgument, _ value: String) {
        for name in option.names { given[name] = value }
    }

    /// - Returns: the option if its value follows.
    private mutating func take(option word: String) -> CommandArgument? {
        // Of several letters in one word the last one may have a value.
        if CommonOption.letters(of: word) != nil, CommonOption.takesNext(word) == true,
            let letter = word.last
        {
            return arguments.first { $0.names.contains("-\(letter)") && $0.kind == .option }
        }
        let name = String(word.prefix { $0 != "=" })
        guard let option = arguments.first(where: { $0.names.contains(name) }),
            option.kind == .option
        else { return nil }
        guard name != word else { return option }
        note(option, String(word.dropFirst(name.count + 1)))
        return nil
    }

    private mutating func place(_ open: CommandArgument?, isPlain: Bool) -> Place {
        if let open { return .value(open) }
        if !isPlain, prefix.hasPrefix("-") {
            let name = String(prefix.prefix { $0 != "=" })
            guard name != prefix else { return .optionName }
            lead = name + "="
            prefix = String(prefix.dropFirst(lead.count))
            let option = arguments.first { $0.names.contains(name) && $0.kind == .option }
            return option.map { .value($0) } ?? .nothing
        }
        if isHelp { return positionals == 0 && path.isGroup ? .command : .nothing }
        if positionals == 0, path.isGroup { return .command }
        let wanted = arguments.filter { $0.kind == .positional }
        if positionals < wanted.count { return .value(wanted[positionals]) }
        if let last = wanted.last, last.isRepeating { return .value(last) }
        return .nothing
    }
}
