import Ethereum

/// A message (EIP-191) as it is shown before it is signed.
package struct MessageState: Sendable {
    /// Name and address of the signer.
    package let account: String
    /// The application that asks for it, such as `https://app.example`; nil for the user.
    package let origin: String?
    /// The number of bytes that are signed.
    package let size: Int
    /// The start of the text without what a terminal acts on, or the start of its bytes in
    /// hexadecimal where it is no text.
    package let lines: [String]
    package let warnings: [String]

    /// What is shown of a text: Unicode scalars and lines.
    private static let mostScalars = 2_000
    private static let mostLines = 40
    /// What is shown of bytes that are no text.
    private static let mostBytes = 1_000

    package init(_ message: [UInt8], account: String, origin: String?) {
        self.account = account
        self.origin = origin
        size = message.count
        guard let text = String(validating: message, as: UTF8.self) else {
            let shown = message.prefix(Self.mostBytes)
            lines = [Hex.encode(shown)]
            warnings =
                ["It is no text: its bytes are shown in hexadecimal, and may mean anything."]
                + Self.cut(message.count - shown.count)
            return
        }
        let whole = text.unicodeScalars.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        var left = Self.mostScalars
        var shown: [Substring.UnicodeScalarView] = []
        for line in whole.prefix(Self.mostLines) where left > 0 {
            shown.append(line.prefix(left))
            // A line end counts too.
            left -= min(left, line.count + 1)
        }
        lines = shown.map { PlainText.clean(Self.line($0), limit: .max) }
        var warnings = Self.login(text, at: origin)
        if whole.contains(where: { Self.isHidden(Self.line($0)) }) {
            warnings.append(
                "It has control characters or invisible ones: they are signed, and not shown."
            )
        }
        let ends = max(0, shown.count - 1)
        let bytes = shown.reduce(ends) { $0 + Substring($1).utf8.count }
        self.warnings = warnings + Self.cut(message.count - bytes)
    }

    /// A line as it is shown: tabs as spaces, and without the return of a line end.
    private static func line(_ scalars: Substring.UnicodeScalarView) -> String {
        var line = String.UnicodeScalarView(scalars.map { $0 == "\t" ? " " : $0 })
        if line.last == "\r" { line.removeLast() }
        return String(line)
    }

    /// Whether a line has anything that is not shown.
    private static func isHidden(_ line: String) -> Bool {
        !line.unicodeScalars.elementsEqual(PlainText.clean(line, limit: .max).unicodeScalars)
    }

    private static func cut(_ bytes: Int) -> [String] {
        guard bytes > 0 else { return [] }
        let what = bytes == 1 ? "byte is" : "bytes are"
        return ["Only its start is shown: \(bytes) more \(what) signed."]
    }

    /// A login at another place than the page that asks: the page could use it there.
    ///
    /// Source: EIP-4361, "Verifying Domain Binding".
    private static func login(_ text: String, at origin: String?) -> [String] {
        let end = " wants you to sign in with your Ethereum account:"
        guard let head = text.split(separator: "\n", maxSplits: 1).first, head.hasSuffix(end),
            let origin, let page = origin.firstRange(of: "://").map({ origin[$0.upperBound...] })
        else { return [] }
        var place = head.dropLast(end.count)
        if let scheme = place.firstRange(of: "://") { place = place[scheme.upperBound...] }
        guard place.lowercased() != page.lowercased() else { return [] }
        return [
            "IT IS A LOGIN AT \(PlainText.clean(String(place), limit: 100)), AND \(origin) ASKS "
                + "FOR IT: with this signature it can log in there as you."
        ]
    }
}
