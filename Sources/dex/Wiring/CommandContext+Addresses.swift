import DexCore
import DexSettings
import DexWallet
import PrivateFiles
import SandboxHost

/// The addresses that the user knows by name.
extension CommandContext {
    /// The address book, the wallets, the signers and, on the sandbox, its accounts.
    ///
    /// - Throws: `DexError`, exit 3; `WalletError`.
    func knownAddresses(_ network: Network) throws -> KnownAddresses {
        let settings = try settings()
        var entries = settings.addressBook
        for wallet in try walletStore().contents().wallets {
            guard let name = wallet.name, let address = wallet.address else { continue }
            entries.append(KnownAddresses.Entry(name: name, address: address, source: .wallet))
        }
        for signer in try settings.signers() {
            entries.append(
                KnownAddresses.Entry(name: signer.name, address: signer.address, source: .signer)
            )
        }
        if network.isSandbox, let accounts = try sandboxAccounts() {
            entries += accounts.all.map {
                KnownAddresses.Entry(name: $0.name, address: $0.address, source: .sandbox)
            }
        }
        return KnownAddresses(entries)
    }

    /// Refuses names of addresses from a file that others could have written.
    ///
    /// - Throws: `DexError`, exit 3: `alterable-config`.
    func refuseAlterableAddressBook() throws(DexError) {
        let path = try home().configFile
        guard !PrivateFiles.isAlterable(path) else {
            throw SetupError.alterableAddresses(path)
        }
    }
}
