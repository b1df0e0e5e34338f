package import Ethereum

/// The way a user names a block: by its number, its hash, or as the latest one.
package enum BlockReference: Hashable, Sendable {
    case latest
    case number(UInt64)
    case hash(BlockHash)

    /// The reference in a text: `latest`, decimal digits, or `0x` and 64 hexadecimal digits.
    ///
    /// Example: `try BlockReference("1200")` is `.number(1200)`.
    ///
    /// - Throws: `DexError`, exit 2, `bad-block`, also for a number above 2^63 - 1.
    package init(_ text: String) throws(DexError) {
        if text == "latest" {
            self = .latest
        } else if let hash = BlockHash(ifHex: text) {
            self = .hash(hash)
        } else if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(text), number <= UInt64(Int64.max)
        {
            self = .number(number)
        } else {
            throw BlockError.notABlock(text)
        }
    }

    var tag: BlockTag {
        switch self {
        case .latest: .latest
        case .number(let number): .number(number)
        case .hash(let hash): .hash(hash)
        }
    }
}
