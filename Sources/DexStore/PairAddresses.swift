package import Ethereum

/// The addresses of BASE and QUOTE.
package struct PairAddresses: Hashable, Sendable {
    package let base: Address
    package let quote: Address

    package init(base: Address, quote: Address) {
        self.base = base
        self.quote = quote
    }

    /// `BASE/QUOTE`, which names a pair where symbols could mean other tokens.
    package var text: String { "\(base.checksummed)/\(quote.checksummed)" }
}
