package import EthereumWallet

/// The words of a recovery phrase with their numbers, in columns.
package enum PhraseSheet {
    /// A number of two digits, a space, a word of at most 8 letters, and a gap.
    private static let cell = 14
    private static let longestWord = 8

    /// Lines that fit the width, each with its line end; the numbers run along the lines.
    ///
    /// - Parameter width: columns; below 13 there is still one word a line.
    package static func lines(
        _ phrase: borrowing SecretBytes,
        width: Int
    ) -> SecretBytes {
        let words = PhraseBackup.words(of: phrase)
        let columns = max(1, min(3, width / cell))
        let rows = (words.count + columns - 1) / columns
        return phrase.withBytes { bytes in
            SecretBytes(count: words.count * cell + rows) { text in
                text.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
                for (index, word) in words.enumerated() {
                    let place = index * cell + index / columns
                    let number = index + 1
                    if number > 9 { text[place] = UInt8(ascii: "0") + UInt8(number / 10 % 10) }
                    text[place + 1] = UInt8(ascii: "0") + UInt8(number % 10)
                    for (offset, byte) in bytes[word.prefix(longestWord)].enumerated() {
                        text[place + 3 + offset] = byte
                    }
                    if index % columns == columns - 1 || number == words.count {
                        text[place + cell] = UInt8(ascii: "\n")
                    }
                }
            }
        }
    }
}
