import DexCore
import Ethereum
import EthereumWallet

/// An unknown account, or one that cannot sign.
enum AccountError: ErrorArea {
    static func noKey(_ address: Address) -> DexError {
        row(
            .wallet("no-key"),
            "There is no key for \(address.checksummed), so it cannot sign.",
            hint: "Bring it in: dex wallet import. Or set DEX_PRIVATE_KEY to its key, or add "
                + "--dry-run to only look."
        )
    }

    static let noneNamed = row(
        .wallet("no-wallet"),
        "No account is named, and there is no default wallet.",
        hint: "Choose one: dex wallet list, then dex wallet use NAME. Make the first one: dex "
            + "init. Or set DEX_PRIVATE_KEY, or give an address with --wallet to only look."
    )

    static func otherThanWallet(label: String, key: Address) -> DexError {
        row(
            .wallet("wallet-mismatch"),
            "DEX_WALLET names \(label), but DEX_PRIVATE_KEY is the key of \(key.checksummed).",
            hint: "Unset one of them, or name the account with --wallet."
        )
    }

    static func otherThanAddress(_ address: Address, key: Address) -> DexError {
        row(
            .wallet("wallet-mismatch"),
            "DEX_PRIVATE_KEY is the key of \(key.checksummed), not of \(address.checksummed).",
            hint: "Correct --wallet (or DEX_WALLET), or DEX_PRIVATE_KEY."
        )
    }

    static func ambiguousName(_ name: String) -> DexError {
        row(
            .configuration("ambiguous-name"),
            "\(name) names a signer, and a wallet or an account of the sandbox.",
            hint: "Give the wallet another name: dex wallet rename. Or call the signer "
                + "otherwise in config.toml."
        )
    }

    static func noAddress(label: String) -> DexError {
        row(
            .wallet("no-address"),
            "The file of the wallet \(label) does not hold its address: only its password does.",
            hint: "Bring it in, so that its address is known: dex wallet import keystore"
        )
    }

    static func notInSandbox(_ shown: String, known: [String]) -> DexError {
        row(
            .wallet("unknown-wallet"),
            "The sandbox has no account \"\(shown)\".",
            hint: Suggestion.behind(
                shown,
                among: known,
                "Its accounts are \(known.joined(separator: ", "))."
            )
        )
    }

    static func badKey(_ error: PrivateKeyError) -> DexError {
        row(
            .wallet("bad-private-key"),
            error.description,
            hint: "Correct DEX_PRIVATE_KEY."
        )
    }

    static let noneToUnlock = row(
        .wallet("no-wallet"),
        "No wallet is named, and there is no default one.",
        hint: "See them: dex wallet list"
    )

    static func noWords(label: String, name: String) -> DexError {
        row(
            .wallet("no-words"),
            "\(label) has no recovery phrase: it came as a key.",
            hint: "Export its key: dex wallet export \(name) --key"
        )
    }
}
