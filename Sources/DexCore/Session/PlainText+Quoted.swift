import Ethereum

extension PlainText {
    /// A text of others in quotes, as it is: what is not seen, or seen as something else, stands as
    /// its number.
    ///
    /// Example: the quoted form of `a"b` is `"a\"b"`.
    ///
    /// - Parameter limit: the most characters between the quotes; `…` behind them marks a cut.
    package static func quoted(_ text: String, limit: Int = .max) -> String {
        ForeignWords.quoted(text, limit: limit)
    }

    /// A name that others chose, such as a token's symbol: as it is if it is one plain word, else in
    /// quotes.
    ///
    /// Example: `USDT` stays, and `Signed: yes` gets quotes.
    package static func name(_ name: String, limit: Int = 40) -> String {
        ForeignWords.name(name, limit: limit)
    }

    /// The same for BASE/QUOTE: `ZRX/WETH` stays.
    package static func pairName(_ name: String) -> String {
        let symbols = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isPlain = symbols.count == 2 && symbols.allSatisfy { Self.name($0) == $0 }
        return isPlain ? name : quoted(name, limit: 80)
    }

    /// The address of a web page or server that others named, as it is if it fits on a line.
    package static func site(_ address: String) -> String {
        let isPlain = address.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 }
        let isShort = isPlain && address.utf8.count <= 40
        return isShort ? address : quoted(address, limit: 300)
    }

    /// The characters of a text that are not seen, each once: `U+202E RIGHT-TO-LEFT OVERRIDE`.
    package static func hidden(in text: String) -> [String] { ForeignWords.hidden(in: text) }
}
