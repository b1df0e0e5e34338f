import DexCore
import DexWallet
import EthereumWallet

/// Errors of wallets and their folders; external texts lose their control characters.
extension WalletError: ReportedError {
    var report: DexError {
        let message = PlainText.sentence(description, limit: 1_000)
        func contract(_ code: ErrorCode, hint: String? = nil) -> DexError {
            Self.row(code, message, hint: hint)
        }
        return switch self {
        case .file: contract(.configuration("file"))
        case .keystore(_, let error): contract(error.contract.code, hint: error.contract.hint)
        case .noFolder, .names: contract(.configuration("bad-wallet-settings"))
        case .badName, .reservedName, .nameTaken: contract(.usage("bad-name"))
        case .alreadyThere: contract(.wallet("wallet-exists"))
        case .unknown(let requested, let known):
            contract(
                .wallet("unknown-wallet"),
                hint: Suggestion.behind(requested, among: known, "See them: dex wallet list")
            )
        case .ambiguous: contract(.wallet("ambiguous-wallet"), hint: "Give its address instead.")
        case .notOurs:
            contract(.wallet("not-ours"), hint: "Use that program, or remove the file yourself.")
        case .noAddress:
            contract(.wallet("no-address"), hint: "Bring it in: dex wallet import keystore")
        case .noWallets: contract(.wallet("no-wallets"))
        case .notVerified: contract(.configuration("not-verified"))
        case .backup: contract(.wallet("damaged-backup"))
        }
    }
}

extension KeystoreError: ReportedError {
    var report: DexError {
        Self.row(contract.code, description, hint: contract.hint)
    }

    fileprivate var contract: (code: ErrorCode, hint: String?) {
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
