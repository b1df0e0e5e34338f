/// The key of a swap API, which no description shows.
package struct SwapKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The most characters of a key.
    package static let longest = 200

    /// What goes into the header; nothing else may read it.
    let text: String

    /// A key without the spaces and line ends around it.
    ///
    /// nil if it is empty, longer than `longest`, or has anything but printable ASCII characters:
    /// a line break in a header would let it add further headers.
    package init?(_ bytes: some Collection<UInt8>) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let trimmed = Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard (1...Self.longest).contains(trimmed.count),
            trimmed.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text = String(decoding: trimmed, as: UTF8.self)
    }

    /// A server's answer without the key, should it repeat it, as a refusal of a key may.
    ///
    /// A key as short as a word is left alone: an answer has words of its own.
    func hidden(in body: [UInt8]) -> [UInt8] {
        let key = Array(text.utf8)
        guard key.count >= 16, body.count >= key.count else { return body }
        var result = body
        for range in body.ranges(of: key) {
            result.replaceSubrange(range, with: repeatElement(UInt8(ascii: "*"), count: key.count))
        }
        return result
    }

    package var description: String { "a key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
