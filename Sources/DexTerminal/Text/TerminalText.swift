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

    /// The text broken at spaces into lines that fit.
    ///
    /// A longer word gets its own line uncut, since half an address is useless. Where it is no
    /// plain word, such as one of no-break spaces, it is cut: else the terminal would do that, and
    /// its second half would look like a line of its own.
    package static func wrap(_ text: String, width limit: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ").flatMap({ pieces($0, width: limit) }) {
                if line.isEmpty {
                    line = String(word)
                } else if width(of: line) + 1 + width(of: String(word)) <= limit {
                    line += " " + word
                } else {
                    lines.append(line)
                    line = String(word)
                }
            }
            lines.append(line)
        }
        return lines
    }

    /// A word that fits, or is plain, as it is; else in pieces that fit.
    private static func pieces(_ word: Substring, width limit: Int) -> [Substring] {
        guard limit > 1, width(of: String(word)) > limit,
            !word.utf8.allSatisfy({ $0 < 0x80 })
        else { return [word] }
        var pieces: [Substring] = []
        var start = word.startIndex
        var used = 0
        for index in word.unicodeScalars.indices {
            let columns = width(of: word.unicodeScalars[index])
            if used + columns > limit {
                pieces.append(word[start..<index])
                (start, used) = (index, 0)
            }
            used += columns
        }
        return pieces + [word[start...]]
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
