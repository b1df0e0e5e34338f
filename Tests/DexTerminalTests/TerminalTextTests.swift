import DexTerminal
import Testing

@Suite("Text from outside")
struct TerminalTextTests {
    @Test(
        "what a terminal would obey is gone",
        arguments: [
            ("plain text", "plain text"),
            ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("\u{9B}2Jwiped", "wiped"),
            ("\u{1B}]0;title\u{07}after", "after"),
            ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
            ("\u{1B}cReset", "Reset"),
            ("a\u{202E}gpj.exe", "agpj.exe"),
            ("zero\u{200B}width\u{2066}x", "zerowidthx"),
            ("two\r\nlines\there", "two lines here"),
            ("bell\u{07}\u{08}\u{7F}", "bell"),
            ("Tether 泰达", "Tether 泰达"),
            ("unfinished \u{1B}[", "unfinished "),
            ("unfinished \u{1B}]0;never", "unfinished "),
            ("\u{E000}private", "private"),
        ]
    )
    func clean(text: String, expected: String) {
        #expect(TerminalText.clean(text) == expected)
    }

    @Test("every single scalar up to U+FFFF leaves no control character behind")
    func everyScalar() {
        for value in UInt32(0)..<0x10000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let cleaned = TerminalText.clean("a" + String(scalar) + "b")
            #expect(!cleaned.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test("wide characters count two columns and combining marks none")
    func widths() {
        #expect(TerminalText.width(of: "abc") == 3)
        #expect(TerminalText.width(of: "泰达") == 4)
        #expect(TerminalText.width(of: "e\u{301}") == 1)
        #expect(TerminalText.width(of: "█▏") == 2)
    }

    @Test("a cut text shows that it was cut and fits")
    func truncate() {
        #expect(TerminalText.truncate("abcdef", to: 4) == "abc…")
        #expect(TerminalText.truncate("abcd", to: 4) == "abcd")
        #expect(TerminalText.truncate("泰达币", to: 4) == "泰…")
        #expect(TerminalText.truncate("abc", to: 1) == "…")
        #expect(TerminalText.truncate("abc", to: 0) == "")
    }

    @Test("wrapping breaks at spaces and never inside a word")
    func wrap() {
        #expect(TerminalText.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(TerminalText.wrap("a 0x1234567890 b", width: 4) == ["a", "0x1234567890", "b"])
        #expect(TerminalText.wrap("", width: 4) == [""])
    }
}
