package import DexStore
import Ethereum
import Uniswap
import ZeroEx

/// What a verified book, or a pair's pools, say about a guard.
package enum GuardVerdict: Hashable, Sendable {
    /// Its price is not reached.
    case waits
    /// Its price is reached, or unknown, and it cannot fire; the reason is a sentence.
    case blocked(String)
    /// Its price is reached, and the whole amount can be traded within its limit.
    case fires
}

/// Compares guards with a verified book or with pools, by integers only.
package enum GuardCheck {
    /// The verdict of a market of the guard's pair.
    ///
    /// The price is what the account would get: the best bid for a sale, the best ask for a
    /// purchase, of orders that can be filled and ignoring dust. The guard's own base units count;
    /// the market's tokens must have the decimals that the guard was confirmed with.
    package static func verdict(_ guardOrder: JournalGuard, in market: TriggerMarket)
        -> GuardVerdict
    {
        guard let terms = guardOrder.terms else { return .blocked(unconfirmed) }
        for (token, confirmed) in [
            (market.pair.base, terms.baseDecimals), (market.pair.quote, terms.quoteDecimals),
        ] where token.decimals != confirmed {
            return .blocked(otherDecimals(token, confirmed: confirmed))
        }
        let side = TradeSide(guardOrder.side)
        let depth = market.depth(side)
        let name = market.pair.shownName
        let noun = side == .buy ? "ask" : "bid"
        guard let best = depth.best else {
            return .blocked("\(market.noun) of \(name) has no \(noun) that can be filled.")
        }
        guard isReached(guardOrder, terms, by: best) else { return .waits }
        let limit = terms.limit
        guard PriceBounds.isWithin(best, limit: limit, side: side) else {
            return .blocked(
                "The best \(noun) of \(name) is \(best.text(of: market.pair) ?? "?"), beyond its "
                    + "limit \(guardOrder.limit): the price moved further than the slippage."
            )
        }
        let offered = depth.levels
            .filter { PriceBounds.isWithin($0.price, limit: limit, side: side) }
            .reduce(UInt256.zero) { $0.addingSaturating($1.base) }
        guard offered >= terms.amount else {
            let base = Currency.token(market.pair.base)
            return .blocked(
                "\(market.noun) \(side == .buy ? "sells" : "buys") only \(base.text(offered)) at "
                    + "\(guardOrder.limit) or better, not \(base.text(terms.amount))."
            )
        }
        if case .pools(let pools) = market, let reason = objection(guardOrder, terms, in: pools) {
            return .blocked(reason)
        }
        return .fires
    }

    private static func isReached(
        _ guardOrder: JournalGuard,
        _ terms: GuardTerms,
        by price: Price
    ) -> Bool {
        switch guardOrder.trigger {
        case .below: price <= terms.price
        case .above: price >= terms.price
        }
    }

    /// Why a price that pools show at the end of one block is not enough; a sentence without the
    /// numbers of that block.
    private static func objection(
        _ guardOrder: JournalGuard,
        _ terms: GuardTerms,
        in pools: PoolReading
    ) -> String? {
        let side = TradeSide(guardOrder.side)
        if let pool = pools.moved(beyond: guardOrder.slippage) {
            return "The price of the pool \(pool.kind.name) moved by more than its "
                + "slippage within the latest block. It is looked at again in the next one."
        }
        guard case .known(let mean) = pools.mean else { return nil }
        let minutes = PoolMean.seconds / 60
        guard let price = side == .buy ? mean.ask : mean.bid else {
            return "The mean price of the last \(minutes) minutes is out of range."
        }
        guard isReached(guardOrder, terms, by: price) else {
            return "Its price is reached, but not by the mean of the last \(minutes) minutes."
        }
        // A mean beyond the limit is of a price that was far away, and not of this one.
        guard PriceBounds.isWithin(price, limit: terms.limit, side: side) else {
            return
                "The mean price of the last \(minutes) minutes is beyond its limit \(guardOrder.limit)."
        }
        return nil
    }

    /// Why a guard of a relay's book does not fire where none is set up.
    package static let noBook =
        "It trades on a relay's book, and no relay is set up. Set one with --relay, or remove it "
        + "and add it again: it then trades at Uniswap's pools."

    /// Why guards cannot be checked by the session; nil if they can.
    static func lack(atPools: Bool, _ session: Session) -> String? {
        atPools || session.relay != nil ? nil : noBook
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
