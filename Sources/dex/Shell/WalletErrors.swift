import DexCore
import DexWallet
import EthereumWallet

/// Errors of wallets and their folders; external texts lose their control characters.
extension WalletError: ErrorArea {
    var report: ErrorReport {
        let message = PlainText.sentence(description, limit: 1_000)
        func told(_ code: String, _ kind: ErrorKind = .wallet, hint: String? = nil) -> ErrorReport {
            ErrorReport(kind, code, message, hint: hint)
        }
        return switch self {
        case .file: told("file", .configuration)
        case .keystore(_, let error): told(error.told.code, hint: error.told.hint)
        case .noFolder, .names: told("bad-wallet-settings", .configuration)
        case .badName, .reservedName, .nameTaken: told("bad-name", .usage)
        case .alreadyThere: told("wallet-exists")
        case .unknown(let wish, let known):
            told(
                "unknown-wallet",
                hint: Suggestion.behind(wish, among: known, "See them: dex wallet list")
            )
        case .ambiguous: told("ambiguous-wallet", hint: "Give its address instead.")
        case .notOurs: told("not-ours", hint: "Use that program, or remove the file yourself.")
        case .noAddress: told("no-address", hint: "Bring it in: dex wallet import keystore")
        case .noWallets: told("no-wallets")
        case .notVerified: told("not-verified", .configuration)
        case .backup: told("damaged-backup")
        }
    }
}

extension KeystoreError: ErrorArea {
    var report: ErrorReport {
        ErrorReport(.wallet, told.code, description, hint: told.hint)
    }

    fileprivate var told: (code: String, hint: String?) {
        switch self {
        case .wrongPassword: ("wrong-password", nil)
        case .damaged: ("damaged-keystore", "Restore it from a backup: dex wallet restore FILE")
        case .foreign: ("foreign-keystore", nil)
        case .unreasonable: ("unreasonable-keystore", nil)
        case .noMemory: ("no-memory", nil)
        }
    }
}

extension MnemonicError: ErrorArea {
    var report: ErrorReport { ErrorReport(.wallet, "bad-words", description) }
}

extension ExtendedKeyError: ErrorArea {
    var report: ErrorReport { ErrorReport(.wallet, "no-such-key", description) }
}

extension DerivationPathError: ErrorArea {
    var report: ErrorReport { ErrorReport(.usage, "bad-path", description) }
}
