/// Makes external text (token names, relay reasons, revert strings) safe for a terminal.
package enum PlainText {
    /// The text without terminal commands and without characters that reorder text.
    ///
    /// It drops control characters (escape sequences as a whole), bidirectional overrides,
    /// invisible format characters, line and paragraph separators, private use and unassigned ones.
    /// Line breaks and tabs become one space, so one text never makes two lines.
    ///
    /// - Parameter limit: the most characters that are kept.
    package static func clean(_ text: String, limit: Int = 2_000) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return text
        }
        var result = String.UnicodeScalarView()
        var count = 0
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next, count < limit {
            next = scalars.next()
            if scalar == "\u{1B}" || scalar == "\u{9B}" {
                skipSequence(after: scalar, next: &next, in: &scalars)
                continue
            }
            let isBreak = scalar == "\n" || scalar == "\t" || scalar == "\r"
            guard isBreak ? result.last != " " : isShown(scalar) else { continue }
            result.append(isBreak ? " " : scalar)
            count += 1
        }
        return String(result)
    }

    /// The same, ended by a full stop if it has no end: for external texts that end our sentence.
    package static func sentence(_ text: String, limit: Int = 2_000) -> String {
        var line = clean(text, limit: limit)
        while line.last == " " { line.removeLast() }
        guard let last = line.last else { return line }
        return ".!?".contains(last) ? line : line + "."
    }

    /// Skips an escape sequence (ECMA-48: CSI, and OSC and similar up to the terminator).
    ///
    /// Otherwise `[31m` would remain.
    private static func skipSequence(
        after introducer: Unicode.Scalar,
        next: inout Unicode.Scalar?,
        in scalars: inout String.UnicodeScalarView.Iterator
    ) {
        if introducer == "\u{9B}" || next == "[" {
            if introducer == "\u{1B}" { next = scalars.next() }
            while let scalar = next, (0x20...0x3F).contains(scalar.value) {
                next = scalars.next()
            }
            if let scalar = next, (0x40...0x7E).contains(scalar.value) { next = scalars.next() }
        } else if let kind = next, "]PX^_".unicodeScalars.contains(kind) {
            while let scalar = next, scalar != "\u{07}", scalar != "\u{1B}", scalar != "\u{9C}" {
                next = scalars.next()
            }
            if next == "\u{1B}" {
                next = scalars.next()
                if next == "\\" { next = scalars.next() }
            } else if next != nil {
                next = scalars.next()
            }
        } else if let scalar = next, (0x30...0x7E).contains(scalar.value) {
            next = scalars.next()
        }
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        default: true
        }
    }
}
