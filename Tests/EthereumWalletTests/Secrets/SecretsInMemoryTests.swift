import Ethereum
import Testing

@testable import EthereumWallet

/// What a core dump would show after secrets were used: nothing of them.
@Suite("Secrets in memory")
struct SecretsInMemoryTests {
    // Each in a process of its own: its memory is small, and nobody else writes to it.

    @Test("the search finds a secret that is in use")
    func control() async {
        await #expect(processExitsWith: .success) { try Self.search() }
    }

    private static func search() throws {
        let hidden = HiddenBytes("a secret", random: 32)
        let secret = hidden.revealed
        #expect(try ProcessMemory.search(for: hidden.pieces).count == 3)
        // Until here the memory is there: its size alone would be known without it.
        let count = secret.withBytes { $0.count }
        #expect(count == 32)
        _ = consume secret
        #expect(try ProcessMemory.search(for: hidden.pieces) == [])
    }

    @Test("what stands in the list of words itself is told from other pieces of a phrase")
    func list() {
        let words = EnglishWords.text.withUTF8Buffer { Array($0[100..<112]) }
        #expect(Self.isInList(HiddenBytes("words", SecretBytes(copying: words))))
        #expect(!Self.isInList(HiddenBytes("others", SecretBytes(copying: words.reversed()))))
    }

    /// The list is in memory whole, and neighbours in it may be neighbours in a phrase: one
    /// phrase in some 200 has twelve bytes of it.
    private static func isInList(_ piece: HiddenBytes) -> Bool {
        EnglishWords.text.withUTF8Buffer { piece.isIn(UnsafeRawBufferPointer($0)) }
    }

    @Test("a keystore of scrypt leaves neither key, password nor derived key")
    func scrypt() async {
        await #expect(processExitsWith: .success) {
            try Self.keystore(.scrypt(cost: 1_024, blockSize: 8, parallelism: 2))
        }
    }

    @Test("a keystore of PBKDF2 leaves neither key, password nor derived key")
    func pbkdf2() async {
        await #expect(processExitsWith: .success) { try Self.keystore(.pbkdf2(rounds: 1_000)) }
    }

    private static func keystore(_ function: KeyDerivation.Function) throws {
        let key = HiddenBytes("the key", random: 32)
        let password = HiddenBytes("the password", letters: 40)
        let derivation = KeyDerivation(
            function: function,
            salt: (0..<32).map { _ in .random(in: 0...255) },
            length: 32
        )
        let derived = HiddenBytes(
            "the derived key",
            try derivation.key(password: password.revealed)
        )
        let file = try seal(key, password, derivation)
        let address = try sign(file, password)
        #expect(try address == PrivateKeySigner(secret: key.revealed).address)
        #expect(throws: KeystoreError.wrongPassword) {
            try Keystore(file).open(password: key.revealed)
        }
        let needles = [key, password, derived].flatMap(\.pieces)
        #expect(try ProcessMemory.search(for: needles) == [])
    }

    @inline(never)
    private static func seal(
        _ key: HiddenBytes,
        _ password: HiddenBytes,
        _ derivation: KeyDerivation
    ) throws -> [UInt8] {
        try Keystore(
            sealing: PrivateKeySigner(secret: key.revealed),
            password: password.revealed,
            derivation: derivation
        ).utf8
    }

    @inline(never)
    private static func sign(_ file: [UInt8], _ password: HiddenBytes) throws -> Address {
        let signer = try Keystore(file).open(password: password.revealed)
        _ = try signer.signature(over: Keccak256.hash([1, 2, 3]))
        return signer.address
    }

    @Test("a recovery phrase leaves neither words, seed nor keys")
    func phrase() async {
        await #expect(processExitsWith: .success) { try Self.recoveryPhrase() }
    }

    private static func recoveryPhrase() throws {
        let entropy = HiddenBytes("the entropy", random: 32)
        let passphrase = HiddenBytes("the passphrase", letters: 40)
        let needles = try [entropy, passphrase] + derive(entropy, passphrase)
        #expect(needles.count == 6)
        let pieces = needles.flatMap(\.pieces).filter { !isInList($0) }
        #expect(pieces.count > 30)
        let found = try ProcessMemory.search(for: pieces)
        #expect(found == [], "left in memory: \(found.joined(separator: "; "))")
    }

    @inline(never)
    private static func derive(
        _ entropy: HiddenBytes,
        _ passphrase: HiddenBytes
    ) throws -> [HiddenBytes] {
        let words = try Mnemonic(entropy: entropy.revealed).phrase()
        let phrase = try Mnemonic(phrase: words)
        let seed = try phrase.seed(passphrase: passphrase.revealed)
        let hidden = [HiddenBytes("the words", words), HiddenBytes("the seed", seed)]
        let path = try DerivationPath("m/44'/60'/0'/0/5")
        let key = try ExtendedKey(seed: seed).derived(path)
        let signer = try key.signer()
        _ = try signer.signature(over: Keccak256.hash([1, 2, 3]))
        return hidden
            + [
                HiddenBytes("the chain code", key.chainCode),
                signer.withSecret { HiddenBytes("the derived key", $0) },
            ]
    }
}
