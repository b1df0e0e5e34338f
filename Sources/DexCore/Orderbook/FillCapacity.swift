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
        guard remaining != .zero, order.makerAmount != .zero, order.takerAmount != .zero else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: false, obstacle: .usedUp)
        }
        guard exchangeProtocol.makerAmount(of: order, filling: remaining) != nil else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: false, obstacle: .tooLarge)
        }
        let limit = funding(of: order).payable(upTo: remaining) { token in
            pools[HoldingKey(owner: order.maker, token: token)]
        }
        guard let limit else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: true, obstacle: .unreadable)
        }
        let isLimited = limit < remaining
        guard limit != .zero else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: isLimited, obstacle: .unfunded)
        }
        guard let taker = exchangeProtocol.largestFill(of: order, upTo: limit),
            let maker = exchangeProtocol.makerAmount(of: order, filling: taker),
            maker != .zero
        else {
            // A unit or two left in the pool by better orders do not count as funding.
            return Fill(
                taker: 0,
                maker: 0,
                isLimitedByFunds: isLimited,
                obstacle: isLimited ? .unfunded : .rounding
            )
        }
        return Fill(taker: taker, maker: maker, isLimitedByFunds: isLimited, obstacle: nil)
    }

    /// The maximum fill, which also draws its payout and the maker's fee from the maker's pools.
    mutating func draw(_ order: any SignedOrder, remaining: UInt256) -> Fill {
        let fill = fill(of: order, remaining: remaining)
        guard fill.obstacle == nil else { return fill }
        for need in funding(of: order).needs(filling: fill.taker) {
            take(need.amount, from: HoldingKey(owner: order.maker, token: need.token))
        }
        return fill
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
