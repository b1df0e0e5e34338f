import Ethereum
import StrictJSON
import Testing

@testable import EthereumWallet

@Suite("Keystores with a recovery phrase, and sealed files")
struct KeystorePhraseTests {
    private static let words = String(repeating: "test ", count: 11) + "junk"

    private func sealed(passphrase: String = "") throws -> Keystore {
        try Keystore(
            sealing: Mnemonic(phrase: secret(Self.words)),
            passphrase: secret(passphrase),
            path: DerivationPath("m/44'/60'/0'/0/1"),
            password: secret("open"),
            strength: .light
        )
    }

    @Test("key and words come back with the password, and the path is told without it")
    func roundTrip() throws {
        let keystore = try Keystore(sealed().utf8)
        #expect(keystore.phrasePath?.description == "m/44'/60'/0'/0/1")
        #expect(!keystore.phraseNeedsPassphrase)
        let signer = try keystore.open(password: secret("open"))
        #expect(signer.address.checksummed == "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
        #expect(keystore.address == signer.address)
        guard let phrase = try keystore.openPhrase(password: secret("open")) else {
            Issue.record("there is no phrase")
            return
        }
        #expect(text(phrase.phrase()) == Self.words)
        #expect(throws: KeystoreError.wrongPassword) {
            _ = try keystore.openPhrase(password: secret("shut"))
        }
    }

    @Test("a passphrase makes another key, and is marked but not kept")
    func passphrase() throws {
        let keystore = try Keystore(sealed(passphrase: "TREZOR").utf8)
        #expect(keystore.phraseNeedsPassphrase)
        #expect(try keystore.address != sealed().address)
        #expect(!String(decoding: keystore.utf8, as: UTF8.self).contains("TREZOR"))
        #expect(throws: MnemonicError.passphrase) {
            try Keystore(
                sealing: Mnemonic(phrase: secret(Self.words)),
                passphrase: SecretBytes(copying: [0xFF]),
                path: DerivationPath("m"),
                password: secret("open"),
                strength: .light
            )
        }
    }

    @Test("a key that came alone has no words")
    func none() throws {
        let keystore = try Keystore(
            sealing: PrivateKeySigner(secret: SecretBytes(random: 32)),
            password: secret("open"),
            strength: .light
        )
        #expect(keystore.phrasePath == nil)
        let hasPhrase = try keystore.openPhrase(password: secret("open")) != nil
        #expect(!hasPhrase)
    }

    @Test("the member with the words is read as strictly as the rest")
    func strict() throws {
        let origin = try #require(
            JSONParser.parse(sealed().utf8)["x-dex"]?.objectValue
        )
        var rest = try #require(JSONParser.parse(sealed().utf8).objectValue)
        rest["x-dex"] = nil
        let damages: [(key: String, value: JSONValue?, reason: String)] = [
            ("phrase", 7, "x-dex.phrase is no object"),
            ("phrase", [:], "it has no x-dex.phrase.cipher"),
            ("path", nil, "it has no x-dex.path"),
            ("path", "44'/60'", "its path is \"44'/60'\""),
        ]
        for (key, value, reason) in damages {
            var extra = origin
            extra["checksum"] = nil
            extra[key] = value
            let file = KeystoreDocument.write(rest, extra: extra)
            #expect(throws: KeystoreError.damaged(reason)) { try Keystore(file) }
        }
    }

    @Test("any content comes back from a sealed file, and only as what it says that it is")
    func sealedFile() throws {
        for content in ["x", String(repeating: "wallet ", count: 10_000)] {
            let file = try SealedFile(
                sealing: secret(content),
                format: "test",
                password: secret("open"),
                strength: .light
            )
            let read = try SealedFile(file.utf8, format: "test")
            #expect(read == file)
            #expect(try text(read.open(password: secret("open"))) == content)
            #expect(throws: KeystoreError.wrongPassword) {
                _ = try read.open(password: secret("shut"))
            }
            #expect(throws: KeystoreError.foreign("its format is not other")) {
                try SealedFile(file.utf8, format: "other")
            }
            #expect(throws: KeystoreError.foreign("it has neither version nor crypto")) {
                try Keystore(Array("{\"format\":\"test\"}".utf8))
            }
        }
        let file = try SealedFile(
            sealing: secret("x"),
            format: "test",
            password: secret("open"),
            strength: .light
        )
        var object = try #require(JSONParser.parse(file.utf8).objectValue)
        object["x-dex"] = nil
        #expect(throws: KeystoreError.damaged("it has no checksum")) {
            try SealedFile(JSONValue.object(object).utf8, format: "test")
        }
        object["version"] = 2
        #expect(throws: KeystoreError.foreign("its version is not 1")) {
            try SealedFile(KeystoreDocument.write(object), format: "test")
        }
    }

    @Test("more content than a sealed file takes is refused with the bound")
    func tooLarge() throws {
        let content = SecretBytes(count: SealedFile.maximumContent + 1) { _ in }
        #expect(
            throws: KeystoreError.unreasonable(
                "its content has 4194305 bytes, more than 4194304"
            )
        ) {
            try SealedFile(
                sealing: content,
                format: "test",
                password: secret("open"),
                strength: .light
            )
        }
    }
}
