import Ethereum
import ZeroEx

/// Chooses a market order's orders from a book: no I/O, integers only, no trap for any book.
struct MarketPlanner: Sendable {
    /// The bound of the price.
    enum Limit: Sendable {
        /// Beyond the quote, in hundredths of a percent.
        case slippage(UInt64)
        /// Of every single order.
        case price(Price)
    }

    let exchangeProtocol: any ExchangeProtocol
    let contracts: ExchangeContracts
    let pair: Pair
    let side: TradeSide
    /// Base units of BASE.
    var amount: UInt256
    let limit: Limit
    let backupPercent: UInt64
    /// Orders that fit into one transaction.
    let maximumOrders: Int
    /// The highest taker fees.
    var takerFees = TakerFeeCap()
    /// The value of a fee in a third token; nil if none is charged, or there is no price.
    var feeRate: FeeRate?
    /// The confirmed plan if the book is read again: it then bounds everything.
    var confirmed: Confirmed?
    /// The bounds of an earlier plan, within which this one may still have backups.
    var outer: Confirmed?
    /// The most taker token of orders that a simulation filled only in part.
    var limits: [OrderHash: UInt256] = [:]

    /// The bounds of a plan that the user agreed to.
    struct Confirmed: Hashable, Sendable {
        let pay: UInt256
        let minimumReceive: UInt256
        let maximumFee: UInt256
        /// Of the paid token, with fees in it.
        let cost: UInt256
        let worst: Price

        func hash(into hasher: inout Hasher) {
            hasher.combine(pay)
            hasher.combine(minimumReceive)
        }
    }

    /// The route through a side's entries, which are best first.
    ///
    /// - Throws: `DexError`, exit 6: `no-liquidity`, `amount-too-small`, `thin-book`, `price-limit`,
    ///   `too-many-orders`.
    func route(through entries: [BookEntry]) throws(DexError) -> TradeRoute {
        let (takeable, candidates) = candidates(entries)
        guard !takeable.isEmpty else { throw noLiquidity(entries) }
        let walk = walk(candidates, funds: side == .buy ? confirmed?.pay : nil)
        if let error = shortage(after: walk, candidates: candidates, takeable: takeable) {
            throw walk.charges == nil && !hasOrdersAboveFeeCap(entries) || confirmed != nil
                ? error : feeCapReached(walk, instead: error)
        }
        guard let route = route(walk, candidates: candidates) else {
            throw TradeError.sumOutOfRange
        }
        if let confirmed, !route.keeps(confirmed) { throw bookMoved }
        return route
    }

    /// The orders of a side that can be taken, each once, and those of them within the limits.
    func candidates(
        _ entries: [BookEntry]
    ) -> (takeable: [BookEntry], candidates: [BookEntry]) {
        var seen: Set<OrderHash> = []
        let takeable = entries.filter { $0.isTakeable && seen.insert($0.order.hash).inserted }
        let bounds = [limitPrice, confirmed?.worst, outer?.worst].compactMap { $0 }
        let candidates = takeable.filter { entry in
            bounds.allSatisfy { PriceBounds.isWithin(entry.price, limit: $0, side: side) }
        }
        return (takeable, candidates)
    }

    private var limitPrice: Price? {
        if case .price(let price) = limit { price } else { nil }
    }

    /// The error of confirmed bounds that no longer hold.
    var bookMoved: DexError {
        TradeError.bookMoved
    }

    // MARK: The walk

    struct Walk {
        var legs: [TradeRoute.Leg] = []
        /// The index after the last leg's entry.
        var next = 0
        /// Base units of BASE to go.
        var left: UInt256
        /// The rest of the confirmed payment, or of the spend.
        var funds: UInt256?
        /// Base units of the fee token.
        var fee = UInt256.zero
        /// The fees with an order that was skipped for them; nil without one.
        var charges: UInt256?
    }

    /// - Parameter funds: the most that is paid, without fees; nil without a bound.
    func walk(_ candidates: [BookEntry], funds: UInt256?) -> Walk {
        var walk = Walk(left: amount, funds: funds)
        for (index, entry) in candidates.enumerated() {
            guard walk.left > .zero, walk.funds != .zero, walk.legs.count < maximumOrders else {
                break
            }
            guard let leg = leg(of: entry, wanted: walk.left, funds: walk.funds) else { continue }
            let fee = walk.fee.addingSaturating(leg.fee)
            guard keepsFeeCap(fee, of: leg.order) else {
                walk.charges = walk.charges ?? fee
                continue
            }
            walk.fee = fee
            let used = side == .buy ? leg.receive : leg.pay
            walk.left = used >= walk.left ? .zero : walk.left - used
            walk.funds = walk.funds.map { $0 - min($0, leg.pay) }
            walk.legs.append(leg)
            walk.next = index + 1
        }
        return walk
    }

    private func leg(
        of entry: BookEntry,
        wanted: UInt256,
        funds: UInt256?
    ) -> TradeRoute.Leg? {
        let order = entry.order
        let maximum = min(fillable(entry), funds ?? .max)
        let pay: UInt256
        switch side {
        case .sell: pay = min(wanted, maximum)
        case .buy:
            guard let all = exchangeProtocol.makerAmount(of: order, filling: maximum) else {
                return nil
            }
            if all <= wanted {
                pay = maximum
            } else {
                guard let needed = exchangeProtocol.purchase(of: order, wanting: wanted) else {
                    return nil
                }
                pay = min(needed, maximum)
            }
        }
        guard let pay = withoutRoundingError(pay, of: order) else { return nil }
        return leg(of: entry, paying: pay)
    }

    func fillable(_ entry: BookEntry) -> UInt256 {
        min(entry.fillableTaker, limits[entry.order.hash] ?? .max)
    }

    func leg(of entry: BookEntry, paying pay: UInt256) -> TradeRoute.Leg? {
        guard pay > .zero,
            let receive = exchangeProtocol.makerAmount(of: entry.order, filling: pay),
            receive > .zero,
            // The contract's arithmetic must not overflow for the whole remainder.
            exchangeProtocol.makerAmount(of: entry.order, filling: entry.state.remaining) != nil
        else { return nil }
        return TradeRoute.Leg(
            order: entry.order,
            price: entry.price,
            pay: pay,
            receive: receive,
            fee: exchangeProtocol.takerFee(of: entry.order, filling: pay),
            remaining: exchangeProtocol.marketCallCapsEachOrder
                ? max(fillable(entry), pay) : max(entry.state.remaining, pay)
        )
    }

    /// The amount, or the next lower one that the order pays out exactly; nil if that is nothing.
    private func withoutRoundingError(
        _ taker: UInt256,
        of order: any SignedOrder
    ) -> UInt256? {
        guard taker > .zero else { return nil }
        guard exchangeProtocol.hasRoundingError(order, filling: taker) else { return taker }
        var (a, b) = (order.takerAmount, order.makerAmount)
        while b != .zero { (a, b) = (b, a % b) }
        guard a != .zero else { return nil }
        let step = order.takerAmount / a
        let rounded = taker - taker % step
        return rounded == .zero ? nil : rounded
    }

    private func shortage(
        after walk: Walk,
        candidates: [BookEntry],
        takeable: [BookEntry]
    ) -> DexError? {
        // An unfillable rest is ignored: below a millionth.
        guard walk.left > amount / 1_000_000 else { return nil }
        if confirmed != nil { return walk.legs.isEmpty || walk.funds != .zero ? bookMoved : nil }
        let found = amount - walk.left
        if walk.legs.count >= maximumOrders {
            return TradeError.tooManyOrders(side, pair, maximum: maximumOrders, found: found)
        }
        if candidates.count < takeable.count {
            let some = walk.legs.isEmpty ? nil : found
            return TradeError.priceLimit(side, pair, found: some)
        }
        if walk.legs.isEmpty {
            // An order that fees, a simulation or overflows left out says nothing about the amount.
            let hasOrders = candidates.contains { leg(of: $0, paying: fillable($0)) != nil }
            return walk.charges == nil && hasOrders
                ? BookError.amountTooSmall(amount, side, pair) : noLiquidity([])
        }
        return TradeError.thinBook(side, pair, found: found, amount: amount)
    }

    func noLiquidity(_ entries: [BookEntry]) -> DexError {
        let isDear = hasOrdersAboveFeeCap(entries)
        return BookError.nothingFillable(side, pair, passedOver: entries.count, isDear: isDear)
    }
}
