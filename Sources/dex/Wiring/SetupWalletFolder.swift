import DexCore
import DexSettings
import DexWallet
import Ethereum
import EthereumWallet
import Synchronization

/// The wallets of `dex init`: those of our folder, and the signers of the settings.
final class SetupWalletFolder: SetupWallets {
    private let context: CommandContext
    private let keystoreOptions: KeystoreOptions
    /// nil if nothing is asked.
    private let dialog: TerminalDialog?
    private let noted = Mutex<[String]>([])

    /// The number of words of a new phrase.
    private static let words = 12

    init(context: CommandContext, keystoreOptions: KeystoreOptions, dialog: TerminalDialog?) {
        self.context = context
        self.keystoreOptions = keystoreOptions
        self.dialog = dialog
    }

    /// What the user is to know of the wallets that were made.
    var warnings: [String] { noted.withLock { $0 } }

    func known() async throws -> [SetupWallet] {
        try await described {
            try context.walletStore().contents().wallets.compactMap { Self.shown($0) }
                + context.settings().signers().map {
                    SetupWallet(name: $0.name, address: $0.address)
                }
        }
    }

    func existing(_ name: String) async throws -> SetupWallet {
        try await described {
            if let signer = try context.externalSigner(name) {
                return SetupWallet(name: signer.name, address: signer.address)
            }
            let wallet = try context.walletStore().wallet(name)
            return Self.shown(wallet) ?? SetupWallet(name: name, address: nil)
        }
    }

    func freeName(_ name: String?) async throws -> String {
        try await described { try context.walletStore().freeName(name) }
    }

    func make(_ name: String) async throws -> SetupWallet {
        guard !context.options.isDryRun else { return SetupWallet(name: name, address: nil) }
        return try await described {
            let made = try await maker().new(name, words: Self.words) { phrase in
                guard let dialog else { return }
                try await PhraseBackup(screen: dialog, random: context.liveEnvironment.random)
                    .confirm(phrase.phrase())
            }
            if dialog == nil {
                noted.withLock {
                    $0.append(
                        "Write the \(Self.words) words of \(name) down: "
                            + "dex wallet export \(name) --words"
                    )
                }
            }
            return written(made, name)
        }
    }

    func bringIn(
        _ form: SetupWalletForm,
        file: String?,
        name: String
    ) async throws -> SetupWallet {
        guard !context.options.isDryRun else { return SetupWallet(name: name, address: nil) }
        let file = file.map(absolute)
        return try await described {
            let made =
                switch form {
                case .keystore: try await maker().keystore(file ?? "", name)
                case .key: try await maker().key(from: file, name)
                case .words: try await maker().words(from: file, name)
                }
            return written(made, name)
        }
    }

    private func maker() throws -> WalletMaker {
        WalletMaker(
            context: context,
            store: try context.walletStore(),
            keystoreOptions: keystoreOptions
        )
    }

    private func written(_ made: WalletMaker.Made, _ name: String) -> SetupWallet {
        noted.withLock { $0 += made.warnings }
        return SetupWallet(name: name, address: made.keystore.address)
    }

    /// nil for a file of another program that has neither a name nor an address.
    private static func shown(_ wallet: Wallet) -> SetupWallet? {
        guard let name = wallet.name ?? wallet.address?.checksummed else { return nil }
        return SetupWallet(name: name, address: wallet.address)
    }

    /// No shell read the path that was typed.
    private func absolute(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = context.environment["HOME"] else { return path }
        return home + path.dropFirst()
    }

    /// Errors of every module as `DexError`; a signal stays one.
    private func described<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Failure.describe(error)
        }
    }
}
