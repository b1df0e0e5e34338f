/// A table as RFC 4180 has it: a header, then a line for each row.
package struct CSV: Sendable {
    let header: [String]
    let rows: [[String]]

    /// Each line ends in CR; printing adds LF, as the standard requires.
    package var lines: [String] {
        ([header] + rows).map { $0.map { Self.quoted($0) }.joined(separator: ",") + "\r" }
    }

    /// An external text, which must not be a formula in a spreadsheet.
    static func text(_ external: String) -> String {
        let clean = TerminalText.clean(external)
        return clean.first.map { "=+-@".contains($0) } ?? false ? "'" + clean : clean
    }

    /// Source: RFC 4180, section 2.
    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return field
        }
        return "\""
            + field.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
