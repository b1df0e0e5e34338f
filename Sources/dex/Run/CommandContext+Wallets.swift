import DexCore
import DexSettings
import DexWallet
import Ethereum
import EthereumWallet
import Glibc
import SandboxHost

/// Wallets: where they are, and how they are opened.
extension CommandContext {
    /// The keystores of our own folder and of those that config.toml names.
    ///
    /// - Throws: `DexError`, exit 3.
    func walletStore() throws(DexError) -> WalletStore {
        WalletStore(
            data: try home().data,
            otherFolders: try keystoreFolders(),
            reservedNames: SandboxAccounts.names
        )
    }

    /// Folders are relative to that of config.toml, and `~/` is HOME.
    private func keystoreFolders() throws(DexError) -> [String] {
        let config = try home().config
        return (try settings().list(["keystores"]) ?? []).map { path in
            if path.hasPrefix("/") { return path }
            if path.hasPrefix("~/"), let home = environment["HOME"] {
                return home + path.dropFirst()
            }
            return "\(config)/\(path)"
        }
    }

    /// The key of a wallet, after its password.
    ///
    /// - Throws: `DexError`, exit 5; `CancellationError` after a signal.
    func unlocked(_ wallet: Wallet) throws -> PrivateKeySigner {
        let service = SecretService(environment)
        do {
            return try opened(wallet.label) {
                wallet.address.flatMap { service?.password(of: $0) }
            } _: { password in
                try wallet.keystore.open(password: password)
            }
        } catch let error as KeystoreError {
            throw WalletError.keystore(path: wallet.path, error)
        }
    }

    /// The time now, for the name of a keystore.
    static var timeOfDay: (seconds: UInt64, nanoseconds: UInt32) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (UInt64(max(0, time.tv_sec)), UInt32(clamping: time.tv_nsec))
    }
}

extension SandboxAccounts {
    /// The names of all accounts of any sandbox.
    static let names = traderNames + makerNames + ["relay"]
}
