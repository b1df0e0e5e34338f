import ArgumentParser

struct GlobalOptions: ParsableArguments, Sendable {
    static let examples: KeyValuePairs<String, String> = [
        "Plan a trade as another account, and sign nothing": "dex buy ZRX/WETH 100 -w bob -n",
        "Let a script read the book of another network": "dex -jq --network mainnet book ZRX/WETH",
        "Ask nodes in turn, a minute each":
            "dex bal --rpc http://127.0.0.1:8545 --rpc https://node.example --timeout 60",
    ]

    @Option(
        name: CommonOption.network.names,
        help: .of("name", "The network of config.toml or of the bundled list.")
    )
    var network: String?

    @Option(
        name: CommonOption.relay.names,
        parsing: .singleValue,
        help: .of(
            "url",
            "A relay's base URL, in place of the network's; repeat for relays whose books are merged."
        )
    )
    var relay: [String] = []

    @Option(
        name: CommonOption.rpc.names,
        parsing: .singleValue,
        help: .of(
            "url",
            "A node's URL, in place of the network's; repeat for nodes that are tried in turn."
        )
    )
    var rpc: [String] = []

    @Option(
        name: CommonOption.wallet.names,
        parsing: .singleValue,
        help: .of("name|address", "The account: a name or an address.")
    )
    var wallets: [String] = []

    @Flag(name: CommonOption.json.names, help: "Print one JSON object on stdout.")
    var isJSON = false

    @Flag(name: CommonOption.yes.names, help: "Do not ask before moving money.")
    var saysYes = false

    @Flag(
        name: CommonOption.dryRun.names,
        help: "Plan and simulate, then stop: nothing is signed, sent or posted."
    )
    var isDryRun = false

    @Flag(
        name: CommonOption.quiet.names,
        help: "No progress and no notes on stderr."
    )
    var isQuiet = false

    @Flag(
        name: CommonOption.verbose.names,
        help: "More on stderr, and nothing shortened."
    )
    var isVerbose = false

    @Flag(name: CommonOption.noPager.names, help: "Print a long list without a pager.")
    var hasNoPager = false

    @Flag(name: CommonOption.noColor.names, help: "No colours (as with NO_COLOR).")
    var isColourless = false

    @Option(
        name: CommonOption.timeout.names,
        help: .of(
            "seconds",
            "The most seconds for one answer of relay or node (default 30); all together get ten times that."
        )
    )
    var timeout: Int?

    /// The account; the last one that is named, as everywhere where only one is taken.
    var wallet: String? { wallets.last }

    var output: Console.Settings {
        Console.Settings(
            isJSON: isJSON,
            isQuiet: isQuiet,
            isVerbose: isVerbose,
            isColourless: isColourless
        )
    }

    mutating func validate() throws {
        if let timeout, !(1...86_400).contains(timeout) {
            throw ValidationError("--timeout takes 1 to 86400 seconds, not \(timeout).")
        }
        if isQuiet, isVerbose {
            throw ValidationError("--quiet and --verbose exclude each other.")
        }
    }
}

extension ArgumentHelp {
    /// The help of an option or argument, after the word for its value.
    static func of(_ value: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: value)
    }
}
