import DexCore

/// A sentence of `dex` for a model: the words of others in it stand last, in quotes.
///
/// Sentences have such words in quotes already (`PlainText.quoted`), with every quote inside escaped.
/// One that is a plain word, such as a symbol, stays where it is.
package struct FencedSentence {
    package let text: String

    package init(_ sentence: String, _ machine: MachineText) {
        let parts = Self.parts(PlainText.clean(machine.without(sentence)))
        let foreign = parts.filter(\.isForeign)
        let isLast =
            foreign.count == 1
            && parts.drop { !$0.isForeign }.dropFirst().allSatisfy { part in
                part.text.allSatisfy { ".) ".contains($0) }
            }
        guard foreign.count > 0, !isLast else {
            text = parts.map(\.shown).joined()
            return
        }
        var count = 0
        let body = parts.map { part in
            guard part.isForeign else { return part.shown }
            count += 1
            return "[\(count)]"
        }
        let notes = foreign.enumerated().map { " [\($0 + 1)] \($1.shown)" }
        text = body.joined() + notes.joined()
    }

    private struct Part {
        /// With its quotes, if it has some.
        var text: String
        var isForeign = false
        /// More followed between the quotes, as `…` behind them says.
        var isCut = false

        /// Words of others are cut.
        var shown: String {
            guard isForeign else { return isCut ? text + "…" : text }
            let words = text.dropFirst().dropLast()
            guard words.unicodeScalars.count > Fence.maximum else {
                return isCut ? text + "…" : text
            }
            var cut = String(String.UnicodeScalarView(words.unicodeScalars.prefix(Fence.maximum)))
            // Half of an escape would hide the end of the quote.
            while cut.hasSuffix("\\") { cut.removeLast() }
            return "\"\(cut)\"…"
        }
    }

    private static func parts(_ sentence: String) -> [Part] {
        var parts: [Part] = []
        var part = ""
        var isQuoted = false
        var isEscaped = false
        for character in sentence {
            if character == "…", part.isEmpty, parts.last?.text.hasSuffix("\"") == true {
                parts[parts.count - 1].isCut = true
            } else if character == "\"", !isEscaped {
                if isQuoted {
                    let text = part + "\""
                    parts.append(Part(text: text, isForeign: !isWord(text)))
                    part = ""
                } else {
                    parts.append(Part(text: part))
                    part = "\""
                }
                isQuoted.toggle()
            } else {
                part.append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        // A quote that does not end: all of the rest is in it.
        parts.append(Part(text: isQuoted ? part + "\"" : part, isForeign: isQuoted))
        return parts.filter { !$0.text.isEmpty }
    }

    /// A symbol, a number, a name of an argument: too short to say anything.
    private static func isWord(_ quote: String) -> Bool {
        let word = quote.dropFirst().dropLast()
        return word.utf8.count <= 40
            && word.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.isASCII
                    && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
                        || "/._-+%@$".utf8.contains(byte))
            }
    }
}
