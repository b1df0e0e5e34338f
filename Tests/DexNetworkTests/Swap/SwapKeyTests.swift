import Testing

@testable import DexNetwork

@Suite("The key of a swap API")
struct SwapKeyTests {
    @Test("spaces and line ends around it do not count")
    func trimmed() {
        for text in ["a-Key_1", " a-Key_1", "a-Key_1\n", "\r\n\t a-Key_1 \r\n"] {
            #expect(SwapKey(text.utf8)?.text == "a-Key_1")
        }
    }

    @Test(
        "what is no key is refused",
        arguments: [
            "", " \n", "two words", "a\nb", "a\r\nX-Other: 1", "a\tb", "a\u{0}b", "a\u{7F}",
            "schl\u{FC}ssel", "\u{FEFF}key", String(repeating: "k", count: 201),
        ]
    )
    func refused(text: String) {
        #expect(SwapKey(text.utf8) == nil)
    }

    @Test("the longest key is taken, and bytes that are no text are not")
    func bounds() {
        let longest = String(repeating: "k", count: SwapKey.longest)
        #expect(SwapKey(longest.utf8)?.text == longest)
        #expect(SwapKey([0xFF, 0xFE]) == nil)
        #expect(SwapKey([0x21, 0x7E])?.text == "!~")
    }

    @Test("a long key is struck out of an answer, a short one is no more than a word")
    func hidden() throws {
        let key = try #require(SwapKey("0123456789abcdef".utf8))
        func hidden(_ text: String) -> String {
            String(decoding: key.hidden(in: Array(text.utf8)), as: UTF8.self)
        }
        #expect(hidden("a 0123456789abcdef0123456789abcdef.") == "a " + stars(32) + ".")
        #expect(hidden("0123456789abcdef") == stars(16))
        for text in ["", "0123456789abcde", "0123456789 abcdef"] { #expect(hidden(text) == text) }
        let short = try #require(SwapKey("sandbox".utf8))
        #expect(short.hidden(in: Array("the sandbox".utf8)) == Array("the sandbox".utf8))
    }

    private func stars(_ count: Int) -> String { String(repeating: "*", count: count) }

    @Test("no description shows it")
    func redacted() throws {
        let key = try #require(SwapKey("very-secret".utf8))
        var dumped = ""
        dump(key, to: &dumped)
        dump([key], to: &dumped)
        let texts = [
            "\(key)", String(reflecting: key), String(describing: [key]), "\(Optional(key) as Any)",
            dumped,
        ]
        for text in texts { #expect(!text.contains("secret"), "\(text)") }
    }
}
