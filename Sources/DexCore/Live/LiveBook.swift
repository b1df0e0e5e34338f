package import Ethereum
package import ZeroEx

/// A pair's verified book that follows changes, each at the cost of what it touches.
///
/// After any changes it equals the book that `BookAssembler` builds of the same orders, states and
/// holdings.
package struct LiveBook: Sendable {
    package let pair: Pair
    /// The block of the latest reading.
    package private(set) var block: Block
    package private(set) var asks = LiveSide(side: .buy)
    package private(set) var bids = LiveSide(side: .sell)
    /// Orders that the relays sent and that are not verified, by the latest whole reading.
    package private(set) var unverified: [OrderbookState.Dropped] = []
    package private(set) var relays: [RelayAnswer] = []
    /// Why there may be more orders; nil if the relay's list was whole.
    package private(set) var shortfall: RelayShortfall?
    /// Counts the changes that show.
    private(set) var revision = 0
    private var assembler: BookAssembler
    private var orders: [OrderHash: Known] = [:]
    private var makers: [Address: LiveMaker] = [:]
    /// Makers whose funds may have to be shared again.
    private var stale: Set<Address> = []
    /// Wei for one more order in a fill, and what it depends on.
    private var gas: Wei?
    private var gasSource: GasSource?
    /// The next times at which an order expires, and at which one is about to.
    private var nextEnd = UInt256.max
    private var nextMargin = UInt256.max

    private enum Known {
        case placed(PricedOrder)
        /// It has no place on a side.
        case out(Shown, DropReason)

        var order: any SignedOrder {
            switch self {
            case .placed(let priced): priced.order
            case .out(let shown, _): shown.order
            }
        }

        var state: OrderState {
            switch self {
            case .placed(let priced): priced.state
            case .out(let shown, _): shown.state
            }
        }
    }

    private struct GasSource: Equatable {
        let price: Wei?
        let order: OrderHash?
    }

    /// A verified order and what was read of it at one block.
    package struct Shown: Sendable {
        package let order: any SignedOrder
        package let state: OrderState

        package init(order: any SignedOrder, state: OrderState) {
            self.order = order
            self.state = state
        }
    }

    /// A change of the book.
    package enum Change: Sendable {
        case shown([Shown], holdings: [HoldingKey: Holding])
        case removed([OrderHash])
        /// What was read again; orders that are not in the book are left out.
        case read(states: [OrderHash: OrderState], holdings: [HoldingKey: Holding])
        /// - Parameter now: seconds since 1970, not before the block.
        case time(Block, now: UInt64, gasPrice: Wei?)
    }

    package init(_ snapshot: BookSnapshot) {
        let materials = snapshot.materials
        var listed: Set<OrderHash> = []
        listed.reserveCapacity(materials.orders.count)
        for order in materials.orders { listed.insert(order.hash) }
        self.init(pair: snapshot.pair, block: snapshot.block, materials)
        relays = snapshot.relays?.answers ?? []
        shortfall = snapshot.shortfall
        unverified = snapshot.dropped.filter { dropped in
            dropped.orderHash.map { !listed.contains($0) } ?? true
        }
    }

    /// A book of verified orders, without fees in a third token.
    ///
    /// - Parameter holdings: of the orders' makers.
    package init(
        pair: Pair,
        block: Block,
        exchangeProtocol: any ExchangeProtocol,
        contracts: ExchangeContracts,
        _ shown: [Shown],
        holdings: [HoldingKey: Holding],
        account: Address? = nil
    ) {
        self.init(
            pair: pair,
            block: block,
            BookMaterials(
                assembler: BookAssembler(
                    exchangeProtocol: exchangeProtocol,
                    contracts: contracts,
                    pricing: OrderPricing(base: pair.base.address, quote: pair.quote.address),
                    weth: nil,
                    timestamp: block.timestamp,
                    now: block.timestamp,
                    gasPrice: nil,
                    account: account,
                    settings: ReadSettings()
                ),
                orders: shown.map(\.order),
                states: shown.map(\.state),
                holdings: holdings
            )
        )
    }

    init(pair: Pair, block: Block, _ materials: BookMaterials) {
        self.pair = pair
        self.block = block
        assembler = materials.assembler
        load(materials)
    }

    /// All at once: one by one would move the sorted orders each time.
    private mutating func load(_ materials: BookMaterials) {
        orders.reserveCapacity(materials.orders.count)
        var sides: [TradeSide: [PricedOrder]] = [:]
        for (order, state) in zip(materials.orders, materials.states) {
            do throws(DropReason) {
                let priced = try assembler.priced(order, state)
                sides[priced.side, default: []].append(priced)
                orders[order.hash] = .placed(priced)
            } catch {
                orders[order.hash] = .out(Shown(order: order, state: state), error)
            }
            makers[order.maker, default: LiveMaker()].count += 1
            wait(for: order.expiry)
        }
        let assembler = assembler
        for (side, priced) in sides {
            let sorted = PricedOrder.sorted(priced)
            for one in sorted { makers[one.order.maker, default: LiveMaker()].append(one) }
            change(side) { side in
                side.fill(
                    sorted.map { one in
                        LiveSlot(
                            one,
                            marks: assembler.flags(of: one.order, remaining: one.state.remaining),
                            fill: .unknown,
                            by: assembler,
                            gas: nil
                        )
                    }
                )
            }
        }
        fund(materials.holdings.filter { makers[$0.key.owner] != nil })
        stale = Set(makers.keys)
        gasSource = currentGasSource
        gas = gasOfOneFill
        settleMakers()
        settleSides()
    }

    package func order(_ hash: OrderHash) -> (any SignedOrder)? { orders[hash]?.order }

    /// Halfway between the best prices; nil if one is missing.
    package var mid: Price? { PriceModel.mid(bids.best, asks.best) }

    /// The side on which an order stands for its taker; nil for one that is not in the book.
    package func side(_ side: TradeSide) -> LiveSide { side == .buy ? asks : bids }

    /// Orders that were received and are on no side.
    package var leftOutCount: Int {
        orders.count - asks.count - bids.count + unverified.orderCount
    }

    /// Verified orders of which nothing can be filled, with the reason.
    package var dropped: [OrderbookState.Dropped] {
        var dropped = unverified
        for known in orders.values {
            if case .out(let shown, let obstacle) = known {
                dropped.append(OrderbookState.Dropped(shown.order, obstacle))
            }
        }
        for slot in asks.slots + bids.slots {
            if let obstacle = slot.fill.obstacle {
                dropped.append(OrderbookState.Dropped(slot.priced.order, obstacle))
            }
        }
        return dropped
    }

    // MARK: Changes

    package mutating func apply(_ change: Change) { apply([change]) }

    /// Applies changes, in order, and finds the best prices again.
    package mutating func apply(_ changes: [Change]) {
        for change in changes {
            switch change {
            case .shown(let shown, let holdings):
                fund(holdings)
                for one in shown { insert(one) }
            case .removed(let hashes): for hash in hashes { remove(hash) }
            case .read(let states, let holdings):
                fund(holdings)
                for (hash, state) in states { update(hash, state) }
            case .time(let block, let now, let gasPrice):
                move(to: block, now: now, gasPrice: gasPrice)
            }
        }
        settleMakers()
        markDust()
        settleSides()
    }

    private mutating func settleSides() {
        asks.settle()
        bids.settle()
    }

    private mutating func insert(_ shown: Shown) {
        let hash = shown.order.hash
        if orders[hash] != nil { remove(hash) }
        makers[shown.order.maker, default: LiveMaker()].count += 1
        stale.insert(shown.order.maker)
        do throws(DropReason) {
            let priced = try assembler.priced(shown.order, shown.state)
            let fill = makers[shown.order.maker]?.add(priced) ?? .unknown
            let slot = slot(priced, fill)
            change(priced.side) { side in side.insert(slot, at: side.place(of: priced)) }
            orders[hash] = .placed(priced)
        } catch {
            orders[hash] = .out(shown, error)
            revision += 1
        }
        wait(for: shown.order.expiry)
    }

    private func slot(_ priced: PricedOrder, _ fill: FillCapacity.Fill) -> LiveSlot {
        let marks = assembler.flags(of: priced.order, remaining: priced.state.remaining)
        return LiveSlot(priced, marks: marks, fill: fill, by: assembler, gas: gas)
    }

    private mutating func remove(_ hash: OrderHash) {
        guard let known = orders.removeValue(forKey: hash) else { return }
        revision += 1
        makers[known.order.maker]?.count -= 1
        stale.insert(known.order.maker)
        guard case .placed(let priced) = known, let place = place(of: priced) else { return }
        let fill = side(priced.side).slots[place].fill
        makers[known.order.maker]?.remove(priced, fill: fill)
        change(priced.side) { $0.remove(at: place) }
    }

    /// A new state; an order's price, and so its place, does not depend on it.
    private mutating func update(_ hash: OrderHash, _ state: OrderState) {
        guard let known = orders[hash], known.state != state else { return }
        guard case .placed(let old) = known, let place = place(of: old),
            // nil: it has no place any more
            let priced = try? assembler.priced(old.order, state)
        else { return insert(Shown(order: known.order, state: state)) }
        stale.insert(old.order.maker)
        let before = side(old.side).slots[place].fill
        let fill = makers[old.order.maker]?.redraw(priced, instead: before) ?? .unknown
        let slot = slot(priced, fill)
        change(priced.side) { $0.replace(place, slot) }
        orders[hash] = .placed(priced)
    }

    private func place(of priced: PricedOrder) -> Int? {
        let side = side(priced.side)
        let place = side.place(of: priced)
        guard place < side.slots.count, side.slots[place].priced.order.hash == priced.order.hash
        else { return nil }
        return place
    }

    private mutating func change(_ side: TradeSide, _ change: (inout LiveSide) -> Void) {
        revision += 1
        if side == .buy { change(&asks) } else { change(&bids) }
    }

    private mutating func fund(_ holdings: [HoldingKey: Holding]) {
        for (key, holding) in holdings {
            makers[key.owner, default: LiveMaker()].fund(key, holding)
            stale.insert(key.owner)
        }
    }

    /// Shares the funds of makers again where that changes more than one order.
    private mutating func settleMakers() {
        for address in stale {
            guard let maker = makers[address] else { continue }
            if maker.count == 0 {
                // Its funds are read again with its next order.
                makers[address] = nil
            } else if maker.isStale {
                settle(address)
            }
        }
        stale = []
    }

    private mutating func settle(_ address: Address) {
        guard let maker = makers[address] else { return }
        let places = [maker.asks, maker.bids].enumerated().map { index, own in
            own.map { (index == 0 ? asks : bids).place(of: $0) }
        }
        var capacity = maker.capacity(by: assembler)
        var fills: [(side: Int, place: Int, fill: FillCapacity.Fill)] = []
        BookAssembler.draws(places[0], places[1]) { index, place in
            BookAssembler.isShownOnly((index == 0 ? asks : bids).slots[place].marks)
        } draw: { index, place in
            let priced = (index == 0 ? asks : bids).slots[place].priced
            let fill = capacity.draw(priced.order, remaining: priced.state.remaining)
            fills.append((index, place, fill))
        }
        let (assembler, gas) = (assembler, gas)
        for (index, place, fill) in fills {
            change(index == 0 ? .buy : .sell) { side in
                let slot = side.slots[place]
                guard slot.fill != fill else { return }
                side.replace(place, slot.with(fill: fill, by: assembler, gas: gas))
            }
        }
        makers[address]?.settled(
            capacity,
            isAmple: fills.allSatisfy { !$0.fill.isLimitedByFunds }
        )
    }

    // MARK: Time

    /// Remembers when an order expires, and when it is about to.
    private mutating func wait(for expiry: UInt256) {
        if expiry > UInt256(assembler.timestamp) { nextEnd = min(nextEnd, expiry) }
        if expiry > assembler.expiringUntil { nextMargin = min(nextMargin, expiry) }
    }

    private mutating func move(to block: Block, now: UInt64, gasPrice: Wei?) {
        let (oldEnd, oldMargin) = (UInt256(assembler.timestamp), assembler.expiringUntil)
        self.block = block
        assembler.timestamp = block.timestamp
        assembler.now = now
        assembler.gasPrice = gasPrice
        let (end, margin) = (UInt256(block.timestamp), assembler.expiringUntil)
        // A clock that goes back makes orders valid again.
        guard end >= nextEnd || margin >= nextMargin || end < oldEnd || margin < oldMargin
        else { return }
        (nextEnd, nextMargin) = (.max, .max)
        let changed = orders.values.filter { known in
            let expiry = known.order.expiry
            return (expiry <= oldEnd) != (expiry <= end)
                || (expiry <= oldMargin) != (expiry <= margin)
        }
        for known in changed { insert(Shown(order: known.order, state: known.state)) }
        for known in orders.values { wait(for: known.order.expiry) }
    }

    private var currentGasSource: GasSource {
        GasSource(
            price: assembler.gasPrice,
            order: (asks.slots.first ?? bids.slots.first)?.priced.order.hash
        )
    }

    private var gasOfOneFill: Wei? {
        assembler.gasOfOneFill((asks.slots.first ?? bids.slots.first)?.priced.order)
    }

    /// A fill's gas depends on the gas price and on the best order.
    private mutating func markDust() {
        let source = currentGasSource
        guard source != gasSource else { return }
        gasSource = source
        let gas = gasOfOneFill
        guard gas != self.gas else { return }
        self.gas = gas
        let assembler = assembler
        for side in [TradeSide.buy, .sell] {
            for (place, slot) in self.side(side).slots.enumerated() {
                guard let entry = slot.entry else { continue }
                let isDust = assembler.isDust(
                    entry.order,
                    taker: entry.fillableTaker,
                    maker: entry.fillableMaker,
                    gas: gas
                )
                guard isDust != entry.flags.contains(.dust) else { continue }
                change(side) { side in
                    side.replace(place, slot.with(fill: slot.fill, by: assembler, gas: gas))
                }
            }
        }
    }
}

// MARK: - Levels

extension LiveBook {
    package func entry(at cursor: LiveCursor) -> BookEntry? {
        side(cursor.side).entries.dropFirst(cursor.rank).first { _ in true }
    }

    /// The sum of a side up to a level, of orders that can be taken.
    ///
    /// - Returns: base units of BASE, and of QUOTE after the taker's fees, rounded against the
    ///   taker.
    package func total(upTo cursor: LiveCursor) -> (base: UInt256, quote: UInt256) {
        var sum = (base: UInt256.zero, quote: UInt256.zero)
        for entry in side(cursor.side).entries.prefix(cursor.rank + 1) where entry.isTakeable {
            let base = BookDepth.Level(entry, side: cursor.side).base
            sum.base = sum.base.addingSaturating(base)
            let value = UInt256.mulDiv(base, entry.price.quote, entry.price.base)
            guard let value else { continue }
            let up: UInt256 = cursor.side == .buy && value.remainder != .zero ? 1 : 0
            sum.quote = sum.quote.addingSaturating(value.quotient.addingSaturating(up))
        }
        return sum
    }
}
