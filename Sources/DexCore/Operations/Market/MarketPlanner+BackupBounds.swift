import Ethereum
import ZeroEx

/// Backups for a contract call without a total.
///
/// The contract would fill them in addition, and buy more than requested. So they are not passed to
/// it, but replace orders when a confirmed plan is made again. A purchase keeps its amount and
/// costs more; a sale keeps its amount and brings less.
extension MarketPlanner {
    /// Bounds over all outcomes; amounts in base units.
    struct Worst {
        var pay: UInt256
        var receive: UInt256
        var fee: UInt256
        /// Of the paid token, with fees in it.
        var cost: UInt256
    }

    /// Backup orders after the quote's own, for `backupPercent` more, and their effect on the trade.
    ///
    /// They never exceed the worst price, and are never so expensive that the whole would break its
    /// bound.
    func backupsAndWorst(
        behind walk: Walk,
        candidates: [BookEntry],
        quote: Quote
    ) -> (backups: [TradeRoute.Leg], worst: Worst) {
        let planned = Worst(
            pay: quote.pay,
            receive: quote.receive,
            fee: quote.fee,
            cost: cost(pay: quote.pay, fee: quote.fee, in: quote.feeToken) ?? .max
        )
        // A plan within the confirmed bounds is the last one: no backup is added.
        guard confirmed == nil, backupPercent > 0, var worst = worst(walk.legs, quote: quote) else {
            return ([], planned)
        }
        let backups = backups(behind: walk, candidates: candidates, quote: quote) { entry, taken in
            guard let backup = leg(of: entry, paying: backupAmount(entry, quote: quote)),
                let wider = self.worst(walk.legs + taken + [backup], quote: quote)
            else { return nil }
            worst = wider
            return backup
        }
        return (backups, worst)
    }

    /// At most the amount that would replace the whole trade.
    private func backupAmount(_ entry: BookEntry, quote: Quote) -> UInt256 {
        let all = fillable(entry)
        switch side {
        case .sell: return min(all, quote.pay)
        case .buy:
            let whole = exchangeProtocol.purchase(of: entry.order, wanting: quote.receive)
            return whole.map { min($0, all) } ?? all
        }
    }

    /// The bounds if any of the orders are gone; nil if the cost exceeds the quote by more than the
    /// slippage.
    ///
    /// With a price limit each order keeps that instead.
    private func worst(_ orders: [TradeRoute.Leg], quote: Quote) -> Worst? {
        switch side {
        case .sell:
            let receive = lowest(orders, quote: quote).receive
            guard let fee = highestFee(orders, total: quote.pay),
                let cost = cost(pay: quote.pay, fee: fee, in: quote.feeToken),
                keepsSlippage(quote, pay: quote.pay, receive: receive, fee: fee)
            else { return nil }
            return Worst(pay: quote.pay, receive: receive, fee: fee, cost: cost)
        case .buy: return worstPurchase(orders, quote: quote)
        }
    }

    private func worstPurchase(_ orders: [TradeRoute.Leg], quote: Quote) -> Worst? {
        // The most expensive first: by total cost, and without fees by taker amount.
        let byPay = orders.sorted {
            PriceBounds.product($0.order.takerAmount, $1.order.makerAmount)
                > PriceBounds.product($1.order.takerAmount, $0.order.makerAmount)
        }
        guard let mostExpensive = purchase(quote.receive, from: Array(orders.reversed())),
            let highest = purchase(quote.receive, from: byPay),
            let fee = highestFee(orders, total: max(highest.pay, quote.pay)),
            let sum = cost(pay: mostExpensive.pay, fee: mostExpensive.fee, in: quote.feeToken),
            let expected = cost(pay: quote.pay, fee: quote.fee, in: quote.feeToken),
            keepsSlippage(
                quote,
                pay: mostExpensive.pay,
                receive: quote.receive,
                fee: mostExpensive.fee
            )
        else { return nil }
        let pay = max(highest.pay, quote.pay)
        let maximumFee = max(fee, quote.fee)
        let together = cost(pay: pay, fee: maximumFee, in: quote.feeToken) ?? .max
        return Worst(
            pay: pay,
            receive: quote.receive,
            fee: maximumFee,
            cost: min(max(sum, expected), together)
        )
    }

    /// The cost of buying this much from orders in sequence; each further one rounds up by less
    /// than one unit.
    private func purchase(
        _ wanted: UInt256,
        from orders: [TradeRoute.Leg]
    ) -> (pay: UInt256, fee: UInt256)? {
        var left = wanted
        var pay = UInt256.zero
        var fee = UInt256.zero
        for leg in orders where left > .zero {
            guard
                let all = exchangeProtocol.makerAmount(of: leg.order, filling: leg.remaining)
            else { return nil }
            var taker = leg.remaining
            if all > left {
                guard let part = exchangeProtocol.purchase(of: leg.order, wanting: left) else {
                    return nil
                }
                taker = min(part, taker)
            }
            left = all >= left ? .zero : left - all
            pay = pay.addingSaturating(taker)
            fee = fee.addingSaturating(exchangeProtocol.takerFee(of: leg.order, filling: taker))
        }
        let slack = UInt256(UInt64(max(orders.count - 1, 0)))
        return (pay.addingSaturating(slack), fee.addingSaturating(fee == .zero ? .zero : slack))
    }
}
