import CProcess
import DexCore
import DexSettings
import DexWallet
import Ethereum
import EthereumWallet
import Glibc
import PrivateFiles
import SandboxHost

/// Finds and opens wallets.
extension CommandContext {
    /// The keystores of our own folder and of those in config.toml.
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

    /// The decrypted key of a wallet.
    ///
    /// - Throws: `DexError`, exit 5; `CancellationError` after a signal.
    func unlocked(_ wallet: Wallet) async throws -> PrivateKeySigner {
        try refuseExposed(wallet)
        let service = SecretService(environment)
        return try await naming(wallet.path) {
            try await opened(wallet.label) {
                guard let service, let address = wallet.address else { return nil }
                return await service.password(of: address)
            } _: { password in
                try wallet.keystore.open(password: password)
            }
        }
    }

    /// The same with a password that is typed on the terminal now, and no other.
    ///
    /// - Throws: `DexError`, exit 5; `CancellationError` after a signal.
    func unlockedOnTerminal(_ wallet: Wallet) async throws -> PrivateKeySigner {
        try refuseExposed(wallet)
        return try await naming(wallet.path) {
            try await openedOnTerminal(wallet.label) { password in
                try wallet.keystore.open(password: password)
            }
        }
    }

    /// Runs a body whose errors of a keystore get the name of its file.
    func naming<Result: ~Copyable>(
        _ path: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as KeystoreError {
            throw WalletError.keystore(path: path, error)
        }
    }

    /// Refuses to open a keystore of ours that others may read and try passwords on.
    ///
    /// It only warns for files of other programs, which choose their own mode.
    ///
    /// - Throws: `DexError`, exit 5.
    func refuseExposed(_ wallet: Wallet) throws(DexError) {
        guard PrivateFiles.isExposed(wallet.path) else { return }
        let path = PlainText.clean(wallet.path, limit: 400)
        let message = "Others than you may read \(path), the encrypted key of \(wallet.label)."
        guard wallet.isOurs else {
            console.note("\(message) Close it: chmod 600 \(path)")
            return
        }
        throw SecretError.exposedWallet(message: message, path: path)
    }

    /// The time now, for the name of a keystore.
    static var timeOfDay: (seconds: UInt64, nanoseconds: UInt32) {
        let time = dex_clock(CLOCK_REALTIME)
        return (time.seconds, time.nanoseconds)
    }
}

extension SandboxAccounts {
    /// The names of all accounts of any sandbox.
    static let names = traderNames + makerNames + ["relay"]
}
