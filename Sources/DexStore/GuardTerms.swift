package import Ethereum
package import ZeroEx

/// The terms of a guard in base units, which its account's key confirmed.
package struct GuardTerms: Hashable, Sendable {
    /// Of BASE when it was added; nil if its contract names none.
    package let baseDecimals: UInt8?
    /// Of QUOTE when it was added; nil if its contract names none.
    package let quoteDecimals: UInt8?
    /// Base units of BASE.
    package let amount: UInt256
    /// The price that it waits for, in base units.
    package let price: Price
    /// The worst price of any order, in base units.
    package let limit: Price
    /// A random number: no two guards have the same terms.
    package let nonce: Bytes32

    package init(
        baseDecimals: UInt8?,
        quoteDecimals: UInt8?,
        amount: UInt256,
        price: Price,
        limit: Price,
        nonce: Bytes32
    ) {
        self.baseDecimals = baseDecimals
        self.quoteDecimals = quoteDecimals
        self.amount = amount
        self.price = price
        self.limit = limit
        self.nonce = nonce
    }

    /// Digit by digit: equal prices may be different fractions, and the key signed one of them.
    package static func == (one: GuardTerms, other: GuardTerms) -> Bool {
        one.nonce == other.nonce && one.amount == other.amount
            && one.baseDecimals == other.baseDecimals && one.quoteDecimals == other.quoteDecimals
            && one.price.quote == other.price.quote && one.price.base == other.price.base
            && one.limit.quote == other.limit.quote && one.limit.base == other.limit.base
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(nonce) }
}
