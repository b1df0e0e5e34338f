import DexCore
import DexNetwork
import DexSettings
import Ethereum
import EthereumWallet
import PrivateFiles
import RelayHost
import ZeroEx

/// Wires a hosted relay.
extension CommandContext {
    /// The path of relay.toml: that of `--config`, else in the folder of the settings.
    ///
    /// - Throws: `DexError`, exit 3.
    func relaySettingsPath(_ option: String?) throws(DexError) -> String {
        guard let option else { return "\(try home().config)/\(RelaySettingsFile.name)" }
        guard !option.hasPrefix("/") else { return option }
        guard let folder = PrivateFiles.currentFolder() else {
            throw SetupError.noCurrentFolder(home: option)
        }
        return "\(folder)/\(option)"
    }

    /// The settings of a relay; `--rpc` names other nodes.
    ///
    /// - Throws: `DexError`, exit 3.
    func relaySettings(at path: String) throws(DexError) -> RelaySettings {
        try relaySettings(try RelaySettingsFile(path: path))
    }

    /// The same of a file that was read.
    func relaySettings(_ file: RelaySettingsFile) throws(DexError) -> RelaySettings {
        let nodes = try Self.checked(options.rpc, "--rpc")
        var networks = try settings().networks()
        if let sandbox = try sandbox() {
            let known = networks
            for index in networks.indices where networks[index].isSandbox {
                networks[index].run(on: sandbox, among: known)
            }
        }
        return try RelaySettings(file, networks: networks, rpc: nodes) {
            network throws(DexError) in
            try tokenMap(network)
        }
    }

    /// Carries a relay's requests to its nodes, without limits on all of them together.
    func relayTransport() -> any HTTPTransport {
        CurlTransport(options: transportOptions)
    }

    /// A relay's chain.
    func relayChain(_ settings: RelaySettings) throws(DexError) -> any ChainClient {
        guard !settings.rpc.isEmpty else {
            throw SandboxUseError.notRunning(so: "there is no node to ask")
        }
        return JSONRPCChainClient(urls: settings.rpc, transport: relayTransport())
    }

    /// What a relay reads of its chain.
    func relayNode(_ settings: RelaySettings) throws(DexError) -> RelayNode {
        RelayNode(
            settings: settings,
            chain: try relayChain(settings),
            recoverer: Secp256k1(),
            environment: liveEnvironment
        )
    }
}
