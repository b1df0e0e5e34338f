/// The numbers, 0 to 2047, of a phrase's words, in memory that is overwritten at the end.
struct SecretNumbers: ~Copyable {
    private let storage: SecretBytes

    var count: Int {
        storage.count / 2
    }

    /// The numbers of words between white space, in any letter case.
    ///
    /// - Throws: `MnemonicError`: `wordCount` for more words than any phrase has, `unknownWord`.
    init(words text: UnsafeRawBufferPointer) throws(MnemonicError) {
        let words = text.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let longest = 24
        guard words.count <= longest else { throw .wordCount(words.count) }
        storage = try SecretBytes(count: 2 * words.count) { memory throws(MnemonicError) in
            for (index, word) in words.enumerated() {
                let isLetters = word.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
                guard isLetters,
                    let number = WordList.english.number(of: word.lazy.map { $0 | 0x20 })
                else { throw .unknownWord(place: index + 1) }
                memory.storeBytes(of: UInt16(number), toByteOffset: 2 * index, as: UInt16.self)
            }
        }
    }

    /// The numbers in entropy followed by its checksum bits, 11 bits each.
    init(entropy: borrowing SecretBytes, checksum: UInt8) {
        let count = entropy.count / 4 * 3
        storage = SecretBytes(count: 2 * count) { memory in
            entropy.withBytes { entropy in
                for index in 0..<count {
                    var number: UInt16 = 0
                    for place in index * 11..<index * 11 + 11 {
                        let byte = place / 8 < entropy.count ? entropy[place / 8] : checksum
                        number = number << 1 | UInt16(byte >> (7 - place % 8) & 1)
                    }
                    memory.storeBytes(of: number, toByteOffset: 2 * index, as: UInt16.self)
                }
            }
        }
    }

    /// Lends the numbers to a closure, which must not keep them.
    borrowing func withNumbers<Result: ~Copyable>(
        _ body: (UnsafeBufferPointer<UInt16>) -> Result
    ) -> Result {
        storage.withBytes { bytes in
            body(
                UnsafeBufferPointer(
                    start: bytes.baseAddress?.assumingMemoryBound(to: UInt16.self),
                    count: bytes.count / 2
                )
            )
        }
    }
}
