import Testing

@testable import DexCore

@Suite("Tags of trades")
struct TradeTagTests {
    @Test("one line of 1 to 64 characters", arguments: ["a", "DCA week 48", "Ünï 7", "-x", "=1+1"])
    func valid(text: String) throws {
        #expect(try TradeTag(text).text == text)
        #expect(try TradeTag(String(repeating: "é", count: 64)).text.count == 64)
    }

    @Test(
        "anything else is refused, and its control characters are not repeated",
        arguments: [
            "", " ", " a", "a ", "a\nb", "a\tb", "\u{1B}[31mred", "a\u{202E}b", "a\u{0}",
            String(repeating: "x", count: 65), String(repeating: "e\u{301}", count: 40),
        ]
    )
    func invalid(text: String) {
        let error = #expect(throws: DexError.self) { try TradeTag(text) }
        #expect(error?.code == "bad-tag" && error?.exit == .usage)
        #expect(error?.message.contains("\u{1B}") == false)
    }
}
