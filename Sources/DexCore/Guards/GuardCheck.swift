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
    /// purchase, of orders that can be filled and without crumbs. The guard's own base units count;
    /// the book's tokens must have the decimals that the guard was confirmed with.
    package static func verdict(_ made: JournalGuard, in book: BookSnapshot) -> GuardVerdict {
        guard let terms = made.terms else { return .held(unconfirmed) }
        for (token, confirmed) in [
            (book.pair.base, terms.baseDecimals), (book.pair.quote, terms.quoteDecimals),
        ] where token.decimals != confirmed {
            return .held(otherDecimals(token, confirmed: confirmed))
        }
        let side = TradeSide(made.side)
        let depth = BookDepth(book.entries(for: side), side: side)
        let name = book.pair.shownName
        let noun = side == .buy ? "ask" : "bid"
        guard let best = depth.best else {
            return .held("The book of \(name) has no \(noun) that can be filled.")
        }
        switch made.trigger {
        case .below: guard best <= terms.price else { return .waits }
        case .above: guard best >= terms.price else { return .waits }
        }
        let limit = terms.limit
        guard PriceBounds.isWithin(best, limit: limit, side: side) else {
            return .held(
                "The best \(noun) of \(name) is \(best.text(of: book.pair) ?? "?"), beyond its "
                    + "limit \(made.limit): the price moved further than the slippage."
            )
        }
        let offered = depth.levels
            .filter { PriceBounds.isWithin($0.price, limit: limit, side: side) }
            .reduce(UInt256.zero) { $0.addingSaturating($1.base) }
        guard offered >= terms.amount else {
            let base = Currency.token(book.pair.base)
            return .held(
                "The book \(side == .buy ? "sells" : "buys") only \(base.text(offered)) at "
                    + "\(made.limit) or better, not \(base.text(terms.amount))."
            )
        }
        return .fires
    }

    /// Why a guard without a valid signature of its key does not fire.
    package static let unconfirmed =
        "Its terms are not those that its account's key confirmed: they were changed since, or an "
        + "earlier version of dex added it. Remove it and add it again."

    /// Why a guard that was added long ago does not fire.
    package static let expired =
        "It was added more than 90 days ago, and its time is over. Remove it and add it again."

    private static func otherDecimals(_ token: Token, confirmed: UInt8?) -> String {
        let words = { (decimals: UInt8?) in decimals.map { "\($0) decimals" } ?? "no decimals" }
        return "\(token.address.checksummed) has \(words(token.decimals)) now, and had "
            + "\(words(confirmed)) when the guard was added. Its amounts mean something else now: "
            + "remove the guard if the token cannot be trusted."
    }
}

extension JournalGuard {
    /// Why it never fires although it waits; nil if it may, or does not wait.
    package var neverFires: String? {
        guard state == .waiting, id != 0 else { return nil }
        guard isConfirmed else { return GuardCheck.unconfirmed }
        return isExpired ? GuardCheck.expired : nil
    }
}

extension TradeSide {
    init(_ side: JournalGuard.Side) { self = side == .buy ? .buy : .sell }
}
