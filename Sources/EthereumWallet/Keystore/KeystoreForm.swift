import Ethereum
import StrictJSON

/// The versions of keystores that hold a key of an account.
enum KeystoreForm: Hashable, Sendable {
    /// Version 1 of geth, until 2015.
    ///
    /// Source: https://github.com/ethereum/go-ethereum/blob/master/accounts/keystore/passphrase.go,
    /// decryptKeyV1.
    case geth
    /// Version 3, Web3 Secret Storage: the only one that is written again.
    case standard
    /// Version 4 of Klaytn, with a list of keys.
    ///
    /// Source: https://kips.klaytn.foundation/KIPs/kip-3
    case klaytn

    /// Reads the version of a file.
    ///
    /// - Throws: `KeystoreError`: `foreign` for another one, `damaged` if there is none.
    init(_ section: KeystoreSection) throws(KeystoreError) {
        let crypto = try section.optional("crypto")
        guard let version = try section.optional("version") else {
            throw crypto == nil
                ? .foreign("it has neither version nor crypto") : .damaged("it has no version")
        }
        switch version.wholeNumber {
        case "1": self = .geth
        case "3": self = .standard
        case "4":
            guard try section.optional("keyring") != nil else {
                throw try section.optional("pubkey") == nil
                    ? .foreign("its version is 4, but it has no keyring as Klaytn's has")
                    : .foreign(
                        "it is a validator's BLS key (EIP-2335), which signs no transactions"
                    )
            }
            self = .klaytn
        default:
            throw .foreign(
                "its version is \(ForeignWords.name(version.stringValue ?? version.text)), "
                    + "where dex knows 3, 1 of geth and 4 of Klaytn"
            )
        }
    }

    var version: Int {
        switch self {
        case .geth: 1
        case .standard: 3
        case .klaytn: 4
        }
    }

    /// The member that has the encrypted key.
    var secretKey: String {
        self == .klaytn ? "keyring" : "crypto"
    }

    var cipher: SealedSecret.Cipher {
        self == .geth ? .chained : .counter
    }

    /// The sizes of an encrypted key, in bytes.
    var ciphertextSizes: ClosedRange<Int> {
        self == .geth ? 16...48 : 1...32
    }

    /// The section with the encrypted key.
    ///
    /// - Throws: `KeystoreError`: `foreign` for a Klaytn account of several keys.
    func crypto(_ section: KeystoreSection) throws(KeystoreError) -> KeystoreSection {
        guard self == .klaytn else { return try section.section("crypto") }
        guard let list = try section.optional("keyring")?.arrayValue else {
            throw .damaged("keyring is no list")
        }
        // Accounts with roles have a list of keys for each role.
        let keys = list.flatMap { $0.arrayValue ?? [$0] }
        guard keys.count == 1, let key = keys.first?.objectValue else {
            throw keys.count == 1
                ? .damaged("keyring[0] is no object")
                : .foreign(
                    "it has \(keys.count) keys of a Klaytn account, where dex signs with one"
                )
        }
        return KeystoreSection(key, path: "keyring[0].")
    }
}
