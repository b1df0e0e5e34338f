package import ZeroEx

/// A price that was typed relative to the book, and the number that it came to.
package struct RelativePrice: Sendable {
    /// As typed: `mid-0.1%`.
    package let typed: String
    /// QUOTE per BASE, with at most eight significant digits.
    package let price: Price
    /// The best prices of others, without crumbs; nil for a side without orders.
    package let bid: Price?
    package let ask: Price?
    /// The block at which the book was read.
    package let block: UInt64
}
