import DexTerminal

/// The examples in the help of each command, two or three of them.
///
/// They are of the sandbox's market wherever one can try them there. A test has the parser of the
/// commands read each one.
enum CommandExamples {
    /// - Parameter name: A command or a group: `dex wallet new`.
    /// - Returns: Nothing for a command that is not listed.
    static func of(_ name: String) -> [CommandHelp.Example] {
        let words = String(name.dropFirst("dex".count).drop { $0 == " " })
        return ofTrading(words) ?? ofReading(words) ?? ofMoney(words) ?? ofWallets(words)
            ?? ofSettings(words) ?? ofSandbox(words) ?? ofRelays(words) ?? []
    }

    static let ofOptions = [
        CommandHelp.Example(
            "Plan a trade as another account, and sign nothing",
            "dex buy ZRX/WETH 100 -w bob -n"
        ),
        CommandHelp.Example(
            "Let a script read the book of another network",
            "dex -jq --network mainnet book ZRX/WETH"
        ),
        CommandHelp.Example(
            "Ask nodes in turn, a minute each",
            "dex bal --rpc http://127.0.0.1:8545 --rpc https://node.example --timeout 60"
        ),
    ]

    static func lines(_ examples: (String, String)...) -> [CommandHelp.Example] {
        examples.map { CommandHelp.Example($0.0, $0.1) }
    }
}
