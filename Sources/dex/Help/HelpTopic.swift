import ArgumentParser

/// What a command line asks help about.
enum HelpTopic {
    /// The words of a command or of a group; empty for `dex` itself.
    case command([String])
    /// The options of every command: `dex help options`.
    case options

    static let word = "help"
    static let optionsName = "options"
    static let flags: Set<String> = ["-h", "--help"]

    /// - Returns: nil if the arguments ask for no help.
    init?(_ arguments: [String]) {
        let words = arguments.prefix { $0 != "--" }
        if words.first == Self.word {
            let topic = words.dropFirst().filter { !$0.hasPrefix("-") }
            self = topic == [Self.optionsName] ? .options : .command(topic)
        } else if words.contains(where: Self.flags.contains) {
            self = .command(words.filter { !$0.hasPrefix("-") })
        } else {
            return nil
        }
    }

    /// What the first words of a command line name: `dex network`, `dex buy ZRX/WETH`.
    static func named(_ arguments: [String]) -> HelpTopic {
        .command(arguments.filter { !$0.hasPrefix("-") })
    }
}
