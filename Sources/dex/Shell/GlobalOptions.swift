import ArgumentParser

struct GlobalOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp("The network of config.toml or of the bundled list.", valueName: "name")
    )
    var network: String?

    @Option(
        help: ArgumentHelp("The relay's base URL, in place of the network's.", valueName: "url")
    )
    var relay: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A node's URL, in place of the network's; repeat for nodes that are tried in turn.",
            valueName: "url"
        )
    )
    var rpc: [String] = []

    @Option(help: ArgumentHelp("The account: a name or an address.", valueName: "name|address"))
    var wallet: String?

    @Flag(name: .customLong("json"), help: "Print one JSON object on stdout.")
    var isJSON = false

    @Flag(name: .customLong("yes"), help: "Do not ask before moving money.")
    var saysYes = false

    @Flag(
        name: .customLong("dry-run"),
        help: "Plan and simulate, then stop: nothing is signed, sent or posted."
    )
    var isDryRun = false

    @Flag(name: .customLong("quiet"), help: "No progress and no notes on stderr.")
    var isQuiet = false

    @Flag(name: .customLong("verbose"), help: "More on stderr, and nothing shortened.")
    var isVerbose = false

    @Flag(name: .customLong("no-color"), help: "No colours (as with NO_COLOR).")
    var isColourless = false

    @Option(
        help: ArgumentHelp(
            "The most seconds for one answer of relay or node (default 30); all together get ten times that.",
            valueName: "seconds"
        )
    )
    var timeout: Int?

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
