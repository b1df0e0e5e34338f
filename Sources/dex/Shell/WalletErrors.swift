import DexCore
import DexWallet
import EthereumWallet

/// Errors of wallets and their folders; external texts lose their control characters.
extension WalletError: ReportedError {
    var report: DexError {
        let message = PlainText.sentence(description, limit: 1_000)
        func told(_ code: ErrorCode, hint: String? = nil) -> DexError {
            Self.row(code, message, hint: hint)
        }
        return switch self {
        case .file: told(.configuration("file"))
        case .keystore(_, let error): told(error.told.code, hint: error.told.hint)
        case .noFolder, .names: told(.configuration("bad-wallet-settings"))
        case .badName, .reservedName, .nameTaken: told(.usage("bad-name"))
        case .alreadyThere: told(.wallet("wallet-exists"))
        case .unknown(let wish, let known):
            told(
                .wallet("unknown-wallet"),
                hint: Suggestion.behind(wish, among: known, "See them: dex wallet list")
            )
        case .ambiguous: told(.wallet("ambiguous-wallet"), hint: "Give its address instead.")
        case .notOurs:
            told(.wallet("not-ours"), hint: "Use that program, or remove the file yourself.")
        case .noAddress:
            told(.wallet("no-address"), hint: "Bring it in: dex wallet import keystore")
        case .noWallets: told(.wallet("no-wallets"))
        case .notVerified: told(.configuration("not-verified"))
        case .backup: told(.wallet("damaged-backup"))
        }
    }
}

extension KeystoreError: ReportedError {
    var report: DexError {
        Self.row(told.code, description, hint: told.hint)
    }

    fileprivate var told: (code: ErrorCode, hint: String?) {
        switch self {
        case .wrongPassword: (.wallet("wrong-password"), nil)
        case .damaged:
            (.wallet("damaged-keystore"), "Restore it from a backup: dex wallet restore FILE")
        case .foreign: (.wallet("foreign-keystore"), nil)
        case .unreasonable: (.wallet("unreasonable-keystore"), nil)
        case .noMemory: (.wallet("no-memory"), nil)
        }
    }
}

extension MnemonicError: ReportedError {
    var report: DexError { Self.row(.wallet("bad-words"), description) }
}

extension ExtendedKeyError: ReportedError {
    var report: DexError { Self.row(.wallet("no-such-key"), description) }
}

extension DerivationPathError: ReportedError {
    var report: DexError { Self.row(.usage("bad-path"), description) }
}
