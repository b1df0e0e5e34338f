import Ethereum
import Testing

@Suite("Symbols of a chain's coin")
struct CoinSymbolTests {
    @Test("letters and digits, in capitals", arguments: ["LAB", "lab", "BNB", "A1", "ABCDEFGHIJK"])
    func symbols(text: String) {
        #expect(CoinSymbol(text)?.text == text.uppercased())
    }

    @Test(
        "anything that could imitate something else is none",
        arguments: [
            "", "1", "12345", "E TH", "ETH\n", "É", "ＥＴＨ", "A-B", "ABCDEFGHIJKL", "\u{1b}[0m", "ß",
        ]
    )
    func nonsense(text: String) {
        #expect(CoinSymbol(text) == nil)
    }

    @Test("a word names the coin by its symbol or as ETH, whatever the network")
    func named() throws {
        #expect(CoinSymbol.isNamed(by: "eth"))
        #expect(!CoinSymbol.isNamed(by: "lab"))
        try CoinSymbol.$current.withValue(#require(CoinSymbol("LAB"))) {
            #expect(CoinSymbol.isNamed(by: "lab"))
            #expect(CoinSymbol.isNamed(by: "ETH"))
            #expect(!CoinSymbol.isNamed(by: "WETH"))
        }
    }
}
