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

    @Test("an amount carries its symbol; in a sentence without one, only ETH is ether")
    func amounts() throws {
        let lab = try #require(CoinSymbol("LAB"))
        #expect(lab.amount(Wei(1_500_000_000_000_000_000)) == "1.5 LAB")
        #expect(CoinSymbol.ether.amount(.zero) == "0 ETH")
        #expect(lab.noun == "LAB" && CoinSymbol.ether.noun == "ether")
    }
}
