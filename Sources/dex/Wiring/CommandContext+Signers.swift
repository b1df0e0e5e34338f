import DexCore
import DexNetwork
import DexSettings
import DexSigning
import Ethereum
import EthereumWallet
import PrivateFiles

/// External signers, wired.
extension CommandContext {
    /// The signer of a name or an address; nil if config.toml has none.
    ///
    /// - Throws: `DexError`, exit 3.
    func externalSigner(_ requested: String) throws(DexError) -> SignerSettings? {
        let signers = try settings().signers()
        if let signer = signers.first(where: { $0.name == requested }) { return signer }
        guard let address = Address(ifValid: requested) else { return nil }
        return signers.first { $0.address == address }
    }

    /// A signer's client; no request is sent yet.
    ///
    /// - Throws: `DexError`, exit 3, for a command in a file that others could have written.
    func keyHolder(_ signer: SignerSettings) throws(DexError) -> any KeyHolder {
        switch signer.way {
        case .node(let url, let method):
            let milliseconds = Int(clamping: signer.timeout) * 1_000
            let transport = CurlTransport(
                options: CurlTransport.Options(
                    timeout: milliseconds,
                    // Nothing arrives while the user checks a device.
                    stallTimeout: Int(clamping: signer.timeout),
                    maximumBody: 4 << 20
                )
            )
            return NodeKey(
                address: signer.address,
                name: signer.name,
                node: JSONRPCSignerNode(name: signer.name, url: url, transport: transport),
                method: method,
                recoverer: Secp256k1()
            )
        case .program(let command):
            let path = try home().configFile
            guard !PrivateFiles.isAlterable(path) else {
                throw SetupError.alterableConfig(path, signer: signer.name)
            }
            return ProgramKey(
                address: signer.address,
                name: signer.name,
                program: SignerChild(
                    name: signer.name,
                    command: command,
                    timeout: signer.timeout
                ),
                recoverer: Secp256k1()
            )
        }
    }
}
