package import Ethereum

/// The way a user names an order or a transaction: whole, by its start, or by a row of a list.
package enum HashReference: Hashable, Sendable {
    /// `0x` and 64 digits.
    case whole(Bytes32)
    /// `0x` and 4 to 63 digits.
    case start(HashStart)
    /// `@3` or `#3`: a row, from 1, of the list shown last. Shells take `#` for a comment.
    case row(Int)

    /// The most digits of a row's number.
    private static let longestNumber = 6

    /// The reference in a text.
    ///
    /// Example: `HashReference("0xE649")` has the start `0xe649`.
    ///
    /// - Throws: `DexError`, exit 2, `bad-hash`.
    package init(_ text: String) throws(DexError) {
        if Self.isRow(text) {
            let digits = text.utf8.dropFirst()
            guard (1...Self.longestNumber).contains(digits.count),
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(text.dropFirst()), number > 0
            else { throw HashError.notAHash(text) }
            self = .row(number)
        } else if let word = Bytes32(ifHex: text) {
            self = .whole(word)
        } else {
            self = .start(try HashStart(text))
        }
    }

    /// The text names a row of a list.
    package static func isRow(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return first == UInt8(ascii: "@") || first == UInt8(ascii: "#")
    }
}

/// The first digits of a hash, 4 to 63 of them.
package struct HashStart: Hashable, Sendable, CustomStringConvertible {
    private static let fewestDigits = 4

    /// `0x` and the digits in lower case.
    package let description: String

    /// - Throws: `DexError`, exit 2, `bad-hash`.
    package init(_ text: String) throws(DexError) {
        // As `dex` prints a start in its plans.
        let lower = (text.hasSuffix("…") ? String(text.dropLast()) : text).lowercased()
        let digits = lower.utf8.dropFirst(2)
        let isHex = digits.allSatisfy { digit in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
        }
        guard lower.hasPrefix("0x"), isHex, digits.count < 64 else {
            throw HashError.notAHash(text)
        }
        guard digits.count >= Self.fewestDigits else { throw HashError.tooShort(lower) }
        description = lower
    }

    /// A hash begins with these digits.
    package func begins(_ word: Bytes32) -> Bool { word.hex.hasPrefix(description) }
}
