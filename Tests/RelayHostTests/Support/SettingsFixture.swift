import DexCore
import Ethereum
import ZeroEx

@testable import RelayHost

/// Reads relay.toml texts against the bundled networks and tokens.
enum SettingsFixture {
    static let node = "http://127.0.0.1:8545"

    static func file(_ text: String) throws(DexError) -> RelaySettingsFile {
        try RelaySettingsFile(content: Array(text.utf8), path: "/etc/dex/relay.toml")
    }

    static func settings(
        _ text: String,
        rpc: [String] = []
    ) throws(DexError) -> RelaySettings {
        try settings(try file(text), rpc: rpc)
    }

    static func settings(
        _ file: RelaySettingsFile,
        rpc: [String] = []
    ) throws(DexError) -> RelaySettings {
        try RelaySettings(file, networks: try NetworkCatalog.bundled(), rpc: rpc) {
            network throws(DexError) in
            try TokenMap(chainID: network.chainID)
        }
    }

    /// The least settings of a relay on the main chain, with more lines after them.
    static func mainnet(_ more: String = "", pairs: String = #"["ZRX/WETH"]"#) -> String {
        """
        network = "mainnet-v4"
        rpc = ["\(node)"]
        pairs = \(pairs)
        \(more)
        """
    }

    /// The error of a text; nil if it is read.
    static func error(_ text: String) -> DexError? {
        do throws(DexError) {
            _ = try settings(text)
            return nil
        } catch {
            return error
        }
    }

    static func contracts(
        _ version: ProtocolVersion,
        feeToken: Address? = nil
    ) -> ExchangeContracts {
        let exchange = Address(truncating: Bytes32(limbs: (0, 0, 0, 7)))
        return ExchangeContracts(
            exchange: exchange,
            transferContract: exchange,
            feeToken: feeToken
        )
    }
}
