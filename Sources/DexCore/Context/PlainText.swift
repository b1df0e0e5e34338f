/// Makes text from outside harmless for a terminal.
package enum PlainText {
    /// The text without control, format and bidirectional characters, at most `limit` characters
    /// long; line feeds stay.
    package static func clean(_ text: String, limit: Int = 2_000) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { break }
            guard isHarmless(scalar) else { continue }
            scalars.append(scalar)
            count += 1
        }
        return String(scalars)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            return false
        default: return true
        }
    }
}
