package import DexStore
package import Ethereum

/// A pair of tokens: in ZRX/WETH amounts are of ZRX, the base, and prices in WETH, the quote.
package struct Pair: Hashable, Sendable {
    package let base: Token
    package let quote: Token

    package init(base: Token, quote: Token) {
        self.base = base
        self.quote = quote
    }

    /// The pair in text form, such as `ZRX/WETH`.
    package var name: String {
        "\(base.symbol)/\(quote.symbol)"
    }

    /// The pair in a sentence or a table: a symbol that is no plain word puts it in quotes.
    package var shownName: String { PlainText.pairName(name) }

    package var addresses: PairAddresses {
        PairAddresses(base: base.address, quote: quote.address)
    }
}
