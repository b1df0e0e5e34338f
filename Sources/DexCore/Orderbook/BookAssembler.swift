import Ethereum
import ZeroEx

/// Builds a book from verified orders and the data read about them; no I/O.
struct BookAssembler: Sendable {
    let exchangeProtocol: any ExchangeProtocol
    let contracts: ExchangeContracts
    let pricing: OrderPricing
    /// Wrapped ether; a fill's value in it is compared with its gas.
    let weth: Address?
    var timestamp: UInt64
    /// The earliest time of a fill: seconds since 1970, not before the block.
    ///
    /// A chain that mines on demand may have no new block for hours.
    var now: UInt64
    /// Wei per gas; if it is nil (unknown), no order counts as dust.
    var gasPrice: Wei?
    /// The account whose orders are `own`, and which may fill private ones.
    let account: Address?
    let settings: ReadSettings
    /// By which a fill's gas is what it is.
    var revision = Revision.osaka

    struct Sides {
        var bids: [BookEntry] = []
        var asks: [BookEntry] = []
        var dropped: [OrderbookState.Dropped] = []
    }

    /// Prices, sorts, nets and flags, on two cores; the states are in the order of the orders.
    @concurrent
    func assemble(
        _ orders: [any SignedOrder],
        states: [OrderState],
        holdings: [HoldingKey: Holding]
    ) async -> Sides {
        async let asks = ranked(.buy, orders, states)
        let bids = ranked(.sell, orders, states)
        return await net(asks: asks, bids: bids, holdings: holdings)
    }

    /// The orders that a taker's side fills, the best first.
    private struct RankedSide: Sendable {
        let orders: [PricedOrder]
        /// The flags that do not depend on funds.
        let flags: [Set<OrderFlag>]
        /// Those that are not in the book, with their places in the relay's list.
        let dropped: [(place: Int, order: OrderbookState.Dropped)]
    }

    private func ranked(
        _ side: TradeSide,
        _ orders: [any SignedOrder],
        _ states: [OrderState]
    ) -> RankedSide {
        var priced: [PricedOrder] = []
        var dropped: [(place: Int, order: OrderbookState.Dropped)] = []
        for (place, (order, state)) in zip(orders, states).enumerated()
        where (pricing.side(of: order) ?? .buy) == side {
            do throws(DropReason) {
                priced.append(try self.priced(order, state))
            } catch {
                dropped.append((place, OrderbookState.Dropped(order, error)))
            }
        }
        let ranked = PricedOrder.sorted(priced)
        return RankedSide(
            orders: ranked,
            flags: ranked.map { flags(of: $0.order, remaining: $0.state.remaining) },
            dropped: dropped
        )
    }

    /// An order that is open, with its price.
    ///
    /// - Throws: why it is not in the book, whatever its maker's funds.
    func priced(_ order: any SignedOrder, _ state: OrderState) throws(DropReason) -> PricedOrder {
        guard order.expiry > UInt256(timestamp) else { throw .expired }
        if let end = DropReason(state.status) { throw end }
        return try withPrice(order, state)
    }

    /// - Throws: `DropReason` if it has no price.
    func withPrice(_ order: any SignedOrder, _ state: OrderState) throws(DropReason) -> PricedOrder
    {
        let feeToken =
            order.takerFee == .zero
            ? nil : exchangeProtocol.feeToken(of: order, contracts: contracts)
        return PricedOrder(
            order: order,
            state: state,
            side: pricing.side(of: order) ?? .buy,
            price: try pricing.price(of: order, feeToken: feeToken)
        )
    }

    /// Shares each maker's balances among its orders.
    private func net(
        asks: RankedSide,
        bids: RankedSide,
        holdings: [HoldingKey: Holding]
    ) async -> Sides {
        let both = [asks, bids]
        let capacity = FillCapacity(
            holdings: holdings,
            exchangeProtocol: exchangeProtocol,
            contracts: contracts
        )
        // Makers share nothing, so that each half of the orders is drawn by itself.
        let makers = Self.byMaker(both)
        let half = (asks.orders.count + bids.orders.count) / 2
        let distances = makers.map { abs($0.count - half) }
        let middle = distances.indices.min { distances[$0] < distances[$1] }.map { $0 + 1 } ?? 0
        async let first = draw(makers[..<middle], both, capacity)
        let drawn = draw(makers[middle...], both, capacity)
        var fills = [[FillCapacity.Fill?]](
            both.map { Array(repeating: nil, count: $0.orders.count) }
        )
        for draw in drawn { fills[draw.side][draw.rank] = draw.fill }
        for draw in await first { fills[draw.side][draw.rank] = draw.fill }
        let gas = gasOfOneFill(asks.orders.first?.order ?? bids.orders.first?.order)
        let (askFills, bidFills) = (fills[0], fills[1])
        async let askEntries = entries(asks, askFills, gas: gas)
        let bidEntries = entries(bids, bidFills, gas: gas)
        let (asksShown, asksDropped) = await askEntries
        let dropped = (asks.dropped + bids.dropped).sorted { $0.place < $1.place }.map(\.order)
        return Sides(
            bids: bidEntries.shown,
            asks: asksShown,
            dropped: dropped + asksDropped + bidEntries.dropped
        )
    }

    /// One maker's orders: the ranks of its asks and bids.
    private struct MakerRanks: Sendable {
        var asks: [Int] = []
        var bids: [Int] = []
        /// The number of orders up to this maker's, its own included.
        var count = 0
    }

    /// What an order can be filled with after those before it.
    private struct Draw: Sendable {
        /// 0 for an ask, 1 for a bid.
        let side: Int
        let rank: Int
        let fill: FillCapacity.Fill
    }

    private static func byMaker(_ both: [RankedSide]) -> [MakerRanks] {
        var places: [Address: Int] = [:]
        var makers: [MakerRanks] = []
        for (side, ranked) in both.enumerated() {
            for rank in ranked.orders.indices {
                let maker = ranked.orders[rank].order.maker
                let place: Int
                if let known = places[maker] {
                    place = known
                } else {
                    place = makers.count
                    places[maker] = place
                    makers.append(MakerRanks())
                }
                if side == 0 {
                    makers[place].asks.append(rank)
                } else {
                    makers[place].bids.append(rank)
                }
            }
        }
        var count = 0
        for place in makers.indices {
            count += makers[place].asks.count + makers[place].bids.count
            makers[place].count = count
        }
        return makers
    }

    private func draw(
        _ makers: ArraySlice<MakerRanks>,
        _ both: [RankedSide],
        _ capacity: FillCapacity
    ) -> [Draw] {
        var capacity = capacity
        var draws: [Draw] = []
        draws.reserveCapacity((makers.last?.count ?? 0) - (makers.first?.count ?? 0) + 64)
        for maker in makers {
            Self.draws(maker.asks, maker.bids) { side, rank in
                Self.isShownOnly(both[side].flags[rank])
            } draw: { side, rank in
                let fill = capacity.draw(
                    both[side].orders[rank].order,
                    remaining: both[side].orders[rank].state.remaining
                )
                draws.append(Draw(side: side, rank: rank, fill: fill))
            }
        }
        return draws
    }

    private func entries(
        _ side: RankedSide,
        _ fills: [FillCapacity.Fill?],
        gas: Wei?
    ) -> (shown: [BookEntry], dropped: [OrderbookState.Dropped]) {
        var shown: [BookEntry] = []
        shown.reserveCapacity(side.orders.count)
        var dropped: [OrderbookState.Dropped] = []
        for rank in side.orders.indices {
            guard let fill = fills[rank] else { continue }
            if let obstacle = fill.obstacle {
                dropped.append(OrderbookState.Dropped(side.orders[rank].order, obstacle))
            } else {
                shown.append(entry(side.orders[rank], fill, side.flags[rank], gas: gas))
            }
        }
        return (shown, dropped)
    }

    /// The sequence in which one maker's orders draw on its funds.
    ///
    /// Orders to be taken draw first, the best of each side in turn, since the maker's pools serve
    /// both. Orders that are only shown (expiring, for others) get the rest, since they would
    /// otherwise hide liquidity. Other makers' orders do not matter.
    ///
    /// - Parameters:
    ///   - asks: the maker's asks, the best first; its bids follow.
    ///   - draw: gets 0 for an ask and 1 for a bid, and the element.
    static func draws<Element>(
        _ asks: [Element],
        _ bids: [Element],
        isShownOnly: (Int, Element) -> Bool,
        draw: (Int, Element) -> Void
    ) {
        let both = [asks, bids]
        var isPassNeeded = true
        for isSecondPass in [false, true] where isPassNeeded {
            isPassNeeded = false
            for rank in 0..<max(asks.count, bids.count) {
                for index in both.indices where rank < both[index].count {
                    let element = both[index][rank]
                    guard isShownOnly(index, element) == isSecondPass else {
                        isPassNeeded = true
                        continue
                    }
                    draw(index, element)
                }
            }
        }
    }

    static func isShownOnly(_ flags: Set<OrderFlag>) -> Bool {
        !flags.isEmpty && !flags.isDisjoint(with: OrderFlag.notForTaking)
    }

    /// Orders that expire up to this time are marked `expiring`.
    var expiringUntil: UInt256 {
        let (limit, overflow) = now.addingReportingOverflow(settings.expiryMargin)
        return UInt256(overflow ? .max : limit)
    }

    /// The flags that do not depend on the maker's funds.
    func flags(of order: any SignedOrder, remaining: UInt256) -> Set<OrderFlag> {
        var flags: Set<OrderFlag> = []
        if order.expiry <= expiringUntil { flags.insert(.expiring) }
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

    func entry(
        _ priced: PricedOrder,
        _ fill: FillCapacity.Fill,
        _ flags: Set<OrderFlag>,
        gas: Wei?
    ) -> BookEntry {
        var flags = flags
        if priced.state.remaining < priced.order.takerAmount { flags.insert(.partlyFilled) }
        if fill.isLimitedByFunds { flags.insert(.partlyFunded) }
        if isDust(priced.order, taker: fill.taker, maker: fill.maker, gas: gas) {
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

    /// A fill of it costs more gas than it is worth, if one of its tokens is wrapped ether.
    func isDust(_ order: any SignedOrder, taker: UInt256, maker: UInt256, gas: Wei?) -> Bool {
        guard let gas, let weth else { return false }
        switch weth {
        case order.makerToken: return Wei(maker) < gas
        case order.takerToken: return Wei(taker) < gas
        default: return false
        }
    }

    /// The cost of one more order in a market call at the current gas price.
    func gasOfOneFill(_ sample: (any SignedOrder)?) -> Wei? {
        guard let gasPrice, weth != nil, let order = sample else { return nil }
        let fill = PlannedFill(order: order, takerAmount: order.takerAmount)
        let gas = [1, 2].map { count in
            let call = exchangeProtocol.marketCall(
                Array(repeating: fill, count: count),
                total: .max,
                mode: .throwing,
                contracts: contracts
            )
            return call.gasFloor.units(revision).addingSaturating(call.protocolFeeGas)
        }
        let (more, isLess) = gas[1].subtractingReportingOverflow(gas[0])
        return isLess ? nil : gasPrice.multiplied(by: UInt256(more))
    }
}
