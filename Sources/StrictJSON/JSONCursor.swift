/// Reads a JSON text of a known shape piece by piece, without creating values.
///
/// Every step takes exactly what it names, by the grammar of RFC 8259, or fails. It knows only the
/// plainest form of each: for other texts use `JSONParser`, which knows all forms and reports what
/// is wrong.
///
/// ```swift
/// let text = Array(#"{"nonce": "42"}"#.utf8)
/// let nonce = JSONCursor.read(text) { cursor -> Int? in
///     guard cursor.take("{"), cursor.take(name: "nonce"), let digits = cursor.digitText(),
///         cursor.take("}")
///     else { return nil }
///     return Int(String(decoding: digits, as: UTF8.self))
/// }
/// print(nonce ?? 0)
/// // Prints "42"
/// ```
public struct JSONCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The result of a closure that reads a text; nil unless it reads the text to its end.
    ///
    /// - Parameter body: gets the cursor, which it must not keep.
    public static func read<Value>(
        _ text: [UInt8],
        _ body: (inout JSONCursor) -> Value?
    ) -> Value? {
        text.withUnsafeBufferPointer { read($0, body) }
    }

    /// The same for a text in memory that the caller keeps in place.
    public static func read<Value>(
        _ text: UnsafeBufferPointer<UInt8>,
        _ body: (inout JSONCursor) -> Value?
    ) -> Value? {
        var cursor = JSONCursor(text)
        guard let value = body(&cursor) else { return nil }
        cursor.skipWhitespace()
        return cursor.position == text.count ? value : nil
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Takes one ASCII character, such as a bracket, with the whitespace before it.
    public mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard position < bytes.count, UInt32(bytes[position]) == character.value else {
            return false
        }
        position += 1
        return true
    }

    /// Takes a member's name and its colon.
    ///
    /// - Parameter name: printable ASCII without quotation marks and backslashes.
    public mutating func take(name: StaticString) -> Bool {
        let start = position
        guard take(string: name), take(":") else {
            position = start
            return false
        }
        return true
    }

    /// Takes a string with this exact text.
    ///
    /// - Parameter text: printable ASCII without quotation marks and backslashes.
    public mutating func take(string text: StaticString) -> Bool {
        skipWhitespace()
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length + 2, bytes[position] == UInt8(ascii: "\""),
            bytes[position + length + 1] == UInt8(ascii: "\"")
        else { return false }
        for index in 0..<length where bytes[position + 1 + index] != text.utf8Start[index] {
            return false
        }
        position += length + 2
        return true
    }

    /// Takes a string up to the next quotation mark and lends its characters until the next step.
    ///
    /// The caller must check every character, and reject backslashes and everything except
    /// printable ASCII.
    public mutating func text() -> UnsafeBufferPointer<UInt8>? {
        skipWhitespace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        let start = position + 1
        guard let end = quotationMark(from: start) else { return nil }
        position = end + 1
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    /// The position of the next quotation mark, searched eight bytes at a time.
    private func quotationMark(from start: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let text = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= bytes.count {
            let eight = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // A quotation mark becomes zero here; the lowest marked byte below is one.
            let others = UInt64(littleEndian: eight) ^ (ones &* 0x22)
            let marks = (others &- ones) & ~others & (ones &* 0x80)
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        return bytes[index...].firstIndex(of: UInt8(ascii: "\""))
    }

    /// Takes a string of a known length and lends its characters until the next step.
    ///
    /// Only the quotation marks are checked. The caller must check every character, and reject
    /// backslashes and everything except printable ASCII.
    public mutating func text(length: Int) -> UnsafeBufferPointer<UInt8>? {
        skipWhitespace()
        guard length >= 0, bytes.count - position >= length + 2,
            bytes[position] == UInt8(ascii: "\""),
            bytes[position + length + 1] == UInt8(ascii: "\"")
        else { return nil }
        defer { position += length + 2 }
        return UnsafeBufferPointer(rebasing: bytes[position + 1..<position + 1 + length])
    }

    /// Takes a string of ASCII digits, at least one, and lends them.
    public mutating func digitText() -> UnsafeBufferPointer<UInt8>? {
        skipWhitespace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        let end = endOfDigits(from: position + 1)
        guard end > position + 1, end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            return nil
        }
        defer { position = end + 1 }
        return UnsafeBufferPointer(rebasing: bytes[position + 1..<end])
    }

    /// Takes a non-negative integer and lends its digits.
    public mutating func digits() -> UnsafeBufferPointer<UInt8>? {
        skipWhitespace()
        let end = endOfDigits(from: position)
        guard end > position, end - position == 1 || bytes[position] != UInt8(ascii: "0") else {
            return nil
        }
        // With a point or an exponent it is not an integer.
        if end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
            default: break
            }
        }
        defer { position = end }
        return UnsafeBufferPointer(rebasing: bytes[position..<end])
    }

    private func endOfDigits(from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
        return end
    }
}
