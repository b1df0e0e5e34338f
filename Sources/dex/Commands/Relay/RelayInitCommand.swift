import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import RelayHost
import StrictJSON

struct RelayInitCommand: DexCommand {
    static var answer: Answer? { .relayInit }
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a relay.toml with every setting explained.",
        discussion: """
            The network is that of --network, else the default one. With --public the limits that \
            an open relay needs are on, and a proxy on this machine is trusted.
            """
    )
    static let examples: Examples = [
        "Settings for the sandbox's chain": "dex relay init --network sandbox",
        "Into a file of your choice": "dex relay init --config relay.toml",
        "For the public, behind a proxy of this machine":
            "dex relay init --public https://relay.example",
    ]

    @OptionGroup var relay: RelayOptions

    @Option(help: .of("url", "The URL under which others reach it, through a proxy."))
    var `public`: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let network = try context.network(try context.settings())
        guard network.hasExchange else {
            throw NetworkError.noExchange(network: network.name)
        }
        let path = try context.relaySettingsPath(relay.config)
        if let url = `public`, !WebAddress.isValid(url) {
            throw SetupError.badURL(source: "--public", isFlag: true)
        }
        let text = RelayTemplate.text(
            network: network,
            pair: try firstPair(network, context),
            publicURL: `public`
        )
        if !options.isDryRun {
            try RelaySettingsFile.write(text, to: path, replaces: force)
        }
        let isOwn = relay.config != nil
        return context.changed(
            ["path": .string(path), "network": .string(network.name)]
        ) { _ in
            let option = isOwn ? " --config \(TerminalText.clean(path))" : ""
            return [
                "\(TerminalText.clean(path)) is written, for the network "
                    + "\(TerminalText.clean(network.name)).",
                "Look through it. Then: dex relay check\(option)",
                "And run the relay:     dex relay serve\(option)",
            ]
        }
    }

    /// ZRX or the first stable token against wrapped ether, as far as the network has them.
    private func firstPair(
        _ network: Network,
        _ context: CommandContext
    ) throws(DexError) -> String? {
        let tokens = try context.tokenMap(network)
        let names = ["ZRX", "USDC", "WETH"].filter { (try? tokens.resolve($0)) != nil }  // none
        guard let base = names.first, base != "WETH", names.contains("WETH") else { return nil }
        return "\(base)/WETH"
    }
}
