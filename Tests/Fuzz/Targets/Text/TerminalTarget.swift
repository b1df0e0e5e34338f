import DexCore
import DexTerminal
import StrictJSON

extension FuzzTarget {
    /// Text from outside on its way to a terminal: nothing harmful is left, cleaning twice is
    /// cleaning once, nothing is wider than it may be, and JSON output is plain.
    static let terminal = FuzzTarget(
        "terminal",
        maximumLength: 600,
        seeds: TerminalTarget.seeds
    ) { input in
        var reader = InputReader(input)
        let width = Int(reader.byte() % 90)
        let text = String(decoding: reader.rest(), as: UTF8.self)
        let clean = TerminalText.clean(text)
        try requireHarmless(clean, "a text")
        try requireEqual(TerminalText.clean(clean), clean, "cleaning twice")
        try require(clean.utf8.count <= text.utf8.count, "a clean text is longer")
        let lines = TerminalText.cleanLines(text)
        for line in lines.split(separator: "\n") { try requireHarmless(String(line), "a line") }
        try requireEqual(TerminalText.cleanLines(lines), lines, "cleaning lines twice")
        let limited = PlainText.clean(text, limit: width)
        try require(limited.unicodeScalars.count <= width, "a text is longer than its limit")
        try requireHarmless(PlainText.sentence(text), "a sentence")
        try TerminalTarget.checkWidths(clean, width)
        try TerminalTarget.checkTable(clean, text, width)
        try TerminalTarget.checkJSON(text)
    }
}

private enum TerminalTarget {
    static func checkWidths(_ text: String, _ width: Int) throws {
        let short = TerminalText.truncate(text, to: width)
        try require(TerminalText.width(of: short) <= width, "a cut text is too wide")
        if TerminalText.width(of: text) <= width {
            try requireEqual(short, text, "a text that fits is cut")
        }
        for line in TerminalText.wrap(text, width: width) where line.contains(" ") {
            try require(TerminalText.width(of: line) <= width, "a wrapped line is too wide")
        }
        // A word that is wider than the line goes on in the next one.
        let letters = { (lines: [String]) in lines.joined().filter { $0 != " " } }
        try requireEqual(
            letters(TerminalText.wrap(text, width: width)),
            letters(text.split(separator: "\n").map(String.init)),
            "wrapping loses letters"
        )
    }

    static func checkTable(_ clean: String, _ text: String, _ width: Int) throws {
        var table = Table(
            [
                .init("A", .right), .init(clean, dropOrder: 1),
                .init("C", dropOrder: 2, minimumWidth: 3), .init(""),
            ],
            indent: width % 3
        )
        table.add([.init(clean, .green), "1", .init(clean, .red), .init(clean)])
        table.add(["x", .init(clean), .init("y", .dim), "z", "too many"])
        table.add([])
        for line in table.lines(width: width, style: .plain) {
            try require(TerminalText.width(of: line) <= max(1, width), "a table is too wide")
            try require(!line.hasSuffix(" "), "a line of a table ends in a space")
        }
        let screen = Screen(width: width, style: .plain, now: 0)
        for line in screen.sentences(text) + screen.warning(text) {
            try requireHarmless(line, "a line of the screen")
        }
        var facts = KeyValueList()
        facts.add("label", clean)
        facts.add(clean, "value")
        for line in facts.lines(screen) { try requireHarmless(line, "a fact") }
    }

    static func checkJSON(_ text: String) throws {
        let error = DexError(.usage, code: "x", message: text, hint: text)
        let envelope = JSONEnvelope(command: "x", error: error, warnings: [text])
        let bytes = envelope.json.utf8
        try requirePlainJSON(bytes)
        let json = try JSONParser.parse(bytes)
        try requireEqual(json, envelope.json, "output that is read again")
    }

    @Sendable
    static func seeds() -> [[UInt8]] {
        [
            "plain", "two  words", "\u{1B}[31mred\u{1B}[0m", "\u{1B}]0;title\u{07}x",
            "\u{9B}2J", "\u{1B}P1;2q\u{1B}\\after", "a\r\nb\tc", "\u{202E}gpj.exe",
            "\u{FEFF}\u{200D}\u{E0041}", "日本語のトークン", "👩‍👩‍👧‍👦🇩🇪", "e\u{301}\u{301}\u{301}",
            "\u{1B}\u{1B}[[31m", "\u{1B}", "\u{1B}[", "\u{1B}]", "a\u{85}b\u{2028}c",
            "\"quoted\\ \u{7F}\u{80}\u{9F}", String(repeating: "0123456789 ", count: 12),
        ].enumerated().map { index, text in [UInt8(index * 7)] + Array(text.utf8) }
    }
}

/// JSON on one line, in which no terminal sees a command.
func requirePlainJSON(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Violation("JSON that is written is not UTF-8")
    }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
    }
    try require(isPlain, "JSON that is written has a control character")
}
