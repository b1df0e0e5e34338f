import DexStore
import Ethereum

/// The place of a record, from which a list goes on: `--before`.
package struct ActivityCursor: Hashable, Comparable, Sendable, CustomStringConvertible {
    let block: UInt64
    let position: Int64

    init(_ record: ActivityRecord) {
        block = record.block.number
        position = record.position
    }

    /// Of a transaction that only the journal knows to be in a block: before all that was read.
    init(block: UInt64, nonce: UInt64) {
        self.block = block
        position = Int64.min + Int64(clamping: min(nonce, 1 << 40))
    }

    package static func < (left: ActivityCursor, right: ActivityCursor) -> Bool {
        (left.block, left.position) < (right.block, right.position)
    }

    /// A cursor as `description` writes it.
    ///
    /// - Throws: `DexError`, exit 2, `bad-cursor`.
    package init(_ text: String) throws(DexError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let block = UInt64(parts[0], radix: 16),
            let shifted = UInt64(parts[1], radix: 16), block <= UInt64(Int64.max),
            Self.text(block, shifted) == text
        else { throw InputError.badCursor(text) }
        self.block = block
        position = Int64(bitPattern: shifted ^ Self.sign)
    }

    /// Such as `1459f2.8000000000000003`; its parts have no meaning for users.
    package var description: String {
        Self.text(block, UInt64(bitPattern: position) ^ Self.sign)
    }

    private static let sign: UInt64 = 1 << 63

    private static func text(_ block: UInt64, _ shifted: UInt64) -> String {
        "\(String(block, radix: 16)).\(String(shifted, radix: 16))"
    }
}
