/// Text in mdoc, the language of manual pages.
///
/// Each sentence starts a line, and no line of text is longer than 78 characters: `mandoc -Tlint`
/// asks for both.
struct ManualText {
    private(set) var lines: [String] = []

    private static let width = 78

    /// A macro with arguments that are escaped already, such as `.Sh NAME`.
    mutating func macro(_ name: String, _ arguments: String...) {
        lines.append("." + ([name] + arguments).joined(separator: " "))
    }

    /// Paragraphs, with an empty line between two.
    mutating func paragraphs(_ text: String) {
        let all = text.split(separator: "\n").map(String.init)
        for (index, paragraph) in all.enumerated() {
            if index > 0 { macro("Pp") }
            sentences(paragraph)
        }
    }

    /// A paragraph, a line for each sentence.
    mutating func sentences(_ text: String) {
        var sentence = ""
        for word in text.split(separator: " ") {
            if let last = sentence.last, ".!?".contains(last),
                word.first.map({ $0.isUppercase || $0.isNumber || $0 == "-" }) ?? false
            {
                add(sentence)
                sentence = ""
            }
            sentence += (sentence.isEmpty ? "" : " ") + word
        }
        add(sentence)
    }

    private mutating func add(_ sentence: String) {
        guard !sentence.isEmpty else { return }
        lines += TerminalText.wrap(sentence, width: Self.width).map(Self.escaped)
    }

    /// A line of text, which is neither a macro nor has an escape of its own.
    static func escaped(_ text: String) -> String {
        // Two hyphens alone are taken for a dash.
        let plain = text.replacing("\\", with: "\\e")
            .replacing(/(^| )--($| )/) { "\($0.output.1)\\-\\-\($0.output.2)" }
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    /// Words as arguments of a macro, of which none is taken for a macro or for punctuation.
    static func argument(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let plain = word.replacing("\\", with: "\\e").replacing("\"", with: "\\(dq")
            let isMacro = plain.wholeMatch(of: /[A-Z%][A-Za-z0-9]{1,2}/) != nil
            let isPunctuation = plain.wholeMatch(of: /[.,:;()\[\]|?!]/) != nil
            return isMacro || isPunctuation ? "\\&" + plain : plain
        }.joined(separator: " ")
    }
}
