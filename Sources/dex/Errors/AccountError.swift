import DexCore
import Ethereum
import EthereumWallet

/// An unknown account, or one that cannot sign.
enum AccountError: ErrorArea {
    case noKey(Address)
    case noneNamed
    case otherThanWallet(label: String, key: Address)
    case otherThanAddress(Address, key: Address)
    case ambiguousName(String)
    case noAddress(label: String)
    case notInSandbox(String, known: [String])
    case badKey(PrivateKeyError)
    case noneToUnlock
    case noWords(label: String, name: String)

    var report: ErrorReport {
        switch self {
        case .noKey(let address):
            ErrorReport(
                .wallet,
                "no-key",
                "There is no key for \(address.checksummed), so it cannot sign.",
                hint: "Bring it in: dex wallet import. Or set DEX_PRIVATE_KEY to its key, or add "
                    + "--dry-run to only look."
            )
        case .noneNamed:
            ErrorReport(
                .wallet,
                "no-wallet",
                "No account is named, and there is no default wallet.",
                hint: "Choose one: dex wallet list, then dex wallet use NAME. Make the first one: "
                    + "dex init. Or set DEX_PRIVATE_KEY, or give an address with --wallet to only "
                    + "look."
            )
        case .otherThanWallet(let label, let key):
            ErrorReport(
                .wallet,
                "wallet-mismatch",
                "DEX_WALLET names \(label), but DEX_PRIVATE_KEY is the key of "
                    + "\(key.checksummed).",
                hint: "Unset one of them, or name the account with --wallet."
            )
        case .otherThanAddress(let address, let key):
            ErrorReport(
                .wallet,
                "wallet-mismatch",
                "DEX_PRIVATE_KEY is the key of \(key.checksummed), not of "
                    + "\(address.checksummed).",
                hint: "Correct --wallet (or DEX_WALLET), or DEX_PRIVATE_KEY."
            )
        case .ambiguousName(let name):
            ErrorReport(
                .configuration,
                "ambiguous-name",
                "\(name) names a signer, and a wallet or an account of the sandbox.",
                hint: "Give the wallet another name: dex wallet rename. Or call the signer "
                    + "otherwise in config.toml."
            )
        case .noAddress(let label):
            ErrorReport(
                .wallet,
                "no-address",
                "The file of the wallet \(label) does not hold its address: only "
                    + "its password does.",
                hint: "Bring it in, so that its address is known: dex wallet import keystore"
            )
        case .notInSandbox(let shown, let known):
            ErrorReport(
                .wallet,
                "unknown-wallet",
                "The sandbox has no account \"\(shown)\".",
                hint: Suggestion.behind(
                    shown,
                    among: known,
                    "Its accounts are \(known.joined(separator: ", "))."
                )
            )
        case .badKey(let error):
            ErrorReport(
                .wallet,
                "bad-private-key",
                error.description,
                hint: "Correct DEX_PRIVATE_KEY."
            )
        case .noneToUnlock:
            ErrorReport(
                .wallet,
                "no-wallet",
                "No wallet is named, and there is no default one.",
                hint: "See them: dex wallet list"
            )
        case .noWords(let label, let name):
            ErrorReport(
                .wallet,
                "no-words",
                "\(label) has no recovery phrase: it came as a key.",
                hint: "Export its key: dex wallet export \(name) --key"
            )
        }
    }
}
