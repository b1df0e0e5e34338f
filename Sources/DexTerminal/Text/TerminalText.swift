import DexCore

/// Makes external text (token names, relay reasons, revert strings) safe for a terminal.
package enum TerminalText {
    /// The text without terminal commands and without characters that reorder text.
    ///
    /// It drops control characters (escape sequences as a whole), bidirectional overrides,
    /// invisible format characters, line and paragraph separators, private use and unassigned ones.
    /// A line break or tab becomes one space, so one text never makes two lines.
    package static func clean(_ text: String) -> String {
        PlainText.clean(text, limit: .max)
    }

    /// As `clean`, but line breaks stay: for our own text of several lines.
    package static func cleanLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { clean(String($0)) }
            .joined(separator: "\n")
    }

    /// The columns of a text: 2 for wide East Asian characters and emoji, 0 for combining marks,
    /// else 1.
    package static func width(of text: String) -> Int {
        let bytes = text.utf8
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
        return text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    package static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        // Latin; lines, blocks and braille, of which screens have many.
        case ..<0x300, 0x2500...0x259F, 0x2800...0x28FF: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        let isWide = wideRanges.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }

    /// The start of a text that fits; `…` marks a cut.
    package static func truncate(_ text: String, to limit: Int) -> String {
        guard width(of: text) > limit else { return text }
        guard limit > 0 else { return "" }
        var result = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            let columns = width(of: scalar)
            guard used + columns <= limit - 1 else { break }
            result.append(scalar)
            used += columns
        }
        return String(result) + "…"
    }

    /// Stands before each line that begins inside of a quote, whose words others wrote.
    package static let margin = "  | "

    /// The text broken at spaces into lines that fit.
    ///
    /// A longer word that is a number, an address, a path or a URL gets its own line uncut, since
    /// half of it is useless. Any other one is cut: else the terminal would do that, and its second
    /// half would look like a line of its own. Inside of quotes every word is cut, and a line that
    /// begins there has a margin: the words of others never look like a line of this program.
    package static func wrap(_ text: String, width limit: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { paragraph -> [String] in
                var lines = Paragraph(width: limit)
                return lines.broken(paragraph)
            }
    }

    /// The text with long lines broken between words; an indented one keeps its indentation.
    ///
    /// An indented command stays whole: a part of it must not run.
    package static func flow(_ text: String, width limit: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let words = line.drop { $0 == " " }
            guard width(of: String(line)) > limit, !(words != line && words.hasPrefix("dex "))
            else {
                return [String(line)]
            }
            let indent = String(repeating: " ", count: min(line.count - words.count, limit / 2))
            return wrap(String(words), width: limit - indent.utf8.count).map { indent + $0 }
        }
    }

    /// The lines of one paragraph while they are made.
    private struct Paragraph {
        let width: Int
        private var lines: [String] = []
        private var line = ""
        /// The line has a word, be it one without a letter.
        private var isBegun = false
        /// Inside of a quote: an odd number of quotation marks came before.
        private var isQuoted = false

        init(width: Int) { self.width = width }

        mutating func broken(_ text: Substring) -> [String] {
            for word in text.split(separator: " ") { add(word) }
            return lines + [line]
        }

        private mutating func add(_ word: Substring) {
            if isBegun {
                let needed = 1 + TerminalText.width(of: String(word))
                guard TerminalText.width(of: line) + needed > width else {
                    line += " " + word
                    isQuoted = isQuoted != Self.changesQuote(word)
                    return
                }
                begin()
            }
            isBegun = true
            let isForeign = isQuoted || word.contains("\"")
            if isForeign || !TerminalText.isWhole(word) { return cut(word) }
            line += word
        }

        /// Adds a word letter by letter, and begins lines as it has to.
        private mutating func cut(_ word: Substring) {
            var isEscaped = false
            var used = TerminalText.width(of: line)
            var hasPart = false
            for scalar in word.unicodeScalars {
                let columns = TerminalText.width(of: scalar)
                if hasPart, used + columns > width {
                    begin()
                    used = TerminalText.width(of: line)
                }
                line.unicodeScalars.append(scalar)
                used += columns
                hasPart = true
                if scalar == "\"", !isEscaped { isQuoted.toggle() }
                isEscaped = scalar == "\\" && !isEscaped
            }
        }

        private mutating func begin() {
            lines.append(line)
            line = isQuoted && width > 2 * TerminalText.margin.utf8.count ? TerminalText.margin : ""
        }

        /// The word opens a quote that it does not close, or closes one; `\"` does neither.
        private static func changesQuote(_ word: Substring) -> Bool {
            var isEscaped = false
            var isOdd = false
            for byte in word.utf8 {
                if byte == UInt8(ascii: "\""), !isEscaped { isOdd.toggle() }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return isOdd
        }
    }

    /// It holds a number, a hash, an address, a path or a URL, perhaps in quotes or brackets.
    private static func isWhole(_ word: Substring) -> Bool {
        let edges = "\"'`()[]<>,.;:!?"
        let inner = word.drop { edges.contains($0) }
        let isPlain = inner.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, let first = inner.utf8.first else { return false }
        if inner.utf8.contains(UInt8(ascii: "/")) { return true }
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        return isDigit
            && inner.allSatisfy { $0.isHexDigit || $0 == "x" || edges.contains($0) || $0 == "…" }
    }

    /// Source: https://www.unicode.org/Public/UCD/latest/ucd/EastAsianWidth.txt (W and F), merged.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x25FD...0x25FE,
        0x2614...0x2615, 0x2648...0x2653, 0x26A1...0x26A1, 0x2E80...0x303E, 0x3041...0x33FF,
        0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
        0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
