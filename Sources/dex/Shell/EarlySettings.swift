import DexCore
import DexSettings

/// The settings that change how a command line is read, before a command is known.
struct EarlySettings {
    let environment: ProcessEnvironment

    /// - Throws: `DexError`, exit 3.
    func read() throws(DexError) -> Settings {
        let home = try Home(environment)
        try home.checkFolders()
        return Settings(file: try SettingsFile(path: home.configFile))
    }

    /// The arguments with one of the user's aliases, at their start, replaced by its words.
    ///
    /// A command of `dex` is never replaced. An alias is not looked up among aliases again.
    ///
    /// - Throws: `DexError`, exit 3, if the first word is no command and the settings cannot be
    ///   read.
    func expanded(_ arguments: [String]) throws(DexError) -> [String] {
        guard let word = arguments.first, !word.hasPrefix("-"), word != "help",
            CommandTree.find(word) == nil, environment.hasHome
        else { return arguments }
        guard let alias = try read().aliases.first(where: { $0.name == word }) else {
            return arguments
        }
        return alias.words + arguments.dropFirst()
    }

    /// The names of the user's aliases, for a suggestion.
    func aliasNames() -> [String] {
        // none: what is wrong with the settings is not what is reported here
        ((try? read())?.aliases ?? []).map(\.name)
    }

    /// `trade.pair`; nil without it, or where the settings cannot be read: that is reported elsewhere.
    var defaultPair: String? { (try? read())?.text(["trade", "pair"]) }

    /// Commands whose first argument, or second for an order's side, is a pair.
    private static let ofPairs: Set<String> = [
        "orderbook", "price", "pool", "trades", "chart", "live", "market-buy", "market-sell",
        "place-limit",
    ]

    /// The arguments with the default pair, `trade.pair`, where a command lacks its pair.
    ///
    /// - Returns: nil if the command takes no pair, has one already, or there is no default.
    func withDefaultPair(_ arguments: [String]) -> [String]? {
        guard let command = arguments.first.flatMap({ CommandTree.find($0) }),
            Self.ofPairs.contains(CommandTree.name(of: command)),
            !arguments.contains(where: { $0.contains("/") && !$0.contains("://") }),
            let pair = defaultPair
        else { return nil }
        var place = 1
        if CommandTree.name(of: command) == "place-limit" {
            guard let side = arguments.firstIndex(where: { ["buy", "sell"].contains($0) }) else {
                return nil
            }
            place = side + 1
        }
        var words = arguments
        words.insert(pair, at: place)
        return words
    }
}

extension ProcessEnvironment {
    /// There is a folder of settings.
    fileprivate var hasHome: Bool {
        self["DEX_HOME"] != nil || self["XDG_CONFIG_HOME"] != nil || self["HOME"] != nil
    }
}
