/// Changes of single values of a TOML text; everything else, with its comments, stays as written.
///
/// The caller reads the result back: a construct that the outline does not know leads to a refusal,
/// not to a wrong file.
package enum TOMLEdit {
    /// The text with a key's value, in its table, which is added if there is none.
    ///
    /// - Parameter literal: the value as TOML.
    package static func setting(
        _ path: [String],
        to literal: String,
        in text: String
    ) -> String {
        let outline = TOMLOutline(text)
        var bytes = Array(text.utf8)
        let line = "\(key(path.last ?? "")) = \(literal)\n"
        if let entry = outline.entries.last(where: { $0.path == path }) {
            bytes.replaceSubrange(entry.value, with: literal.utf8)
            return String(decoding: bytes, as: UTF8.self)
        }
        let parent = Array(path.dropLast())
        let place: Int
        var addition = line
        if parent.isEmpty {
            place = outline.endOfTop
            if place == outline.start, place < bytes.count { addition += "\n" }
        } else if let header = outline.headers.last(where: { $0.path == parent }) {
            place = header.end
        } else {
            place = bytes.count
            let name = parent.map(key).joined(separator: ".")
            addition = (place == outline.start ? "" : "\n") + "[\(name)]\n" + line
        }
        if place > outline.start, bytes[place - 1] != UInt8(ascii: "\n") {
            addition = "\n" + addition
        }
        bytes.insert(contentsOf: addition.utf8, at: place)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without the entries at a path and below it, each with its line's comment.
    ///
    /// Unchanged if there is none. Comments on lines of their own stay.
    package static func removing(entries path: [String], in text: String) -> String {
        let outline = TOMLOutline(text)
        var bytes = Array(text.utf8)
        let newline = UInt8(ascii: "\n")
        for entry in outline.entries.reversed() where entry.path.starts(with: path) {
            let before = bytes[outline.start..<entry.value.lowerBound].lastIndex(of: newline)
            let start = before.map { $0 + 1 } ?? outline.start
            let end = bytes[entry.value.upperBound...].firstIndex(of: newline).map { $0 + 1 }
            bytes.removeSubrange(start..<(end ?? bytes.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text without a table: its header, its entries and the comments between them.
    ///
    /// Unchanged if there is no such table.
    package static func removing(table path: [String], in text: String) -> String {
        let outline = TOMLOutline(text)
        guard let header = outline.headers.last(where: { $0.path == path }) else { return text }
        var bytes = Array(text.utf8)
        var start = 0
        for _ in 1..<header.line {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return text }
            start = end + 1
        }
        // The empty line before it goes with it.
        if start >= 2, bytes[start - 1] == UInt8(ascii: "\n"),
            bytes[start - 2] == UInt8(ascii: "\n")
        {
            start -= 1
        }
        guard start <= header.end, header.end <= bytes.count else { return text }
        bytes.removeSubrange(start..<header.end)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A key as TOML: bare where it may be.
    private static func key(_ text: String) -> String {
        SettingKind.isName(text) ? text : SettingValue.text(text).literal
    }
}
