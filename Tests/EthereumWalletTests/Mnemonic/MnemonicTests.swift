import EthereumWallet
import Testing

@Suite("Recovery phrases")
struct MnemonicTests {
    private static let abandon = String(repeating: "abandon ", count: 11) + "about"

    private func phrase(_ text: String) throws(MnemonicError) -> Mnemonic {
        try Mnemonic(phrase: secret(text))
    }

    // Entropies and passphrase of the first 24 are those of BIP-39's published vectors, and the
    // answers those of their authors' own library.
    @Test("phrases, seeds and master keys are those of the published vectors, and of others")
    func published() throws {
        let vectors = try vectors("mnemonics")
        for vector in vectors {
            let entropy = try SecretBytes(copying: hex(vector.text("entropy")))
            let phrase = try vector.text("phrase")
            let made = try Mnemonic(entropy: entropy)
            #expect(text(made.phrase()) == phrase)
            let read = try self.phrase(phrase)
            #expect(text(read.phrase()) == phrase)
            let count = read.wordCount
            #expect(count == phrase.split(separator: " ").count)
            let passphrase = try secret(vector.text("passphrase"))
            let seed = try read.seed(passphrase: passphrase)
            #expect(try digits(seed) == vector.text("seed"), "\(phrase)")
            let expected = try ExtendedKey(text: secret(vector.text("master")))
            let isSame = try ExtendedKey(seed: seed).isSame(as: expected)
            #expect(isSame, "\(phrase)")
        }
    }

    // The first and the last published vector, written out so that nothing hangs on one library.
    // Source: https://github.com/trezor/python-mnemonic/blob/master/vectors.json
    @Test(
        "two published seeds, written out",
        arguments: [
            (
                abandon,
                "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e5349553"
                    + "1f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04"
            ),
            (
                "void come effort suffer camp survey warrior heavy shoot primary clutch crush open "
                    + "amazing screen patrol group space point ten exist slush involve unfold",
                "01f5bced59dec48e362f2c45b5de68b9fd6c92c6634f44d6d40aab69056506f0"
                    + "e35524a518034ddc1192e1dacd32c1ed3eaa3c3b131c88ed8e7e54c49a5d0998"
            ),
        ]
    )
    func writtenOut(words: String, seed: String) throws {
        #expect(try digits(phrase(words).seed(passphrase: secret("TREZOR"))) == seed)
    }

    @Test("letter case and white space do not matter, nor do full-width letters")
    func spelling() throws {
        let spellings = [
            Self.abandon.uppercased(),
            "  " + Self.abandon.replacing(" ", with: " \t\r\n ") + "\n",
            Self.abandon.replacing("about", with: "ａｂｏｕｔ"),
            Self.abandon.replacing(" ", with: "\u{3000}"),
        ]
        for spelling in spellings {
            let read = try phrase(spelling)
            #expect(text(read.phrase()) == Self.abandon)
        }
    }

    @Test("a phrase of the system's randomness reads back, in each length")
    func random() throws {
        var seen: Set<String> = []
        for count in Mnemonic.wordCounts {
            for _ in 0..<20 {
                let words = text(try Mnemonic(randomWords: count).phrase())
                #expect(words.split(separator: " ").count == count)
                #expect(seen.insert(words).inserted)
                let read = try phrase(words)
                #expect(text(read.phrase()) == words)
            }
        }
    }

    @Test(
        "another number of words is refused",
        arguments: [0, 1, 11, 13, 14, 16, 23, 25, 27, 1_000, -1]
    )
    func counts(count: Int) {
        #expect(throws: MnemonicError.wordCount(count)) { _ = try Mnemonic(randomWords: count) }
        if count >= 0 {
            let words = Array(repeating: "zoo", count: count).joined(separator: " ")
            #expect(throws: MnemonicError.wordCount(count)) { _ = try phrase(words) }
        }
        #expect(throws: MnemonicError.entropy(byteCount: 17)) {
            _ = try Mnemonic(entropy: SecretBytes(random: 17))
        }
        #expect(throws: MnemonicError.entropy(byteCount: 36)) {
            _ = try Mnemonic(entropy: SecretBytes(random: 36))
        }
    }

    @Test("a word that is not in the list is told by its place")
    func unknownWord() {
        for word in ["abandom", "aband", "zzz", "a", "ab-out", "1", "äbout", "\u{0}", "é"] {
            #expect(throws: MnemonicError.unknownWord(place: 12), "\(word)") {
                _ = try phrase(Self.abandon.replacing("about", with: word))
            }
            #expect(throws: MnemonicError.unknownWord(place: 1), "\(word)") {
                _ = try phrase("\(word) " + Self.abandon.dropFirst("abandon ".count))
            }
        }
    }

    @Test("of all words at the end only those with the right checksum are taken")
    func checksums() throws {
        let words = try vectors("mnemonics").flatMap { try $0.text("phrase").split(separator: " ") }
        let start = String(Self.abandon.dropLast("about".count))
        var taken = 0
        for word in Set(words) {
            do throws(MnemonicError) {
                _ = try phrase(start + String(word))
                taken += 1
            } catch {
                #expect(error == .checksum)
            }
        }
        // Four bits of checksum: about one of 16.
        #expect(taken < Set(words).count / 8)
        #expect(taken > 0)
        #expect(throws: MnemonicError.checksum) {
            _ = try phrase(String(repeating: "zoo ", count: 12))
        }
    }

    @Test("what is not UTF-8 is neither a phrase nor a passphrase")
    func encoding() throws {
        let broken = [[0xFF], [0xC3], [0x61, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]]
        let read = try phrase(Self.abandon)
        for bytes in broken {
            #expect(throws: MnemonicError.encoding) {
                _ = try Mnemonic(phrase: SecretBytes(copying: bytes))
            }
            do throws(MnemonicError) {
                _ = try read.seed(passphrase: SecretBytes(copying: bytes))
                Issue.record("a passphrase of \(bytes) was taken")
            } catch {
                #expect(error == .passphrase)
            }
        }
    }

    @Test(
        "each error is a sentence without a word of the phrase",
        arguments: [
            (
                MnemonicError.wordCount(13),
                "A recovery phrase has 12, 15, 18, 21 or 24 words, not 13."
            ),
            (
                .unknownWord(place: 3),
                "Word 3 of the recovery phrase is not in the English list of BIP-39; look for a "
                    + "typing error."
            ),
            (
                .checksum,
                "The recovery phrase does not fit its checksum: a word is wrong, or two are "
                    + "swapped."
            ),
            (.encoding, "The recovery phrase is not UTF-8 text."),
            (.passphrase, "The passphrase is not UTF-8 text."),
            (
                .entropy(byteCount: 17),
                "A recovery phrase stands for 16, 20, 24, 28 or 32 bytes, not 17."
            ),
        ]
    )
    func sentences(error: MnemonicError, sentence: String) {
        #expect("\(error)" == sentence)
    }
}
