package import ZeroEx

/// The prices of a verified book, of orders that can be taken, without crumbs.
package protocol BookPrices {
    var pair: Pair { get }
    /// nil where no order of the side can be taken.
    var bid: Price? { get }
    var ask: Price? { get }
    /// Halfway between them.
    var mid: Price? { get }
}

extension BookSnapshot: BookPrices {}

extension LiveBook: BookPrices {
    package var bid: Price? { bids.best }
    package var ask: Price? { asks.best }
}
