package import NIOCore
import OpenSSL

/// A strong validator of an answer: the same tag means the same bytes.
///
/// The compressed form of an answer has a tag of its own, with `-gzip` at its end, since its bytes
/// differ.
///
/// Source: RFC 9110, section 8.8.3.
package struct EntityTag: Hashable, Sendable {
    /// The text between the quotes.
    package let value: String

    private static let compressedSuffix = "-gzip"
    /// Longer If-None-Match headers match nothing.
    private static let maximumBytes = 8_192

    /// A tag with a text of printable ASCII without quotes.
    package init?(_ value: String) {
        guard !value.isEmpty,
            value.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else { return nil }
        self.value = value
    }

    /// The tag of a header's value, `"abc"`; nil for a weak or malformed one.
    package init?(header: String) {
        guard header.utf8.count >= 2, header.first == "\"", header.last == "\"" else { return nil }
        self.init(String(header.dropFirst().dropLast()))
    }

    /// The tag of these bytes: half of their SHA-256 hash, since whoever posts orders also
    /// chooses the bytes.
    package init(of bytes: ByteBuffer) {
        let hash = bytes.withUnsafeReadableBytes { HashFunction.sha256.hash($0) }.prefix(16)
        let digits = Array("0123456789abcdef".utf8)
        let text = hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        value = String(decoding: text, as: UTF8.self)
    }

    package var header: String { "\"\(value)\"" }
    package var compressedHeader: String { "\"\(value)\(Self.compressedSuffix)\"" }

    /// The client has the answer already, in either form.
    ///
    /// - Parameter ifNoneMatch: the If-None-Match header.
    package func isKnown(to ifNoneMatch: String?) -> Bool {
        guard let ifNoneMatch, ifNoneMatch.utf8.count <= Self.maximumBytes else { return false }
        for item in ifNoneMatch.split(separator: ",") {
            var tag = item.drop { $0 == " " || $0 == "\t" }
            while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            // Weak tags match as well: the comparison of If-None-Match is the weak one.
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            if tag == header || tag == compressedHeader { return true }
        }
        return false
    }
}
