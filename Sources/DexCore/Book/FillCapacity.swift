import Ethereum
import ZeroEx

/// What makers still have, while orders draw on it one after another.
///
/// Source: the 0x v1 rules for a fill: `min(remaining, balance, allowance)`, the maker's fee
/// included, out of one pool where the fee token is the maker token.
struct FillCapacity {
    /// Base units that are left; a missing key is a holding that could not be read.
    private var pools: [HoldingKey: UInt256]
    private let exchangeProtocol: any ExchangeProtocol
    private let contracts: ExchangeContracts

    /// How much of an order can be filled.
    struct Fill: Hashable {
        /// Base units of the taker token; zero where none.
        var taker: UInt256
        /// What that pays out, rounded down.
        var maker: UInt256
        /// What the maker's funds allow is less than what the order has left.
        var isLimitedByFunds: Bool
        /// nil unless nothing can be filled: why.
        var obstacle: Obstacle?
    }

    /// Why nothing of an order can be filled.
    enum Obstacle: Hashable {
        case usedUp
        case unfunded
        case unreadable
        case rounding
        /// The contract's arithmetic exceeds 256 bits for what is left of it.
        case tooLarge
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

    /// The most that can be filled of an order now; nothing is drawn.
    func fill(of order: any SignedOrder, remaining: UInt256) -> Fill {
        guard remaining != .zero, order.makerAmount != .zero, order.takerAmount != .zero else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: false, obstacle: .usedUp)
        }
        guard exchangeProtocol.makerAmount(of: order, filling: remaining) != nil else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: false, obstacle: .tooLarge)
        }
        guard let funded = fundedTakerAmount(of: order) else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: true, obstacle: .unreadable)
        }
        let isLimited = funded < remaining
        let limit = min(remaining, funded)
        guard limit != .zero else {
            return Fill(taker: 0, maker: 0, isLimitedByFunds: isLimited, obstacle: .unfunded)
        }
        guard let taker = exchangeProtocol.largestFill(of: order, upTo: limit),
            let maker = exchangeProtocol.makerAmount(of: order, filling: taker),
            maker != .zero
        else {
            // A unit or two that better orders left in the pool is no funding.
            return Fill(
                taker: 0,
                maker: 0,
                isLimitedByFunds: isLimited,
                obstacle: isLimited ? .unfunded : .rounding
            )
        }
        return Fill(taker: taker, maker: maker, isLimitedByFunds: isLimited, obstacle: nil)
    }

    /// The same, and takes what the fill pays out, and the maker's fee for it, from the maker's
    /// pools.
    mutating func draw(_ order: any SignedOrder, remaining: UInt256) -> Fill {
        let fill = fill(of: order, remaining: remaining)
        guard fill.obstacle == nil else { return fill }
        take(fill.maker, from: HoldingKey(owner: order.maker, token: order.makerToken))
        if order.makerFee != .zero {
            let fee = exchangeProtocol.makerFee(of: order, filling: fill.taker)
            take(fee, from: HoldingKey(owner: order.maker, token: feeToken(of: order)))
        }
        return fill
    }

    private mutating func take(_ amount: UInt256, from key: HoldingKey) {
        guard let left = pools[key] else { return }
        let (rest, isShort) = left.subtractingReportingOverflow(amount)
        pools[key] = isShort ? 0 : rest
    }

    private func feeToken(of order: any SignedOrder) -> Address {
        exchangeProtocol.feeToken(of: order, contracts: contracts)
    }

    /// The most taker token that the maker's pools can serve, whatever the order has left; nil
    /// where a pool that it needs is not known.
    private func fundedTakerAmount(of order: any SignedOrder) -> UInt256? {
        let key = HoldingKey(owner: order.maker, token: order.makerToken)
        guard let makerPool = pools[key] else { return nil }
        guard order.makerFee != .zero else {
            return Self.share(makerPool, order.takerAmount, order.makerAmount)
        }
        let token = feeToken(of: order)
        guard token != order.makerToken else {
            return Self.shareOfOnePool(makerPool, order)
        }
        guard let feePool = pools[HoldingKey(owner: order.maker, token: token)] else { return nil }
        return min(
            Self.share(makerPool, order.takerAmount, order.makerAmount),
            Self.share(feePool, order.takerAmount, order.makerFee)
        )
    }

    /// `floor(pool * takerAmount / amount)`; beyond 256 bits it is no limit.
    private static func share(
        _ pool: UInt256,
        _ takerAmount: UInt256,
        _ amount: UInt256
    ) -> UInt256 {
        UInt256.mulDiv(pool, takerAmount, amount)?.quotient ?? .max
    }

    /// The same where the payout and the fee come out of one pool.
    private static func shareOfOnePool(_ pool: UInt256, _ order: any SignedOrder) -> UInt256 {
        let (sum, overflow) = order.makerAmount.addingReportingOverflow(order.makerFee)
        guard overflow else { return share(pool, order.takerAmount, sum) }
        // Both sides halved, the divisor upwards: never more than the exact share.
        let half = order.makerAmount / 2 + order.makerFee / 2 + 1
        return share(pool / 2, order.takerAmount, half)
    }
}
