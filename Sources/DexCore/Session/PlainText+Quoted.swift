extension PlainText {
    /// A text of others in quotes, as it is: what is not seen, or seen as something else, stands as
    /// its number.
    ///
    /// Example: the quoted form of `a"b` is `"a\"b"`.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        var marks = 0
        for scalar in text.unicodeScalars {
            let isMark = isMark(scalar)
            marks = isMark ? marks + 1 : 0
            if scalar == "\"" || scalar == "\\" {
                result += "\\" + String(scalar)
            } else if isSeen(scalar), marks <= mostMarks {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result + "\""
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
    private static let mostMarks = 2

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

    /// Letters and signs that have no picture: the blank of braille.
    private static let blanks: Set<UInt32> = [0x2800, 0x1D159]
}
