import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What was probably meant")
struct SuggestionTests {
    private static let commands = [
        "orderbook", "orders", "order", "price", "pairs", "market-buy", "market-sell", "why",
        "wrap",
    ]

    @Test(
        "a word with few mistakes finds the nearest known ones",
        arguments: [
            ("orderbok", ["orderbook"]), ("ordrebook", ["orderbook"]), ("prcie", ["price"]),
            ("ORDERBOOK", ["orderbook"]), ("market-by", ["market-buy"]), ("pars", ["pairs"]),
            ("ordes", ["order", "orders"]), ("whi", ["why"]), ("frobnicate", []), ("x", []),
            ("", []),
        ]
    )
    func closest(word: String, expected: [String]) {
        #expect(Suggestion.closest(to: word, among: Self.commands) == expected)
    }

    @Test("the question names up to three words")
    func question() {
        #expect(Suggestion.question("prcie", among: Self.commands) == "Did you mean \"price\"?")
        #expect(
            Suggestion.question("bbb", among: ["bba", "bbc", "bbd", "bbe"])
                == "Did you mean \"bba\", \"bbc\" or \"bbd\"?"
        )
        #expect(Suggestion.question("frobnicate", among: Self.commands) == nil)
    }

    @Test("a word of any length is answered")
    func longWord() {
        let word = String(repeating: "a", count: 100_000)
        #expect(Suggestion.closest(to: word, among: [word, "a"]).isEmpty)
    }

    @Test(
        "mistakes are counted",
        arguments: [
            ("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abc", "abd", 1), ("abc", "abcd", 1),
            ("kitten", "sitting", 3), ("ca", "abc", 3),
        ]
    )
    func mistakes(first: String, second: String, count: Int) {
        #expect(Suggestion.mistakes(Array(first.utf8), Array(second.utf8)) == count)
        #expect(Suggestion.mistakes(Array(second.utf8), Array(first.utf8)) == count)
    }

    @Test(
        "a pair without its / is recognized",
        arguments: [
            ("ZRX-WETH", "ZRX/WETH"), ("zrx_weth", "ZRX/WETH"), ("ZRXWETH", "ZRX/WETH"),
            ("ZRX", nil), ("ZRX-NOTOKENX", nil), ("ZRX-ZRX", nil), ("", nil),
        ] as [(String, String?)]
    )
    func pair(text: String, meant: String?) throws {
        #expect(try TokenMap(chainID: 1).pair(meantBy: text) == meant)
    }
}
