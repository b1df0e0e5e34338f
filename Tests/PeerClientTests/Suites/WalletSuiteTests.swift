import Ethereum
import OpenSSL
import Scrypt
import StrictJSON
import Testing

@testable import EthereumWallet

/// BIP-39, BIP-32, keystores and key derivation by suites that others published.
@Suite("Published suites: wallets")
struct WalletSuiteTests {
    @Test("BIP-39's vectors: phrases, seeds and master keys")
    func phrases() async throws {
        for item in try await OfficialSuites.cases("phrases", "english", count: 24) {
            let phrase = try item.peerText("phrase")
            let entropy = SecretBytes(copying: try item.peerBytes("entropy"))
            #expect(Self.text(try Mnemonic(entropy: entropy).phrase()) == phrase)
            let mnemonic = try Mnemonic(phrase: Self.secret(phrase))
            let seed = try mnemonic.seed(passphrase: Self.secret("TREZOR"))
            #expect(seed.withBytes { Array($0) } == (try item.peerBytes("seed")))
            let master = try ExtendedKey(seed: seed)
            let wanted = try ExtendedKey(text: Self.secret(item.peerText("xprv")))
            let isSame = Self.isSame(master, wanted)
            #expect(isSame, "\(phrase)")
        }
    }

    @Test("phrases in other languages are refused")
    func otherLanguages() async throws {
        for item in try await OfficialSuites.cases("phrases", "others", count: 216) {
            let phrase = try #require(item.stringValue)
            #expect(throws: MnemonicError.self, "\(phrase)") {
                _ = try Mnemonic(phrase: Self.secret(phrase))
            }
        }
    }

    @Test("Ganache's and MetaMask's phrases have their accounts")
    func accounts() async throws {
        for item in try await OfficialSuites.cases("accounts", count: 3) {
            let mnemonic = try Mnemonic(phrase: Self.secret(item.peerText("phrase")))
            let master = try ExtendedKey(seed: mnemonic.seed(passphrase: Self.secret("")))
            let key = try master.derived(DerivationPath(item.peerText("path")))
            #expect(try key.signer().address.checksummed == item.peerText("address"))
        }
    }

    @Test("BIP-32's vectors: extended keys and private keys; its faulty ones are refused")
    func derivations() async throws {
        for item in try await OfficialSuites.cases("derivations", "extended", count: 18) {
            let key = try Self.derived(item)
            let wanted = try ExtendedKey(text: Self.secret(item.peerText("xprv")))
            let isSame = Self.isSame(key, wanted)
            #expect(isSame, "\(item.text)")
        }
        for item in try await OfficialSuites.cases("derivations", "keys", count: 14) {
            let key = try Self.derived(item)
            #expect(key.key.withBytes { Array($0) } == (try item.peerBytes("key")), "\(item.text)")
        }
        for item in try await OfficialSuites.cases("derivations", "invalid", count: 18) {
            let text = try #require(item.stringValue)
            #expect(throws: ExtendedKeyError.self, "\(text)") {
                _ = try ExtendedKey(text: Self.secret(text))
            }
        }
    }

    @Test("keystores of the standard and of MyEtherWallet open; EIP-2335's are another format")
    func keystores() async throws {
        for item in try await OfficialSuites.cases("keystores", "version3", count: 2) {
            let keystore = try Keystore(Array(item.peerText("json").utf8))
            let password = try item.peerText("password")
            let signer = try keystore.open(password: Self.secret(password))
            let key = signer.withSecret { key in key.withBytes { Array($0) } }
            #expect(key == (try item.peerBytes("key")))
            #expect(throws: KeystoreError.wrongPassword) {
                _ = try keystore.open(password: Self.secret(password + "x"))
            }
        }
        for item in try await OfficialSuites.cases("keystores", "version4", count: 2) {
            let json = try #require(item.stringValue)
            #expect {
                _ = try Keystore(Array(json.utf8))
            } throws: { error in
                guard case KeystoreError.foreign = error else { return false }
                return true
            }
        }
    }

    @Test("RFC 7914's keys of scrypt and PBKDF2 are ours")
    func passwords() async throws {
        for item in try await OfficialSuites.cases("passwords", "scrypt", count: 3) {
            let password = try item.peerBytes("password")
            let salt = try item.peerBytes("salt")
            let wanted = try item.peerBytes("key")
            var key = [UInt8](repeating: 0, count: wanted.count)
            try key.withUnsafeMutableBytes { key in
                try password.withUnsafeBytes { password in
                    try salt.withUnsafeBytes { salt in
                        try Scrypt.derive(
                            password: password,
                            salt: salt,
                            cost: item.peerNumber("n"),
                            blockSize: item.peerNumber("r"),
                            parallelism: item.peerNumber("p"),
                            into: key
                        )
                    }
                }
            }
            #expect(key == wanted, "\(item.text)")
        }
        for item in try await OfficialSuites.cases("passwords", "pbkdf2", count: 2) {
            let wanted = try item.peerBytes("key")
            let key = PasswordHash.pbkdf2(
                SecretBytes(copying: try item.peerBytes("password")),
                salt: try item.peerBytes("salt"),
                hash: .sha256,
                rounds: try item.peerNumber("rounds"),
                count: wanted.count
            )
            #expect(key.withBytes { Array($0) } == wanted, "\(item.text)")
        }
    }

    private static func derived(_ item: JSONValue) throws -> ExtendedKey {
        let seed = SecretBytes(copying: try item.peerBytes("seed"))
        return try ExtendedKey(seed: seed).derived(DerivationPath(item.peerText("path")))
    }

    private static func isSame(_ one: borrowing ExtendedKey, _ other: borrowing ExtendedKey) -> Bool
    {
        one.depth == other.depth && one.number == other.number && one.key.isEqual(to: other.key)
            && one.chainCode.isEqual(to: other.chainCode)
    }

    private static func secret(_ text: String) -> SecretBytes {
        SecretBytes(copying: text.utf8)
    }

    private static func text(_ secret: borrowing SecretBytes) -> String {
        secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
