import Ethereum
import ZeroEx

/// The makers' remaining funds, while orders draw on them one after another.
struct FillCapacity {
    /// Base units left; a holding without a key could not be read.
    private var pools: [HoldingKey: UInt256]
    private let exchangeProtocol: any ExchangeProtocol
    private let contracts: ExchangeContracts

    /// The fillable part of an order.
    struct Fill: Hashable {
        /// Base units of the taker token; zero if nothing can be filled.
        var taker: UInt256
        /// The payout, rounded down.
        var maker: UInt256
        /// The maker's funds allow less than the order has left.
        var isLimitedByFunds: Bool
        /// The reason if nothing can be filled, else nil.
        var obstacle: DropReason?
    }

    init(
        holdings: [HoldingKey: Holding],
        exchangeProtocol: any ExchangeProtocol,
        contracts: ExchangeContracts
    ) {
        pools = holdings.compactMapValues(\.spendable)
        self.exchangeProtocol = exchangeProtocol
        self.contracts = contracts
    }

    /// The maximum fill of an order now; nothing is drawn.
    func fill(of order: any SignedOrder, remaining: UInt256) -> Fill {
        fillAndNeeds(of: order, remaining: remaining).fill
    }

    /// The maximum fill, which also draws its payout and the maker's fee from the maker's pools.
    mutating func draw(_ order: any SignedOrder, remaining: UInt256) -> Fill {
        let (fill, needs) = fillAndNeeds(of: order, remaining: remaining)
        for need in needs {
            take(need.amount, from: HoldingKey(owner: order.maker, token: need.token))
        }
        return fill
    }

    /// The maximum fill of an order now, and what it takes from its maker: nothing if there is none.
    private func fillAndNeeds(
        of order: any SignedOrder,
        remaining: UInt256
    ) -> (fill: Fill, needs: [OrderFunding.Need]) {
        func none(_ obstacle: DropReason, isLimited: Bool = false) -> (Fill, [OrderFunding.Need]) {
            (Fill(taker: 0, maker: 0, isLimitedByFunds: isLimited, obstacle: obstacle), [])
        }
        guard remaining != .zero, order.makerAmount != .zero, order.takerAmount != .zero else {
            return none(.usedUp)
        }
        guard let whole = exchangeProtocol.makerAmount(of: order, filling: remaining) else {
            return none(.tooLarge)
        }
        let funding = funding(of: order)
        let needs = funding.needs(filling: remaining, giving: whole)
        let limit = funding.payable(upTo: remaining, needing: needs) { token in
            pools[HoldingKey(owner: order.maker, token: token)]
        }
        guard let limit else { return none(.unreadable, isLimited: true) }
        let isLimited = limit < remaining
        guard limit != .zero else { return none(.unfunded, isLimited: isLimited) }
        let taker = exchangeProtocol.largestFill(of: order, upTo: limit)
        let maker = taker.flatMap { taker in
            taker == remaining ? whole : exchangeProtocol.makerAmount(of: order, filling: taker)
        }
        guard let taker, let maker, maker != .zero else {
            // A unit or two left in the pool by better orders do not count as funding.
            return none(isLimited ? .unfunded : .rounding, isLimited: isLimited)
        }
        return (
            Fill(taker: taker, maker: maker, isLimitedByFunds: isLimited, obstacle: nil),
            taker == remaining ? needs : funding.needs(filling: taker, giving: maker)
        )
    }

    /// Gives back what the fill of an order drew.
    mutating func giveBack(_ fill: Fill, of order: any SignedOrder) {
        guard fill.obstacle == nil else { return }
        for need in funding(of: order).needs(filling: fill.taker) {
            let key = HoldingKey(owner: order.maker, token: need.token)
            if let left = pools[key] { pools[key] = left.addingSaturating(need.amount) }
        }
    }

    private mutating func take(_ amount: UInt256, from key: HoldingKey) {
        guard let left = pools[key] else { return }
        let (rest, isShort) = left.subtractingReportingOverflow(amount)
        pools[key] = isShort ? 0 : rest
    }

    private func funding(of order: any SignedOrder) -> OrderFunding {
        OrderFunding(order, by: exchangeProtocol, contracts: contracts)
    }
}
