import Ethereum

/// The amounts of a trade over the pools, in base units.
struct PooledTrade: Hashable, Sendable {
    let route: PoolRoute
    let isExactOut: Bool
    /// What is expected to be spent in the end.
    private(set) var sold: UInt256
    /// What is taken from the account; equal to `sold` unless the bought amount is fixed.
    private(set) var maximumSold: UInt256
    /// What is expected to arrive.
    private(set) var bought: UInt256
    /// Less than that reverts.
    private(set) var minimumBought: UInt256
    /// What is bought too much is sold back for the account.
    private(set) var hasRefund = false

    /// A trade at the prices of the pools; nil if they cannot serve it.
    init?(_ query: SwapAPIQuery, _ pools: [ConstantPool]) {
        let million = UInt256(SwapAPIQuery.million)
        let slippage = UInt256(query.slippage)
        guard query.isWrap || !query.excludedSources.contains(SwapAnswer.source),
            let route = PoolRoute(
                from: SwapAPIQuery.pooled(query.sellToken),
                to: SwapAPIQuery.pooled(query.buyToken),
                pools
            )
        else { return nil }
        self.route = route
        isExactOut = query.isExactOut
        switch query.amount {
        case .sell(let amount):
            guard let output = route.output(of: amount),
                let minimum = UInt256.mulDiv(output, million - slippage, million)?.quotient
            else { return nil }
            sold = amount
            maximumSold = amount
            bought = output
            minimumBought = query.isWrap ? output : minimum
        case .buy(let amount):
            guard let input = route.input(for: amount),
                let maximum = Self.scaled(input, million + slippage, million),
                let forward = route.trade(maximum)
            else { return nil }
            let extra = forward.output - min(amount, forward.output)
            // The refund is left out where it would bring nothing, and so revert.
            let back = extra > .zero ? forward.after.reversed.output(of: extra) : nil
            hasRefund = back != nil
            sold = maximum - min(back ?? .zero, maximum)
            maximumSold = maximum
            bought = amount
            minimumBought = amount
        }
    }

    /// The same trade 3 % worse for the account.
    var worse: PooledTrade {
        var trade = self
        if isExactOut {
            trade.sold = Self.scaled(sold, 103, 100) ?? sold
            trade.maximumSold = Self.scaled(maximumSold, 103, 100) ?? maximumSold
            trade.hasRefund = true
        } else {
            trade.bought = UInt256.mulDiv(bought, 97, 100)?.quotient ?? bought
            trade.minimumBought = UInt256.mulDiv(minimumBought, 97, 100)?.quotient ?? minimumBought
        }
        return trade
    }

    /// A hint: above what a call of the stand-in contracts needs, by less than a half.
    var gas: UInt64 {
        let hops = UInt64(route.hops.count)
        return 115_000 + 65_000 * hops + (isExactOut ? 20_000 + 25_000 * hops : 0)
    }

    /// `amount * factor / divisor`, rounded up; nil above 256 bits.
    private static func scaled(
        _ amount: UInt256,
        _ factor: UInt256,
        _ divisor: UInt256
    ) -> UInt256? {
        guard let (quotient, remainder) = UInt256.mulDiv(amount, factor, divisor) else {
            return nil
        }
        return remainder > .zero ? quotient.addingSaturating(1) : quotient
    }
}
