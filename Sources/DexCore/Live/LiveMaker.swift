import Ethereum
import ZeroEx

/// One maker of a `LiveBook`: its funds, and its orders, which share them.
struct LiveMaker: Sendable {
    /// Each side, the best first; the book has their latest states.
    private(set) var asks: [PricedOrder] = []
    private(set) var bids: [PricedOrder] = []
    private var holdings: [HoldingKey: Holding] = [:]
    /// What all draws leave.
    private var left: FillCapacity?
    /// The funds cover all of its orders at once, so that each fill is its own affair.
    private var isAmple = false
    /// Its funds must be shared again.
    private(set) var isStale = true
    /// Its orders, those without a place on a side included: as long as there is one, its funds
    /// are known.
    var count = 0

    mutating func fund(_ key: HoldingKey, _ holding: Holding) {
        guard holdings.updateValue(holding, forKey: key) != holding else { return }
        isStale = true
    }

    /// All of its funds, before any draw.
    func capacity(by assembler: BookAssembler) -> FillCapacity {
        FillCapacity(
            holdings: holdings,
            exchangeProtocol: assembler.exchangeProtocol,
            contracts: assembler.contracts
        )
    }

    mutating func settled(_ left: FillCapacity, isAmple: Bool) {
        self.left = left
        self.isAmple = isAmple
        isStale = false
    }

    /// Adds an order.
    ///
    /// - Returns: its fill, known at once where the funds cover everything.
    mutating func add(_ priced: PricedOrder) -> FillCapacity.Fill {
        if priced.side == .buy {
            Self.insert(priced, into: &asks)
        } else {
            Self.insert(priced, into: &bids)
        }
        return draw(priced)
    }

    /// Adds orders that are sorted already; the funds are shared later.
    mutating func append(_ priced: PricedOrder) {
        if priced.side == .buy { asks.append(priced) } else { bids.append(priced) }
        isStale = true
    }

    mutating func remove(_ priced: PricedOrder, fill: FillCapacity.Fill) {
        if priced.side == .buy {
            Self.remove(priced, from: &asks)
        } else {
            Self.remove(priced, from: &bids)
        }
        giveBack(fill, of: priced.order)
    }

    /// The fill of an order with another state.
    mutating func redraw(_ priced: PricedOrder, instead fill: FillCapacity.Fill)
        -> FillCapacity.Fill
    {
        giveBack(fill, of: priced.order)
        return draw(priced)
    }

    private mutating func draw(_ priced: PricedOrder) -> FillCapacity.Fill {
        guard isAmple, !isStale,
            let fill = left?.draw(priced.order, remaining: priced.state.remaining),
            !fill.isLimitedByFunds
        else {
            isStale = true
            return .unknown
        }
        return fill
    }

    private mutating func giveBack(_ fill: FillCapacity.Fill, of order: any SignedOrder) {
        if isAmple, !isStale {
            left?.giveBack(fill, of: order)
        } else {
            isStale = true
        }
    }

    private static func insert(_ priced: PricedOrder, into orders: inout [PricedOrder]) {
        orders.insert(priced, at: PricedOrder.place(of: priced, in: orders, \.self))
    }

    private static func remove(_ priced: PricedOrder, from orders: inout [PricedOrder]) {
        let place = PricedOrder.place(of: priced, in: orders, \.self)
        guard place < orders.count, orders[place].order.hash == priced.order.hash else { return }
        orders.remove(at: place)
    }
}

extension FillCapacity.Fill {
    /// Until the maker's funds are shared.
    static let unknown = Self(taker: 0, maker: 0, isLimitedByFunds: true, obstacle: .unfunded)
}
