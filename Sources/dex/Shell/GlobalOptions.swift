import ArgumentParser

struct GlobalOptions: ParsableArguments, Sendable {
    @Option(help: .of("name", "The network of config.toml or of the bundled list."))
    var network: String?

    @Option(
        parsing: .singleValue,
        help: .of(
            "url",
            "A relay's base URL, in place of the network's; repeat for relays whose books are merged."
        )
    )
    var relay: [String] = []

    @Option(
        parsing: .singleValue,
        help: .of(
            "url",
            "A node's URL, in place of the network's; repeat for nodes that are tried in turn."
        )
    )
    var rpc: [String] = []

    @Option(
        name: [.customShort("w"), .customLong("wallet")],
        parsing: .singleValue,
        help: .of("name|address", "The account: a name or an address.")
    )
    var wallets: [String] = []

    @Flag(name: [.customShort("j"), .customLong("json")], help: "Print one JSON object on stdout.")
    var isJSON = false

    @Flag(name: [.customShort("y"), .customLong("yes")], help: "Do not ask before moving money.")
    var saysYes = false

    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Plan and simulate, then stop: nothing is signed, sent or posted."
    )
    var isDryRun = false

    @Flag(
        name: [.customShort("q"), .customLong("quiet")],
        help: "No progress and no notes on stderr."
    )
    var isQuiet = false

    @Flag(
        name: [.customShort("v"), .customLong("verbose")],
        help: "More on stderr, and nothing shortened."
    )
    var isVerbose = false

    @Flag(name: .customLong("no-pager"), help: "Print a long list without a pager.")
    var hasNoPager = false

    @Flag(name: .customLong("no-color"), help: "No colours (as with NO_COLOR).")
    var isColourless = false

    @Option(
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
