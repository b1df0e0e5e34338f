import Ethereum

/// A message (EIP-191) as it is shown before it is signed.
package struct MessageState: Sendable {
    /// Name and address of the signer.
    package let account: String
    /// The application that asks for it, such as `https://app.example`; nil for the user.
    package let origin: String?
    /// The number of bytes that are signed.
    package let size: Int
    /// The text without what a terminal acts on, or its bytes in hexadecimal where it is no text;
    /// of a long one of the user's own the start.
    package let lines: [String]
    package let warnings: [String]
    /// It is not shown whole.
    package let isCut: Bool

    /// What is shown of a text: Unicode scalars and lines.
    static let maximumScalars = 20_000
    static let maximumLines = 1_000
    /// What is shown of bytes that are no text.
    static let maximumBytes = 10_000

    package init(_ message: [UInt8], account: String, origin: String?) {
        self.account = account
        self.origin = origin
        size = message.count
        guard let text = String(validating: message, as: UTF8.self) else {
            let shown = message.prefix(Self.maximumBytes)
            lines = [Hex.encode(shown)]
            isCut = shown.count < message.count
            warnings  // Where it is taken for a text all the same, it may be a login.
            =
                Self.login(String(decoding: message, as: UTF8.self), at: origin)
                + ["It is no text: its bytes are shown in hexadecimal, and may mean anything."]
                + Self.cut(message.count - shown.count)
            return
        }
        let whole = Self.lines(of: text)
        var left = Self.maximumScalars
        var shown: [Substring.UnicodeScalarView] = []
        for line in whole.prefix(Self.maximumLines) where left > 0 {
            shown.append(line.prefix(left))
            // A line end counts too.
            left -= min(left, line.count + 1)
        }
        lines = shown.map { PlainText.clean(Self.line($0), limit: .max) }
        var warnings = Self.login(text, at: origin)
        let hidden = Self.hidden(in: text)
        if !hidden.isEmpty {
            let rest = hidden.count - Self.maximumNames
            warnings.append(
                "It has control characters or invisible ones: they are signed, and not shown: "
                    + hidden.prefix(Self.maximumNames).joined(separator: ", ")
                    + (rest > 0 ? " and \(rest) more." : ".")
            )
        }
        let ends = max(0, shown.count - 1)
        let bytes = shown.reduce(ends) { $0 + Substring($1).utf8.count }
        isCut = bytes < message.count
        self.warnings = warnings + Self.cut(message.count - bytes)
    }

    /// Checks that the text of an application is shown whole.
    ///
    /// - Throws: `DexError`, exit 6, `too-long-to-show`.
    package func checkShown() throws(DexError) {
        guard origin != nil, isCut else { return }
        throw CallError.tooLongToShow(what: "bytes", count: size, maximum: Self.maximumBytes)
    }

    private static let maximumNames = 12

    private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        // By scalars: a return and a line feed are one character.
        Substring(text).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// A line as it is shown: tabs as spaces, and without the return of a line end.
    private static func line(_ scalars: Substring.UnicodeScalarView) -> String {
        var line = String.UnicodeScalarView(scalars.map { $0 == "\t" ? " " : $0 })
        if line.last == "\r" { line.removeLast() }
        return String(line)
    }

    /// What is not shown, by its names; line ends and tabs are.
    private static func hidden(in text: String) -> [String] {
        var names: [String] = []
        for part in lines(of: text) {
            let line = line(part)
            let isShown = line.unicodeScalars.elementsEqual(
                PlainText.clean(line, limit: .max).unicodeScalars
            )
            guard !isShown else { continue }
            for name in PlainText.hidden(in: line) where !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    private static func cut(_ bytes: Int) -> [String] {
        guard bytes > 0 else { return [] }
        let what = bytes == 1 ? "byte is" : "bytes are"
        return ["Only its start is shown: \(bytes) more \(what) signed."]
    }

    /// A login at another place than the page that asks: the page could use it there.
    ///
    /// It is looked for in every line, in any case, and with any spaces and line ends: a place that
    /// reads it less strictly than the standard takes it too.
    ///
    /// Source: EIP-4361, "Verifying Domain Binding".
    private static func login(_ text: String, at origin: String?) -> [String] {
        guard let origin, let page = origin.firstRange(of: "://").map({ origin[$0.upperBound...] })
        else { return [] }
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: true) { scalar in
            scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
                || ["\n", "\r", "\u{0B}", "\u{0C}", "\u{85}"].contains(scalar)
        }
        for scalars in lines {
            let words = PlainText.clean(
                String(String.UnicodeScalarView(scalars)),
                limit: .max
            )
            .split(whereSeparator: \.isWhitespace)
            let line = words.joined(separator: " ").lowercased()
            guard let end = line.firstRange(of: "wants you to sign in with your"),
                line[end.upperBound...].contains("account")
            else { continue }
            var place = line[..<end.lowerBound]
            while place.last == " " { place.removeLast() }
            if let scheme = place.firstRange(of: "://") { place = place[scheme.upperBound...] }
            guard place != page.lowercased() else { continue }
            return [
                "IT IS A LOGIN AT \(PlainText.clean(String(place), limit: 100)), AND \(origin) ASKS "
                    + "FOR IT: with this signature it can log in there as you."
            ]
        }
        return []
    }
}
