import DexCore
import DexSettings
import DexSigning
import DexWallet
import Ethereum
import EthereumWallet
import PrivateFiles
import ZeroEx

/// Any error as one with an exit code and a sentence.
enum Failure {
    static func describe(_ error: any Error) -> DexError {
        switch error {
        case let error as DexError: error
        case let error as PrivateFiles.Failure: DexError(error)
        case let error as WalletError: describe(error)
        case let error as KeystoreError: describe(error, message: error.description)
        case let error as MnemonicError:
            DexError(.wallet, code: "bad-words", message: error.description)
        case let error as ExtendedKeyError:
            DexError(.wallet, code: "no-such-key", message: error.description)
        case let error as DerivationPathError:
            DexError(.usage, code: "bad-path", message: error.description)
        case let error as AddressError: DexError(error)
        case let error as Bytes32Error: DexError(error)
        case let error as DecimalTextError: DexError(error)
        case let error as PrivateKeyError: DexError(error)
        case let error as SignerError: DexError(error)
        case let error as SigningError: DexError(error)
        case let error as OrderError: DexError(error)
        case let error as OrderRejection: DexError(error)
        case let error as ChainError: DexError(error)
        case let error as RelayError: DexError(error)
        case let error as ExchangeError: DexError(error)
        case is CancellationError: .interrupted
        default:
            DexError(
                .fault,
                code: "fault",
                message: "An unexpected error: \(String(describing: error)).",
                hint: "This is a fault of dex; please report it with the command that you ran."
            )
        }
    }

    /// Texts from outside lose their control characters.
    private static func describe(_ error: WalletError) -> DexError {
        let message = PlainText.sentence(error.description, limit: 1_000)
        func told(_ code: String, _ exit: ExitCode = .wallet, hint: String? = nil) -> DexError {
            DexError(exit, code: code, message: message, hint: hint)
        }
        return switch error {
        case .file: told("file", .configuration)
        case .keystore(_, let error): describe(error, message: message)
        case .noFolder, .names: told("bad-wallet-settings", .configuration)
        case .badName, .reservedName, .nameTaken: told("bad-name", .usage)
        case .alreadyThere: told("wallet-exists")
        case .unknown: told("unknown-wallet", hint: "See them: dex wallet list")
        case .ambiguous: told("ambiguous-wallet", hint: "Give its address instead.")
        case .notOurs: told("not-ours", hint: "Use that program, or remove the file yourself.")
        case .noAddress: told("no-address", hint: "Bring it in: dex wallet import keystore")
        case .noWallets: told("no-wallets")
        case .notVerified: told("not-verified", .configuration)
        case .backup: told("damaged-backup")
        }
    }

    private static func describe(_ error: KeystoreError, message: String) -> DexError {
        let (code, hint): (String, String?) =
            switch error {
            case .wrongPassword: ("wrong-password", nil)
            case .damaged: ("damaged-keystore", "Restore it from a backup: dex wallet restore FILE")
            case .foreign: ("foreign-keystore", nil)
            case .unreasonable: ("unreasonable-keystore", nil)
            case .noMemory: ("no-memory", nil)
            }
        return DexError(.wallet, code: code, message: message, hint: hint)
    }
}
