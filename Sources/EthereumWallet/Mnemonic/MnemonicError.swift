/// The reason why words are not a recovery phrase; it holds no word.
public enum MnemonicError: Error, Hashable, Sendable, CustomStringConvertible {
    case wordCount(Int)
    /// The position of the first unknown word, from 1.
    case unknownWord(place: Int)
    case checksum
    case encoding
    case passphrase
    case entropy(byteCount: Int)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .wordCount(let count):
            "A recovery phrase has 12, 15, 18, 21 or 24 words, not \(count)."
        case .unknownWord(let place):
            "Word \(place) of the recovery phrase is not in the English list of BIP-39; look for "
                + "a typing error."
        case .checksum:
            "The recovery phrase does not fit its checksum: a word is wrong, or two are swapped."
        case .encoding: "The recovery phrase is not UTF-8 text."
        case .passphrase: "The passphrase is not UTF-8 text."
        case .entropy(let count):
            "A recovery phrase stands for 16, 20, 24, 28 or 32 bytes, not \(count)."
        }
    }
}
