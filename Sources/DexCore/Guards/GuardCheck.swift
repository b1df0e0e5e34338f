package import DexStore
import Ethereum
import ZeroEx

/// What a verified book says about a guard.
package enum GuardVerdict: Hashable, Sendable {
    /// Its price is not reached.
    case waits
    /// Its price is reached, or unknown, and it cannot fire; the reason is a sentence.
    case held(String)
    /// Its price is reached, and the whole amount can be traded within its limit.
    case fires
}

/// Compares guards with a verified book, by integers only.
package enum GuardCheck {
    /// The verdict of a book of the guard's pair.
    ///
    /// The price is what the account would get: the best bid for a sale, the best ask for a
    /// purchase, of orders that can be filled and without crumbs.
    package static func verdict(_ made: JournalGuard, in book: BookSnapshot) -> GuardVerdict {
        let side = TradeSide(made.side)
        let depth = BookDepth(book.entries(for: side), side: side)
        let name = PlainText.clean(book.pair.name, limit: 44)
        let noun = side == .buy ? "ask" : "bid"
        guard let best = depth.best else {
            return .held("The book of \(name) has no \(noun) that can be filled.")
        }
        let price: Price
        let limit: Price
        let amount: UInt256
        do throws(DexError) {
            price = try PriceBounds.price(made.price, pair: book.pair)
            limit = try PriceBounds.price(made.limit, pair: book.pair)
            amount = try TokenAmount.positive(made.amount, of: book.pair.base)
        } catch {
            return .held(error.message)
        }
        switch made.trigger {
        case .below: guard best <= price else { return .waits }
        case .above: guard best >= price else { return .waits }
        }
        guard PriceBounds.isWithin(best, limit: limit, side: side) else {
            return .held(
                "The best \(noun) of \(name) is \(best.text(of: book.pair) ?? "?"), beyond its "
                    + "limit \(made.limit): the price moved further than the slippage."
            )
        }
        let offered = depth.levels
            .filter { PriceBounds.isWithin($0.price, limit: limit, side: side) }
            .reduce(UInt256.zero) { $0.addingSaturating($1.base) }
        guard offered >= amount else {
            let base = Currency.token(book.pair.base)
            return .held(
                "The book \(side == .buy ? "sells" : "buys") only \(base.text(offered)) at "
                    + "\(made.limit) or better, not \(base.text(amount))."
            )
        }
        return .fires
    }
}

extension TradeSide {
    init(_ side: JournalGuard.Side) { self = side == .buy ? .buy : .sell }
}
