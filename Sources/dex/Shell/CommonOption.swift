import ArgumentParser

/// The options of every command by their names: `GlobalOptions` takes its spellings from here.
///
/// They may stand before the command too, and several letters in one word, such as `-yj`.
enum CommonOption: String, CaseIterable {
    case network
    case relay
    case rpc
    case wallet
    case json
    case yes
    case dryRun = "dry-run"
    case quiet
    case verbose
    case noPager = "no-pager"
    case noColor = "no-color"
    case timeout

    private var letter: Character? {
        switch self {
        case .wallet: "w"
        case .json: "j"
        case .yes: "y"
        case .dryRun: "n"
        case .quiet: "q"
        case .verbose: "v"
        case .network, .relay, .rpc, .noPager, .noColor, .timeout: nil
        }
    }

    var takesValue: Bool {
        [.network, .relay, .rpc, .wallet, .timeout].contains(self)
    }

    /// Its spellings, for ArgumentParser.
    var names: NameSpecification {
        guard let letter else { return [.customLong(rawValue)] }
        return [.customShort(letter), .customLong(rawValue)]
    }

    /// The letters of a word, of which only the last may have a value; nil for any other word.
    static func letters(of word: String) -> Substring? {
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return nil }
        let letters = word.dropFirst()
        guard let last = letters.last, option(last) != nil,
            letters.dropLast().allSatisfy({ option($0)?.takesValue == false })
        else { return nil }
        return letters
    }

    /// Whether the next word is the value of such an option; nil if the word is none.
    static func takesNext(_ word: String) -> Bool? {
        if let last = letters(of: word)?.last { return option(last)?.takesValue }
        guard word.hasPrefix("--") else { return nil }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        guard let option = CommonOption(rawValue: String(name)) else { return nil }
        let hasValue = name.endIndex < word.endIndex
        guard option.takesValue || !hasValue else { return nil }
        return option.takesValue && !hasValue
    }

    private static func option(_ letter: Character) -> CommonOption? {
        allCases.first { $0.letter == letter }
    }
}
