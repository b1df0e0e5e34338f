package import DexCore
import Ethereum
import ZeroEx

/// What `dex init` says on the terminal.
package enum SetupDialogText {
    package static func lines(_ message: SetupMessage, _ screen: Screen) -> [String] {
        switch message {
        case .welcome:
            screen.sentences(
                "Enter takes the answer in brackets. Ctrl-C ends, and leaves everything as it is."
            )
        case .networks(let groups, let usual): [""] + list(groups, usual, screen) + [""]
        case .problem(let error): problem(error, screen)
        case .noChoice(let typed, let count, let question):
            screen.warning(
                ["\"\(TerminalText.clean(typed))\" is not in the list: 1 to \(count).", question]
                    .compactMap(\.self).joined(separator: " ")
            )
        case .network(let network): [""] + screen.sentences(needs(network))
        case .nodeAnswers(let node, let chainID, let hasExchange):
            ok(
                "\(node) is on chain \(chainID)"
                    + (hasExchange ? ", and the exchange answers." : "."),
                screen
            )
        case .relayAnswers(let relay, let pairs):
            pairs > 0
                ? ok("\(relay) answers and has \(NumberText.count(pairs, "pair")).", screen)
                : screen.warning("\(relay) answers, but has no pair to trade.")
        case .wallets(let choices): [""] + list(choices, screen) + [""]
        case .walletReady(let wallet):
            ok(
                "The wallet is \(label(wallet)).",
                screen
            )
        }
    }

    /// A question, with a space behind it.
    package static func prompt(_ question: SetupQuestion) -> String {
        switch question {
        case .network(let usual): "Network [\(TerminalText.clean(usual))]: "
        case .startSandbox: "Start the sandbox now? [Y/n] "
        case .node(let known): address("Node", known)
        case .relay(let known): address("Relay", known)
        case .wallet(let usual): "Wallet [\(usual)]: "
        case .walletName(let usual): "Its name [\(usual)]: "
        case .keystoreFile: "Path of the keystore (Enter goes back): "
        }
    }

    private static func address(_ what: String, _ known: [String]) -> String {
        known.isEmpty
            ? "\(what) URL (Enter skips): "
            : "\(what) URL [\(TerminalText.clean(known.joined(separator: ", ")))]: "
    }

    private static func label(_ wallet: SetupWallet) -> String {
        let name = TerminalText.clean(wallet.name)
        guard let address = wallet.address, address.checksummed != name else { return name }
        return "\(name) (\(address.checksummed))"
    }

    private static func ok(_ text: String, _ screen: Screen) -> [String] {
        screen.sentences("ok: " + text, .green)
    }

    private static func problem(_ error: DexError, _ screen: Screen) -> [String] {
        screen.warning(error.message)
            + (error.hint.map { screen.sentences($0) } ?? [])
    }

    private static func needs(_ network: Network) -> String {
        let chain = "\(TerminalText.clean(network.name)) is chain \(network.chainID)."
        let node = "It needs a node: an Ethereum JSON-RPC address, your own or a provider's."
        let pools = network.pools.map { _ in "That is enough to trade at Uniswap's pools." }
        let orders =
            network.hasExchange ? "Orders need a relay too, and none is public." : nil
        let swap = network.swap.map { _ in
            network.pools == nil && !network.hasExchange
                ? "Trades go through 0x's Swap API, which needs a key."
                : "0x's Swap API needs a key."
        }
        return [chain, node, pools, swap, orders].compactMap(\.self).joined(separator: " ")
    }

    /// What Enter takes comes before the list, which is longer than a small screen.
    private static func list(
        _ groups: [NetworkGroup],
        _ usual: String,
        _ screen: Screen
    ) -> [String] {
        var table = Table([
            .init("#", .right), .init("NETWORK", minimumWidth: 10),
            .init("CHAIN", .right, dropOrder: 1),
            .init("0x", dropOrder: 2), .init("TRADES", minimumWidth: 18),
        ])
        let networks = groups.flatMap(\.networks)
        for (index, network) in networks.enumerated() {
            let isUsual = network.name == usual
            table.add([
                .init("\(index + 1)"),
                .init(TerminalText.clean(network.name), isUsual ? .bold : nil),
                .init("\(network.chainID)"),
                network.hasExchange ? .init(network.protocolVersion.rawValue) : .init("-", .dim),
                .init(trades(network), network.isSandbox ? .green : nil),
            ])
        }
        let rows = table.lines(width: screen.width, style: screen.style)
        let suggested = networks.first { $0.name == usual }.map {
            screen.sentences("Enter takes \(TerminalText.clean(usual)): \(trades($0)).") + [""]
        }
        var lines = (suggested ?? []) + rows.prefix(1)
        var rest = rows.dropFirst()
        for group in groups {
            lines += screen.sentences(title(group.kind), .dim) + rest.prefix(group.networks.count)
            rest = rest.dropFirst(group.networks.count)
        }
        return lines
    }

    private static func title(_ kind: NetworkGroup.Kind) -> String {
        switch kind {
        case .yours: "Yours, with a node or a relay"
        case .live: "Live, which need a node"
        case .local: "On this machine, offline, with play money"
        }
    }

    private static func trades(_ network: Network) -> String {
        if network.isSandbox { return "on this machine, needs nothing" }
        let relay =
            network.relays.isEmpty ? "no public relay" : TerminalText.clean(network.relayName ?? "")
        let venues = [
            network.pools == nil ? nil : "Uniswap pools", network.swap == nil ? nil : "0x Swap API",
            network.hasExchange ? relay : nil,
        ]
        return venues.compactMap(\.self).joined(separator: "; ")
    }

    private static func list(_ choices: [SetupWalletChoice], _ screen: Screen) -> [String] {
        let digits = "\(choices.count)".count
        return choices.enumerated().flatMap { index, choice in
            let number = "\(index + 1)"
            let head = String(repeating: " ", count: digits - number.count) + number + "  "
            let rows = TerminalText.wrap(
                text(choice),
                width: max(1, screen.width - head.count)
            )
            return rows.enumerated().map { row, text in
                (row == 0 ? head : String(repeating: " ", count: head.count)) + text
            }
        }
    }

    private static func text(_ choice: SetupWalletChoice) -> String {
        switch choice {
        case .existing(let wallet, let isDefault):
            "use \(label(wallet))" + (isDefault ? ", the default now" : "")
        case .new: "make a new one"
        case .imported(.keystore): "bring in a keystore of geth or another program"
        case .imported(.key): "bring in a private key"
        case .imported(.words): "bring in a recovery phrase"
        case .none: "none for now"
        }
    }
}
