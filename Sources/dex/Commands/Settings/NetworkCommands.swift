import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON
import Uniswap
import ZeroEx

struct NetworkCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "List, choose and add networks.",
        subcommands: [List.self, Use.self, Add.self],
        defaultSubcommand: List.self
    )
    static let examples: Examples = [
        "See them all": "dex network list",
        "Make one the default": "dex network use sandbox",
    ]
    static let completions: [String: CompletionSource] = ["name": .networks]

    struct List: ListingCommand {
        static var answer: Answer? { Answer(NetworkJSON.list) }
        static var rows: Fields<NetworkJSON.Row> { NetworkJSON.network }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the bundled networks and those of config.toml."
        )
        static let examples: Examples = [
            "The bundled ones and your own": "dex network list",
            "For a script": "dex network list -j",
        ]
        @OptionGroup var list: ListOptions<List>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let settings = try context.settings()
            let current =
                options.network ?? context.environment["DEX_NETWORK"] ?? settings.networkName
            let sandbox = try context.sandbox()
            let networks = try settings.networks()
            var rows = networks.map {
                NetworkJSON.Row($0, sandbox, among: networks, current: current)
            }
            let left = list.selection().apply(to: &rows)
            return report(context, NetworkJSON.list, rows, left: left) { [rows] in
                NetworkJSON.network.lines(rows, $0)
            }
        }
    }

    struct Use: DexCommand {
        static var answer: Answer? { Answer(NetworkJSON.network) }
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Make a network the default."
        )
        static let examples: Examples = [
            "Trade on the sandbox from now on": "dex network use sandbox",
            "The same market on 0x v4": "dex network use sandbox-v4",
        ]
        @Argument(help: "The network's name.")
        var name: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var settings = try context.settings()
            var network = try settings.network(name)
            try settings.file.set([(["network"], .text(name))])
            if !options.isDryRun { try context.config.save(settings) }
            let sandbox = try context.sandbox()
            let networks = try settings.networks()
            if network.isSandbox, let sandbox { network.run(on: sandbox, among: networks) }
            var missing: [DexError] = []
            let lacksRelay =
                network.relays.isEmpty && !network.tradesWithoutRelay && !network.isSandbox
            if network.rpc.isEmpty {
                missing.append(context.missing("node", "rpc", network, isAll: !lacksRelay))
            }
            if lacksRelay {
                missing.append(context.missing("relay", "relay", network))
            }
            let chosen = NetworkJSON.Row(network, sandbox, among: networks, current: name)
            let chosenLine = "The default network is now \(name) (chain \(network.chainID))."
            return context.changed(
                NetworkJSON.network(chosen),
                warnings: missing.map(\.description)
            ) { _ in [chosenLine] }
        }
    }

    struct Add: DexCommand {
        static var answer: Answer? { Answer(NetworkJSON.added) }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a network to config.toml; --rpc and --relay give its URLs.",
            discussion: """
                Where --rpc gives a node, it is asked whether it is on that chain and whether the \
                exchange answers and can trade; a network that is something else is not added. \
                A network has an exchange, a swap API, or both.
                """
        )
        static let examples: Examples = [
            "A chain of your own with 0x v4":
                "dex network add mychain --chain-id 1337 --exchange 0xdef1c0ded9bec7f1a1670819833240f027b25eff --protocol v4 --rpc http://127.0.0.1:8545",
            "A chain that 0x's Swap API serves, with a node that proves what a signature rests on":
                "dex network add base2 --chain-id 8453 --swap https://api.0x.org --rpc https://node.example --proofs",
            "One whose two nodes must agree before anything is signed":
                "dex network add base3 --chain-id 8453 --swap https://api.0x.org --rpc https://node.example --rpc https://other-node.example --quorum 2",
        ]
        @Argument(help: "The network's name: letters, digits, - and _.")
        var name: String
        @Option(help: .of("n", "The chain's id."))
        var chainId: UInt64
        @Option(help: .of("address", "The 0x exchange contract."))
        var exchange: String?
        @Option(help: .of("url", "The base address of 0x's Swap API."))
        var swap: String?
        @Option(
            name: .customLong("protocol"),
            help: .of("version", "The version of 0x: v1 (default) or v4.")
        )
        var version: String?
        @Option(
            help: .of("kind", "What is signed of an order: ethsign (default), or with v4 eip712.")
        )
        var signature: String?
        @Option(help: .of("address", "The coin's wrapped token."))
        var weth: String?
        @Option(help: .of("symbol", "The coin that pays for gas (default ETH)."))
        var coin: String?
        @Option(help: .of("path", "A token list file."))
        var tokens: String?
        @Option(help: .of("seconds", "Seconds between blocks, such as 0.25."))
        var blockTime: String?
        @Option(help: .of("n", "How many nodes of --rpc must agree before anything is signed."))
        var quorum: UInt64?
        @Flag(help: "Have the nodes prove what a signature rests on (eth_getProof).")
        var proofs = false
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            if exchange == nil, swap == nil {
                throw ValidationError("A network needs --exchange, --swap, or both.")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var settings = try context.settings()
            guard try !settings.networks().contains(where: { $0.name == name }) else {
                throw ArgumentError.networkExists(name)
            }
            guard SettingKind.isName(name) else {
                throw ArgumentError.badNetworkName
            }
            let path = ["networks", name]
            var changes: [(path: [String], value: SettingValue)] = [
                (path + ["chain_id"], .integer(chainId))
            ]
            if let exchange { changes.append((path + ["exchange"], .text(exchange))) }
            if !options.rpc.isEmpty { changes.append((path + ["rpc"], .list(options.rpc))) }
            if options.relay.count == 1 {
                changes.append((path + ["relay"], .text(options.relay[0])))
            } else if !options.relay.isEmpty {
                changes.append((path + ["relay"], .list(options.relay)))
            }
            if let version { changes.append((path + ["protocol"], .text(version))) }
            if let signature { changes.append((path + ["signature"], .text(signature))) }
            if let weth { changes.append((path + ["weth"], .text(weth))) }
            if let coin { changes.append((path + ["coin"], .text(coin))) }
            if let tokens { changes.append((path + ["tokens"], .text(tokens))) }
            if let blockTime {
                changes.append((path + ["block_time"], SettingKind.seconds.value(of: blockTime)))
            }
            if let quorum { changes.append((path + ["quorum"], .integer(quorum))) }
            if proofs { changes.append((path + ["proofs"], .flag(true))) }
            // After the network's own keys: it is a table of its own.
            if let swap { changes.append((path + ["swap", "api"], .text(swap))) }
            try settings.file.set(changes)
            let network = try settings.network(name)
            if !network.rpc.isEmpty { try context.checkQuorum(of: network) }
            let (findings, warnings) = try await look(at: network, context)
            if !options.isDryRun { try context.config.save(settings) }
            let added = NetworkJSON.Row(network, nil, among: [], current: "")
            let data = NetworkJSON.added(.init(row: added, found: findings))
            return context.changed(data, warnings: warnings) { screen in
                [
                    "Added \(network.name) (chain \(network.chainID)). dex network use \(network.name)"
                ] + (findings.map { NetworkText.lines($0, network, screen) } ?? [])
            }
        }

        /// The node's findings; nil without a node or an answer, which is reported.
        ///
        /// - Throws: `DexError` if the network differs from its settings.
        private func look(
            at network: Network,
            _ context: CommandContext
        ) async throws -> (NetworkProbe.Findings?, warnings: [String]) {
            guard !network.rpc.isEmpty else {
                return (nil, ["It was not looked at on a node, since none was given (--rpc URL)."])
            }
            do throws(DexError) {
                let session = try context.session(network)
                guard network.hasExchange else {
                    try await NetworkProbe(session: session).checkChain()
                    return (nil, [])
                }
                return (try await NetworkProbe(session: session).findings(), [])
            } catch {
                guard error.concerns(.silence) else { throw error }
                return (nil, ["It was not looked at, since no node answered. \(error.message)"])
            }
        }
    }
}

/// Networks as text.
private enum NetworkText {
    static func lines(
        _ findings: NetworkProbe.Findings,
        _ network: Network,
        _ screen: Screen
    ) -> [String] {
        let contracts = findings.contracts
        let version = findings.version.map { ", version \(PlainText.quoted($0, limit: 80))" } ?? ""
        let multiplier = contracts.protocolFeeMultiplier
        var facts = KeyValueList()
        facts.add("node", "chain \(network.chainID), block \(findings.block)")
        facts.add(
            "exchange",
            "\(contracts.exchange.checksummed) trades (0x \(network.protocolVersion.rawValue)\(version))"
        )
        facts.add("approvals", "for \(contracts.transferContract.checksummed)")
        facts.add(
            "fees",
            contracts.feeToken.map { "in the token \($0.checksummed)" }
                ?? "in each order's own token"
        )
        facts.add(
            "protocol fee",
            multiplier == 0 ? "none" : "\(multiplier) x the price of gas for each filled order"
        )
        return facts.lines(screen)
    }
}
