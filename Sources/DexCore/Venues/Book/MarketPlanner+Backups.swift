import Ethereum
import ZeroEx

extension MarketPlanner {
    /// Totals, bounds and backups for the legs of a walk; nil if a sum exceeds 256 bits.
    func route(_ walk: Walk, candidates: [BookEntry]) -> TradeRoute? {
        let legs = walk.legs
        guard let last = legs.last, let pay = sum(legs.map(\.pay)),
            let receive = sum(legs.map(\.receive)), let fee = sum(legs.map(\.fee)),
            case let feeToken = feeToken(of: last.order),
            let average = price(pay: pay, receive: receive, fee: fee, in: feeToken)
        else { return nil }
        let quote = Quote(pay: pay, receive: receive, fee: fee, feeToken: feeToken)
        let impact = impact(of: average, taking: legs)
        if exchangeProtocol.marketCallCapsEachOrder {
            let (backups, worst) = backupsAndWorst(
                behind: walk,
                candidates: candidates,
                quote: quote
            )
            return TradeRoute(
                style: .batch,
                legs: legs,
                backups: backups,
                pay: pay,
                maximumPay: worst.pay,
                receive: receive,
                minimumReceive: worst.receive,
                fee: fee,
                maximumFee: worst.fee,
                cost: cost(pay: pay, fee: fee, in: feeToken) ?? .max,
                maximumCost: worst.cost,
                average: average,
                worst: backups.last?.price ?? last.price,
                impactBasisPoints: impact
            )
        }
        // A total moves on as far as each order allows: every order but the last must be used up,
        // and even the worst outcome must keep the bound.
        let canMoveOn =
            legs.dropLast().allSatisfy { $0.pay == $0.remaining }
            && keepsBound(legs, quote: quote) && keepsFeeCap(legs, total: pay)
        let backups =
            canMoveOn ? backups(behind: walk, candidates: candidates, quote: quote) : []
        let alone = canMoveOn ? bounds(legs, quote: quote) : nil
        let worst = canMoveOn ? bounds(legs + backups, quote: quote) : nil
        guard !canMoveOn || (alone != nil && worst != nil) else { return nil }
        let expectedCost = cost(pay: pay, fee: fee, in: feeToken) ?? .max
        return TradeRoute(
            style: canMoveOn ? .total : .batch,
            legs: legs,
            backups: backups,
            pay: pay,
            maximumPay: pay,
            receive: receive,
            minimumReceive: worst?.minimumReceive ?? receive,
            fee: fee,
            maximumFee: worst?.maximumFee ?? fee,
            cost: expectedCost,
            maximumCost: worst?.maximumCost ?? expectedCost,
            alone: alone,
            average: average,
            worst: backups.last?.price ?? last.price,
            impactBasisPoints: impact
        )
    }

    /// The maximum number of backups: half the number of orders, at least 6.
    ///
    /// Each needs gas in reserve, and all of the gas may burn if a transfer reverts.
    private func maximumBackups(for legs: Int) -> Int {
        max(6, legs / 2)
    }

    struct Quote {
        let pay: UInt256
        let receive: UInt256
        let fee: UInt256
        /// Equal for all orders of a route, since their taker token is equal.
        let feeToken: Address
    }

    /// Backup orders after the quote's own, for `backupPercent` more: never beyond the worst price.
    ///
    /// - Parameter backup: an entry's amount besides the used part; nil if it cannot be a backup or
    ///   would break the bound of the whole.
    func backups(
        behind walk: Walk,
        candidates: [BookEntry],
        quote: Quote,
        backup: (BookEntry, _ taken: [TradeRoute.Leg]) -> TradeRoute.Leg?
    ) -> [TradeRoute.Leg] {
        guard let last = walk.legs.last, backupPercent > 0,
            let target = UInt256.mulDiv(quote.pay, UInt256(backupPercent), 100)?.quotient
        else { return [] }
        var backups: [TradeRoute.Leg] = []
        var capacity = UInt256.zero
        for entry in candidates.dropFirst(walk.next) {
            guard capacity < target, backups.count < maximumBackups(for: walk.legs.count),
                walk.legs.count + backups.count < maximumOrders
            else { break }
            if confirmed == nil, case .slippage(let slippage) = limit,
                !PriceBounds.isWithin(
                    entry.price,
                    of: last.price,
                    slippage: slippage,
                    side: side
                )
            {
                break
            }
            guard let backup = backup(entry, backups) else { continue }
            backups.append(backup)
            capacity = capacity.addingSaturating(backup.pay)
        }
        return backups
    }

    /// Backups for the contract's call, never so expensive that the total could break its bound.
    private func backups(
        behind walk: Walk,
        candidates: [BookEntry],
        quote: Quote
    ) -> [TradeRoute.Leg] {
        backups(behind: walk, candidates: candidates, quote: quote) { entry, taken in
            // The contract would skip an order that its maker covers only in part.
            guard entry.fillableTaker >= entry.state.remaining,
                let backup = leg(of: entry, paying: min(entry.fillableTaker, quote.pay)),
                keepsBound(walk.legs + taken + [backup], quote: quote),
                keepsFeeCap(walk.legs + taken + [backup], total: quote.pay)
            else { return nil }
            return backup
        }
    }

    /// Whichever orders are gone, the whole total costs at most the slippage above the quote, per
    /// unit received.
    ///
    /// With a price limit each order keeps that instead.
    private func keepsBound(_ orders: [TradeRoute.Leg], quote: Quote) -> Bool {
        let low = lowest(orders, quote: quote)
        if let confirmed { return low.receive >= confirmed.minimumReceive }
        return keepsSlippage(quote, pay: quote.pay, receive: low.receive, fee: low.fee)
    }

    /// A received unit costs at most the slippage above the quote, with fees.
    ///
    /// With a price limit there is no such bound.
    func keepsSlippage(_ quote: Quote, pay: UInt256, receive: UInt256, fee: UInt256) -> Bool {
        guard case .slippage(let slippage) = limit else { return true }
        let token = quote.feeToken
        guard let expected = valuedCost(pay: quote.pay, fee: quote.fee, in: token),
            let worst = valuedCost(pay: pay, fee: fee, in: token)
        else { return false }
        return PriceBounds.product(
            worst,
            valuedProceeds(receive: quote.receive, fee: quote.fee, in: token),
            PriceBounds.whole
        )
            <= PriceBounds.product(
                expected,
                valuedProceeds(receive: receive, fee: fee, in: token),
                PriceBounds.whole + UInt256(slippage)
            )
    }

    /// The bounds of paying the whole total, whichever orders are gone; nil above 256 bits.
    private func bounds(_ orders: [TradeRoute.Leg], quote: Quote) -> TradeRoute.Bounds? {
        guard let fee = highestFee(orders, total: quote.pay) else { return nil }
        return TradeRoute.Bounds(
            minimumReceive: lowest(orders, quote: quote).receive,
            maximumFee: fee,
            maximumCost: cost(pay: quote.pay, fee: fee, in: quote.feeToken) ?? .max
        )
    }

    /// The least that the whole total brings, whichever orders are gone.
    ///
    /// The worst orders are filled first, and each further one rounds down by less than one unit.
    func lowest(
        _ orders: [TradeRoute.Leg],
        quote: Quote
    ) -> (receive: UInt256, fee: UInt256) {
        var left = quote.pay
        var receive = UInt256.zero
        var fee = UInt256.zero
        for leg in orders.reversed() where left > .zero {
            let pay = min(left, leg.remaining)
            left -= pay
            let part = exchangeProtocol.makerAmount(of: leg.order, filling: pay) ?? .zero
            receive = receive.addingSaturating(part)
            fee = fee.addingSaturating(exchangeProtocol.takerFee(of: leg.order, filling: pay))
        }
        let slack = UInt256(UInt64(max(orders.count - 1, 0)))
        receive = receive > slack ? receive - slack : .zero
        return (min(receive, quote.receive), fee)
    }

    /// The maximum fees for paying the whole total.
    ///
    /// The most expensive orders are filled first, and each further one rounds down by less than
    /// one unit.
    func highestFee(_ orders: [TradeRoute.Leg], total: UInt256) -> UInt256? {
        let mostExpensive = orders.filter { $0.order.takerFee > .zero }.sorted {
            PriceBounds.product($0.order.takerFee, $1.order.takerAmount)
                > PriceBounds.product($1.order.takerFee, $0.order.takerAmount)
        }
        var left = total
        var fees: [UInt256] = []
        for leg in mostExpensive where left > .zero {
            let pay = min(left, leg.remaining)
            left -= pay
            fees.append(exchangeProtocol.takerFee(of: leg.order, filling: pay))
        }
        return sum(fees + [UInt256(UInt64(max(fees.count - 1, 0)))])
    }

    var payToken: Token { side == .buy ? pair.quote : pair.base }
    var receiveToken: Token { side == .buy ? pair.base : pair.quote }

    private func sum(_ values: [UInt256]) -> UInt256? {
        var total = UInt256.zero
        for value in values {
            let (sum, overflow) = total.addingReportingOverflow(value)
            if overflow { return nil }
            total = sum
        }
        return total
    }
}
