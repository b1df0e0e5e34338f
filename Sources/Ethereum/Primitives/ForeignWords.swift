/// Words that others wrote (a contract, a node, a relay, a web page), in the form in which sentences
/// and screens hold them.
///
/// They stand in quotes, and a quote inside is escaped, so that it is seen where they end: a screen
/// puts a margin before each line that begins inside of a quote.
package enum ForeignWords {
    /// A text in quotes, as it is: what is not seen, or seen as something else, stands as its number.
    ///
    /// Example: the quoted form of `a"b` is `"a\"b"`.
    ///
    /// - Parameter limit: the most characters between the quotes; `…` behind them marks a cut.
    package static func quoted(_ text: String, limit: Int = .max) -> String {
        var result = "\""
        var marks = 0
        var length = 0
        for scalar in text.unicodeScalars {
            let isMark = isMark(scalar)
            marks = isMark ? marks + 1 : 0
            let piece =
                if scalar == "\"" || scalar == "\\" {
                    "\\" + String(scalar)
                } else if isSeen(scalar), marks <= maximumMarks {
                    String(scalar)
                } else {
                    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            length += piece.unicodeScalars.count
            guard length <= limit else { return result + "\"…" }
            result += piece
        }
        return result + "\""
    }

    /// A name that others chose, such as a token's symbol: as it is if it is one plain word, else in
    /// quotes.
    ///
    /// Example: `USDT` stays, and `Signed: yes` gets quotes.
    package static func name(_ name: String, limit: Int = 40) -> String {
        let scalars = name.unicodeScalars
        let isPlain =
            !scalars.isEmpty && scalars.count <= limit && scalars.allSatisfy { isPartOfName($0) }
        return isPlain ? name : quoted(name, limit: limit)
    }

    /// The characters of a text that are not seen, each once: `U+202E RIGHT-TO-LEFT OVERRIDE`.
    package static func hidden(in text: String) -> [String] {
        var seen: Set<Unicode.Scalar> = []
        return text.unicodeScalars.compactMap { scalar in
            guard !isSeen(scalar), seen.insert(scalar).inserted else { return nil }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let name = scalar.properties.name ?? controls[scalar.value]
            return name.map { "\(number) \($0)" } ?? number
        }
    }

    /// Control characters have no names in Unicode, only aliases: those that terminals act on.
    private static let controls: [UInt32: String] = [
        0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x09: "TAB", 0x0A: "LINE FEED",
        0x0B: "LINE TABULATION", 0x0C: "FORM FEED", 0x0D: "CARRIAGE RETURN", 0x1B: "ESCAPE",
        0x7F: "DELETE", 0x85: "NEXT LINE", 0x9B: "CONTROL SEQUENCE INTRODUCER",
        0x9D: "OPERATING SYSTEM COMMAND",
    ]

    /// Accents of one letter; more of them are painted over the lines above and below.
    private static let maximumMarks = 2

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// It is a space, or a sign that is seen where it stands.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        if blanks.contains(scalar.value) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator, .spaceSeparator:
            return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// A letter, a digit, a sign of a currency or one of `.$+_-…`: none of them ends a word.
    ///
    /// A token without a symbol has its shortened address for one: `0x12…34`.
    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
                || ".$+_-".unicodeScalars.contains(scalar)
        }
        guard isSeen(scalar) else { return false }
        if scalar == "…" { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .currencySymbol:
            return true
        default: return false
        }
    }

    /// Letters and signs that have no picture: the blank of braille.
    private static let blanks: Set<UInt32> = [0x2800, 0x1D159]
}
