import HTTPTypes
import NIOCore

/// The head of a POST in the plainest form of HTTP/1.1, as it stands in a connection's bytes.
///
/// It knows no more than it must: a request line with one of some paths, header lines of visible
/// ASCII, one `Host` and one `Content-Length`. Everything else, also what HTTP allows, is left to the
/// HTTP parser, which knows all forms and answers what is wrong: a body in chunks, a word on the
/// connection, an origin, a line that is continued or ends without a carriage return.
///
/// Source: RFC 9112, sections 2.2, 3 and 5.
struct PlainPostHead {
    /// The index of the path.
    let path: Int
    /// Those headers that are kept, in their order.
    let headers: HTTPFields
    /// Bytes before the body.
    let length: Int
    let bodyLength: Int

    /// Bytes of the whole request.
    var wholeLength: Int { length + bodyLength }

    /// A longer head is left to the parser.
    private static let mostBytes = 4_096
    private static let none = HTTPFields()

    /// What is known by its name in lower case.
    private enum Known: CaseIterable {
        case host, contentLength, connection
        /// Each changes how the request is read or answered.
        case transferEncoding, expect, upgrade, origin, trailer

        var name: StaticString {
            switch self {
            case .host: "host"
            case .contentLength: "content-length"
            case .connection: "connection"
            case .transferEncoding: "transfer-encoding"
            case .expect: "expect"
            case .upgrade: "upgrade"
            case .origin: "origin"
            case .trailer: "trailer"
            }
        }
    }

    /// The head at the start of these bytes; nil if it is none, or not whole.
    init?(_ bytes: ByteBuffer, _ source: DirectSource) {
        let head = bytes.withUnsafeReadableBytes { Self.read($0, source) }
        guard let head else { return nil }
        self = head
    }

    private init(path: Int, headers: HTTPFields, length: Int, bodyLength: Int) {
        self.path = path
        self.headers = headers
        self.length = length
        self.bodyLength = bodyLength
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer,
        _ source: DirectSource
    ) -> PlainPostHead? {
        var cursor = Cursor(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(mostBytes)))
        guard cursor.take("POST "),
            let path = source.paths.firstIndex(where: { cursor.take(path: $0) }),
            cursor.take(" HTTP/1.1\r\n")
        else { return nil }
        var headers = none
        var hasHost = false
        var bodyLength: Int?
        while !cursor.take("\r\n") {
            guard let (name, value) = cursor.line() else { return nil }
            switch Known.allCases.first(where: { name.equals($0.name) }) {
            case .host:
                guard !hasHost, isHost(value) else { return nil }
                hasHost = true
            case .contentLength:
                guard bodyLength == nil, let length = number(value), length <= source.mostBytes
                else { return nil }
                bodyLength = length
            case .connection:
                guard value.equals("keep-alive") else { return nil }
            case .transferEncoding, .expect, .upgrade, .origin, .trailer: return nil
            case nil:
                for kept in source.kept where name.equals(kept.canonicalName) {
                    headers.append(
                        HTTPField(name: kept, value: String(decoding: value, as: UTF8.self))
                    )
                }
            }
        }
        guard hasHost, let bodyLength else { return nil }
        return PlainPostHead(
            path: path,
            headers: headers,
            length: cursor.position,
            bodyLength: bodyLength
        )
    }

    /// A host with or without a port, an address too.
    private static func isHost(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: Cursor.isOfName(byte)
                }
            }
    }

    /// A number of at most seven decimal digits.
    private static func number(_ text: UnsafeRawBufferPointer) -> Int? {
        guard (1...7).contains(text.count) else { return nil }
        var number = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }
}

private struct Cursor {
    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count,
            (0..<count).allSatisfy({ bytes[position + $0] == text.utf8Start[$0] })
        else { return false }
        position += count
        return true
    }

    /// Takes a path that ends with a space, which stays.
    mutating func take(path: String) -> Bool {
        let path = path.utf8
        guard bytes.count - position > path.count,
            bytes[position + path.count] == UInt8(ascii: " "),
            path.elementsEqual(bytes[position..<position + path.count])
        else { return false }
        position += path.count
        return true
    }

    /// Takes a header line: its name, and its value without the spaces around it.
    mutating func line() -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        let start = position
        var colon = start
        while colon < bytes.count, Self.isOfName(bytes[colon]) { colon += 1 }
        guard colon > start, colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else {
            return nil
        }
        var end = colon + 1
        while end < bytes.count, (0x20...0x7E).contains(bytes[end]) { end += 1 }
        guard end + 1 < bytes.count, bytes[end] == 0x0D, bytes[end + 1] == 0x0A else { return nil }
        position = end + 2
        var value = bytes[colon + 1..<end]
        while value.first == 0x20 { value.removeFirst() }
        while value.last == 0x20 { value.removeLast() }
        return (
            UnsafeRawBufferPointer(rebasing: bytes[start..<colon]),
            UnsafeRawBufferPointer(rebasing: value)
        )
    }

    static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The same text without regard to the case of letters.
    ///
    /// - Parameter text: lower-case letters and hyphens.
    fileprivate func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return indices.allSatisfy { self[$0] | 0x20 == text.utf8Start[$0] }
    }

    fileprivate func equals(_ text: String) -> Bool {
        guard count == text.utf8.count else { return false }
        return zip(self, text.utf8).allSatisfy { $0 | 0x20 == $1 }
    }
}
