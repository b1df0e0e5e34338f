import Ethereum
import ZeroEx

/// Builds a book from verified orders and the data read about them; no I/O.
struct BookAssembler {
    let exchangeProtocol: any ExchangeProtocol
    let contracts: ExchangeContracts
    let pricing: OrderPricing
    /// Wrapped ether; a fill's value in it is compared with its gas.
    let weth: Address?
    let timestamp: UInt64
    /// The earliest time of a fill: seconds since 1970, not before the block.
    ///
    /// A chain that mines on demand may have no new block for hours.
    let now: UInt64
    /// Wei per gas; if it is nil (unknown), no order counts as dust.
    let gasPrice: Wei?
    /// The account whose orders are `own`, and which may fill private ones.
    let account: Address?
    let settings: ReadSettings

    struct Sides {
        var bids: [BookEntry] = []
        var asks: [BookEntry] = []
        var dropped: [OrderbookState.Dropped] = []
    }

    /// Prices, sorts, nets and flags; the states are in the order of the orders.
    func assemble(
        _ orders: [any SignedOrder],
        states: [OrderState],
        holdings: [HoldingKey: Holding]
    ) -> Sides {
        var sides = Sides()
        var asks: [PricedOrder] = []
        var bids: [PricedOrder] = []
        asks.reserveCapacity(orders.count)
        bids.reserveCapacity(orders.count)
        for (order, state) in zip(orders, states) {
            guard order.expiry > UInt256(timestamp) else {
                sides.dropped.append(OrderbookState.Dropped(order, .expired))
                continue
            }
            if let end = DropReason(state.status) {
                sides.dropped.append(OrderbookState.Dropped(order, end))
                continue
            }
            do throws(DropReason) {
                let feeToken =
                    order.takerFee == .zero
                    ? nil : exchangeProtocol.feeToken(of: order, contracts: contracts)
                let priced = PricedOrder(
                    order: order,
                    state: state,
                    side: pricing.side(of: order) ?? .buy,
                    price: try pricing.price(of: order, feeToken: feeToken)
                )
                if priced.side == .buy { asks.append(priced) } else { bids.append(priced) }
            } catch {
                sides.dropped.append(OrderbookState.Dropped(order, error))
            }
        }
        net(
            asks: PricedOrder.sorted(asks),
            bids: PricedOrder.sorted(bids),
            holdings: holdings,
            into: &sides
        )
        return sides
    }

    /// Shares each maker's balances among its orders.
    ///
    /// Orders to be taken draw first, best first. Orders that are only shown (expiring, for others)
    /// get the rest, since they would otherwise hide liquidity. If both sides are read, each
    /// maker's pools serve both, rank by rank.
    private func net(
        asks: [PricedOrder],
        bids: [PricedOrder],
        holdings: [HoldingKey: Holding],
        into sides: inout Sides
    ) {
        var capacity = FillCapacity(
            holdings: holdings,
            exchangeProtocol: exchangeProtocol,
            contracts: contracts
        )
        let both = [asks, bids]
        let marks = both.map { side in
            side.map { flags(of: $0.order, remaining: $0.state.remaining) }
        }
        var fills: [[FillCapacity.Fill?]] = both.map { Array(repeating: nil, count: $0.count) }
        let ranks = max(asks.count, bids.count)
        for isSecondPass in [false, true] {
            for rank in 0..<ranks {
                for index in both.indices where rank < both[index].count {
                    let isShownOnly =
                        !marks[index][rank].isEmpty
                        && !marks[index][rank].isDisjoint(with: OrderFlag.notForTaking)
                    guard isShownOnly == isSecondPass else { continue }
                    fills[index][rank] = capacity.draw(
                        both[index][rank].order,
                        remaining: both[index][rank].state.remaining
                    )
                }
            }
        }
        let gas = gasOfOneFill(asks.first ?? bids.first)
        sides.asks.reserveCapacity(asks.count)
        sides.bids.reserveCapacity(bids.count)
        for (index, side) in both.enumerated() {
            for (rank, priced) in side.enumerated() {
                guard let fill = fills[index][rank] else { continue }
                if let obstacle = fill.obstacle {
                    sides.dropped.append(OrderbookState.Dropped(priced.order, obstacle))
                    continue
                }
                let entry = entry(priced, fill, marks[index][rank], gas: gas)
                if index == 0 { sides.asks.append(entry) } else { sides.bids.append(entry) }
            }
        }
    }

    /// The flags that do not depend on the maker's funds.
    private func flags(of order: any SignedOrder, remaining: UInt256) -> Set<OrderFlag> {
        var flags: Set<OrderFlag> = []
        let (limit, overflow) = now.addingReportingOverflow(settings.expiryMargin)
        if order.expiry <= UInt256(overflow ? .max : limit) { flags.insert(.expiring) }
        if order.reservation(against: account) != nil { flags.insert(.otherTaker) }
        if order.maker == account { flags.insert(.own) }
        if order.takerFee != .zero {
            let isExceeded = settings.takerFees.isExceeded(
                by: exchangeProtocol.takerFee(of: order, filling: remaining),
                of: order,
                in: exchangeProtocol.feeToken(of: order, contracts: contracts)
            )
            if isExceeded { flags.insert(.takerFee) }
        }
        return flags
    }

    private func entry(
        _ priced: PricedOrder,
        _ fill: FillCapacity.Fill,
        _ flags: Set<OrderFlag>,
        gas: Wei?
    ) -> BookEntry {
        var flags = flags
        if priced.state.remaining < priced.order.takerAmount { flags.insert(.partlyFilled) }
        if fill.isLimitedByFunds { flags.insert(.partlyFunded) }
        if let gas, let worth = worth(of: fill, priced.order), worth < gas {
            flags.insert(.dust)
        }
        return BookEntry(
            order: priced.order,
            state: priced.state,
            price: priced.price,
            fillableTaker: fill.taker,
            fillableMaker: fill.maker,
            flags: flags.isEmpty ? [] : OrderFlag.allCases.filter(flags.contains)
        )
    }

    /// The ether value of a fill, if one of the two tokens is wrapped ether.
    private func worth(of fill: FillCapacity.Fill, _ order: any SignedOrder) -> Wei? {
        switch weth {
        case order.makerToken: Wei(fill.maker)
        case order.takerToken: Wei(fill.taker)
        default: nil
        }
    }

    /// The cost of one more order in a market call at the current gas price.
    private func gasOfOneFill(_ sample: PricedOrder?) -> Wei? {
        guard let gasPrice, weth != nil, let order = sample?.order else { return nil }
        let fill = PlannedFill(order: order, takerAmount: order.takerAmount)
        let gas = [1, 2].map { count in
            let call = exchangeProtocol.marketCall(
                Array(repeating: fill, count: count),
                total: .max,
                mode: .throwing,
                contracts: contracts
            )
            return call.gasFloor.addingSaturating(call.protocolFeeGas)
        }
        let (more, isLess) = gas[1].subtractingReportingOverflow(gas[0])
        return isLess ? nil : gasPrice.multiplied(by: UInt256(more))
    }
}
