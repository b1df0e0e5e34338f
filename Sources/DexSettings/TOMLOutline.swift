/// The positions of the keys of a TOML text.
///
/// They allow changing one value while everything else, including comments, stays as written, and
/// naming lines in messages. They are correct for text that TOMLKit accepts, and for any text up to
/// its first mistake. After an edit the caller lets TOMLKit read the result: an unrecognised
/// construct leads to a refusal, not to a wrong file.
package struct TOMLOutline {
    package struct Entry {
        /// The tables and the key.
        package let path: [String]
        /// From 1.
        package let line: Int
        /// The bytes of the value.
        package let value: Range<Int>
    }

    package struct Header {
        package let path: [String]
        package let line: Int
        /// The byte after the header's line and its entries.
        package var end: Int
    }

    /// Text that makes TOMLKit's parser end the program.
    package struct Trap {
        /// The first byte of its line.
        let start: Int
        let line: Int
        /// The problem, in words for a message.
        let reason: String
    }

    /// The maximum parts of a dotted key; TOMLKit nests a table for each.
    static let maximumParts = 64

    /// The first such text.
    private(set) var trap: Trap?
    package private(set) var entries: [Entry] = []
    package private(set) var headers: [Header] = []
    /// The byte after the last entry above the first header.
    private(set) var endOfTop = 0
    /// The byte after a byte order mark, else 0.
    let start: Int
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    package init(_ text: String) {
        bytes = Array(text.utf8)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        position = start
        endOfTop = start
        scan()
    }

    /// The line of a key or of the table at this path.
    package func line(of path: [String]) -> Int? {
        entries.first { $0.path == path }?.line
            ?? headers.first { $0.path == path }?.line
            ?? entries.first { $0.path.starts(with: path) }?.line
    }

    /// The value of a key as typed; nil if the key is in an inline table.
    package func literal(of path: [String]) -> String? {
        entries.last { $0.path == path }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// The digits of a number with a point, from the text: the parser's floating point may round.
    ///
    /// - Parameter parsed: the parser's value.
    /// - Returns: nil if the text is not such a number, or is in an inline table.
    package func decimal(of path: [String], parsed: Double?) -> String? {
        guard let parsed, let digits = literal(of: path)?.filter({ $0 != "_" }),
            Double(digits) == parsed
        else { return nil }
        return String(digits.hasPrefix("+") ? digits.dropFirst() : digits[...])
    }

    private mutating func scan() {
        while position < bytes.count {
            skipBlank()
            guard position < bytes.count else { return }
            switch bytes[position] {
            case UInt8(ascii: "\n"): next()
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "["): header()
            default: entry()
            }
        }
    }

    private mutating func next() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func skipBlank() {
        while position < bytes.count, [0x20, 0x09, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }

    /// Moves past the line's end.
    private mutating func skipLine() {
        while position < bytes.count {
            let isEnd = bytes[position] == UInt8(ascii: "\n")
            next()
            if isEnd { return }
        }
    }

    private mutating func header() {
        let start = line
        let place = position
        position += 1
        if position < bytes.count, bytes[position] == UInt8(ascii: "[") { position += 1 }
        while position < bytes.count, [0x20, 0x09].contains(bytes[position]) { position += 1 }
        if position == bytes.count || !Self.startsKey(bytes[position]) {
            noteTrap(place, start, "a table's name is expected behind [")
        }
        let path = keys(until: UInt8(ascii: "]"))
        if path.count > Self.maximumParts { noteTrap(place, start, Self.tooManyParts) }
        skipLine()
        headers.append(Header(path: path, line: start, end: position))
    }

    private static let tooManyParts = "a key has more than \(maximumParts) parts"

    private mutating func noteTrap(_ place: Int, _ line: Int, _ reason: String) {
        guard trap == nil else { return }
        let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        trap = Trap(start: start, line: line, reason: reason)
    }

    /// A bare key or a quote.
    private static func startsKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "\""), UInt8(ascii: "'"):
            true
        default: false
        }
    }

    private mutating func entry() {
        let start = line
        let place = position
        let path = keys(until: UInt8(ascii: "="))
        if path.count > Self.maximumParts { noteTrap(place, start, Self.tooManyParts) }
        position = min(position + 1, bytes.count)
        skipBlank()
        let value = self.value()
        entries.append(
            Entry(path: (headers.last?.path ?? []) + path, line: start, value: value)
        )
        skipLine()
        if headers.isEmpty {
            endOfTop = position
        } else {
            headers[headers.count - 1].end = position
        }
    }

    /// Dotted keys, bare or quoted, up to a delimiter, where it stops.
    private mutating func keys(until delimiter: UInt8) -> [String] {
        var path: [String] = []
        var key: [UInt8] = []
        while position < bytes.count, bytes[position] != delimiter,
            bytes[position] != UInt8(ascii: "\n")
        {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "."):
                path.append(String(decoding: key, as: UTF8.self))
                key = []
                position += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let range = string(byte)
                key.append(contentsOf: bytes[range].dropFirst().dropLast())
            case 0x20, 0x09: position += 1
            default:
                key.append(byte)
                position += 1
            }
        }
        path.append(String(decoding: key, as: UTF8.self))
        return path
    }

    /// The range of a value; moves past it.
    private mutating func value() -> Range<Int> {
        let start = position
        // The open brackets, the innermost last.
        var open: [UInt8] = []
        var end = position
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): end = string(byte).upperBound
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open.append(byte)
                position += 1
                end = position
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if byte == UInt8(ascii: "}"), open.last == UInt8(ascii: "[") {
                    noteTrap(start, line, "a value or ] is expected, not }")
                }
                _ = open.popLast()
                position += 1
                end = position
            case UInt8(ascii: "#"):
                if open.isEmpty { return start..<end }
                skipLine()
            case UInt8(ascii: "\n"):
                if open.isEmpty { return start..<end }
                next()
            case 0x20, 0x09, 0x0D: position += 1
            default:
                position += 1
                end = position
            }
        }
        return start..<end
    }

    /// The range of a string with its quotes, on one line or, after three quotes, on several.
    private mutating func string(_ quote: UInt8) -> Range<Int> {
        let start = position
        let isLong = bytes[position...].prefix(3).elementsEqual([quote, quote, quote])
        position += isLong ? 3 : 1
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position += 1
                if position < bytes.count { next() }
            } else if bytes[position] == quote {
                guard isLong else {
                    position += 1
                    return start..<position
                }
                if bytes[position...].prefix(3).elementsEqual([quote, quote, quote]) {
                    position += 3
                    // Up to two quotes may precede the closing three.
                    while position < bytes.count, bytes[position] == quote { position += 1 }
                    return start..<position
                }
                position += 1
            } else {
                next()
            }
        }
        return start..<position
    }
}
