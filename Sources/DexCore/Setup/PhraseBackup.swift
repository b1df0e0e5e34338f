package import Ethereum
package import EthereumWallet

/// Shows the words of a new recovery phrase and asks three of them back, until they are right.
///
/// No word ever becomes a `String`.
package struct PhraseBackup {
    /// The terminal; every call throws `CancellationError` after a signal, and `DexError`, exit
    /// 20, at the end of the input.
    package protocol Screen {
        /// Shows the words until Enter; afterwards they are gone from the screen.
        func show(_ phrase: borrowing SecretBytes) async throws
        /// Asks for the word of a number from 1, without showing what is typed.
        func word(_ number: Int) async throws -> SecretBytes
        /// Says that the word of this number is another one.
        func isWrong(_ number: Int)
    }

    /// So many words are asked back.
    static let asked = 3

    private let screen: any Screen
    private let random: () -> Bytes32

    /// - Parameter random: 32 unpredictable bytes, which choose the words.
    package init(screen: any Screen, random: @escaping () -> Bytes32) {
        self.screen = screen
        self.random = random
    }

    /// Returns once three words were typed right.
    package func confirm(_ phrase: borrowing SecretBytes) async throws {
        repeat {
            try await screen.show(phrase)
        } while try await !isKnown(phrase)
    }

    private func isKnown(_ phrase: borrowing SecretBytes) async throws -> Bool {
        let words = Self.words(of: phrase)
        for index in places(among: words.count) {
            let typed = try await screen.word(index + 1)
            guard Self.isSame(typed, words[index], of: phrase) else {
                screen.isWrong(index + 1)
                return false
            }
        }
        return true
    }

    /// Distinct places, in order.
    func places(among count: Int) -> [Int] {
        var left = Array(0..<count)
        let bytes = random().bytes
        let chosen = (0..<min(Self.asked, count)).map { round in
            let number = bytes[(8 * round)..<(8 * round + 8)].reduce(0 as UInt64) {
                $0 << 8 | UInt64($1)
            }
            return left.remove(at: Int(number % UInt64(left.count)))
        }
        return chosen.sorted()
    }

    /// Where each word stands.
    static func words(of phrase: borrowing SecretBytes) -> [Range<Int>] {
        phrase.withBytes { bytes in
            bytes.indices.split { bytes[$0] == UInt8(ascii: " ") }
                .map { $0.startIndex..<$0.endIndex }
        }
    }

    /// The typed word, in any letter case and with spaces around it, is that of the phrase.
    private static func isSame(
        _ typed: borrowing SecretBytes,
        _ word: Range<Int>,
        of phrase: borrowing SecretBytes
    ) -> Bool {
        typed.withBytes { typed in
            phrase.withBytes { phrase in
                let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
                let start = typed.firstIndex { !isSpace($0) } ?? typed.endIndex
                let end = typed.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
                return typed[start..<end].elementsEqual(phrase[word]) { typed, wanted in
                    let isUpper = (0x41...0x5A).contains(typed)
                    return (isUpper ? typed | 0x20 : typed) == wanted
                }
            }
        }
    }
}
