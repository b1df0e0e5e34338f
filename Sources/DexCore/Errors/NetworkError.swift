package import Ethereum

/// A network that differs from its settings, or lacks what a command needs.
package enum NetworkError: ErrorArea {
    /// A node of another chain than the network's.
    case wrongChain(node: UInt64, Network)
    /// A command that needs a relay on a network that has none.
    case noRelay(network: String)
    case damagedList(problem: String)
    case noContract(Address, chainID: UInt64)
    case noWrappedEther(network: String)

    package var report: ErrorReport {
        switch self {
        case .wrongChain(let node, let network):
            ErrorReport(
                .configuration,
                "wrong-chain",
                "The node is on chain \(node) but the network \"\(network.name)\" is chain "
                    + "\(network.chainID).",
                hint: "Check --network and --rpc; nothing was signed."
            )
        case .noRelay(let network):
            ErrorReport(
                .configuration,
                "no-relay",
                "No relay is configured for the network \"\(network)\".",
                hint: "Name one with --relay URL, DEX_RELAY_URL, or relay in config.toml."
            )
        case .damagedList(let problem):
            ErrorReport(
                .fault,
                "damaged-resources",
                "The list of networks in this program is damaged: \(problem).",
                hint: "Install dex again."
            )
        case .noContract(let address, let chainID):
            ErrorReport(
                .configuration,
                "not-an-exchange",
                "There is no contract at \(address.checksummed) on chain "
                    + "\(chainID); check the network's exchange address."
            )
        case .noWrappedEther(let network):
            ErrorReport(
                .configuration,
                "no-weth",
                "The network \"\(network)\" has no wrapped ether.",
                hint: "Name its contract: dex config set networks.\(network).weth "
                    + "ADDRESS"
            )
        }
    }
}
