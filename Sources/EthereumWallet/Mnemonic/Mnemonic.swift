import OpenSSL

/// English words that encode a wallet's entropy (BIP-39).
///
/// ```swift
/// // Words that everybody knows; `Mnemonic(randomWords: 12)` makes new ones.
/// let words = "test test test test test test test test test test test junk"
/// let phrase = try Mnemonic(phrase: SecretBytes(copying: words.utf8))
/// let seed = try phrase.seed(passphrase: SecretBytes(copying: []))
///
/// let path = try DerivationPath("m/44'/60'/0'/0/0")
/// let signer = try ExtendedKey(seed: seed).derived(path).signer()
/// print(signer.address)
/// // Prints "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
/// ```
///
/// Source: https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki
public struct Mnemonic: ~Copyable, Sendable {
    /// The allowed numbers of words.
    public static let wordCounts = [12, 15, 18, 21, 24]

    /// A word in lower case is one of the list.
    public static func isWord(_ text: some Collection<UInt8>) -> Bool {
        WordList.english.number(of: text) != nil
    }

    /// 16, 20, 24, 28 or 32 bytes.
    private let entropy: SecretBytes

    // MARK: Making one

    /// A new phrase from the system's secure generator.
    ///
    /// - Throws: `MnemonicError.wordCount`.
    public init(randomWords count: Int) throws(MnemonicError) {
        guard Self.wordCounts.contains(count) else { throw .wordCount(count) }
        entropy = SecretBytes(random: count / 3 * 4)
    }

    /// The phrase of given entropy.
    ///
    /// - Throws: `MnemonicError.entropy` unless there are 16, 20, 24, 28 or 32 bytes.
    public init(entropy: consuming SecretBytes) throws(MnemonicError) {
        let count = entropy.count
        guard count.isMultiple(of: 4), Self.wordCounts.contains(count / 4 * 3) else {
            throw .entropy(byteCount: count)
        }
        self.entropy = entropy
    }

    /// Reads a phrase: any letter case, any white space.
    ///
    /// - Throws: `MnemonicError`, which names the position of a wrong word and never the word.
    public init(phrase: borrowing SecretBytes) throws(MnemonicError) {
        let normal = try CompatibilityForm.decomposed(phrase)
        let numbers = try normal.withBytes { bytes throws(MnemonicError) in
            try SecretNumbers(words: bytes)
        }
        let count = numbers.count
        guard Self.wordCounts.contains(count) else { throw .wordCount(count) }
        // 33 bits for every three words: 32 of entropy, then all checksum bits at the end.
        let bytes = SecretBytes(count: count / 3 * 4 + 1) { bits in
            numbers.withNumbers { numbers in
                for (index, number) in numbers.enumerated() {
                    for bit in 0..<11 where number >> (10 - bit) & 1 == 1 {
                        let place = index * 11 + bit
                        bits[place / 8] |= 0x80 >> (place % 8)
                    }
                }
            }
        }
        let entropy = bytes.withBytes { SecretBytes(copying: $0.dropLast()) }
        let checksum = bytes.withBytes { $0[$0.count - 1] }
        guard Self.checksum(entropy) == checksum else { throw .checksum }
        self.entropy = entropy
    }

    /// The checksum bits, leftmost in a byte: one bit for every 32 of entropy.
    private static func checksum(_ entropy: borrowing SecretBytes) -> UInt8 {
        let bits = entropy.count / 4
        let first = entropy.withBytes { bytes in
            HashFunction.sha256.hash(bytes)[0]
        }
        return first & ~(0xFF >> bits)
    }

    /// The number of words.
    public var wordCount: Int {
        entropy.count / 4 * 3
    }

    /// The words, separated by a space.
    public borrowing func phrase() -> SecretBytes {
        let list = WordList.english
        let numbers = SecretNumbers(entropy: entropy, checksum: Self.checksum(entropy))
        return numbers.withNumbers { numbers in
            let length = numbers.reduce(numbers.count - 1) { length, number in
                length + list.withWord(Int(number)) { $0.count }
            }
            return SecretBytes(count: length) { text in
                var place = 0
                for number in numbers {
                    if place > 0 {
                        text[place] = UInt8(ascii: " ")
                        place += 1
                    }
                    list.withWord(Int(number)) { word in
                        text[place..<place + word.count].copyBytes(from: word)
                        place += word.count
                    }
                }
            }
        }
    }

    /// Lends the entropy to a closure, which must not keep it.
    borrowing func withEntropy<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(entropy)
    }

    /// The 64 bytes that all keys derive from.
    ///
    /// - Parameter passphrase: UTF-8, empty if there is none; a different one gives a different
    ///   wallet, without any error.
    /// - Throws: `MnemonicError.passphrase` if it is not UTF-8.
    public borrowing func seed(
        passphrase: borrowing SecretBytes
    ) throws(MnemonicError) -> SecretBytes {
        let normal: SecretBytes
        do throws(MnemonicError) {
            normal = try CompatibilityForm.decomposed(passphrase)
        } catch {
            throw .passphrase
        }
        var salt = Array("mnemonic".utf8)
        salt.reserveCapacity(salt.count + normal.count)
        normal.withBytes { salt.append(contentsOf: $0) }
        defer { salt.withUnsafeMutableBytes { Scrubber.wipe($0) } }
        return PasswordHash.pbkdf2(
            phrase(),
            salt: salt,
            hash: .sha512,
            rounds: 2_048,
            count: 64
        )
    }
}
