import Ethereum
package import ZeroEx

/// A priced order of a `LiveBook`, and what of it can be filled.
///
/// The orders are large, and a sorted side moves its slots at each change: they are references to
/// what does not change.
final class LiveSlot: Sendable {
    let priced: PricedOrder
    /// What does not depend on the maker's funds.
    let marks: Set<OrderFlag>
    let fill: FillCapacity.Fill
    /// nil if nothing of it can be filled.
    let entry: BookEntry?
    /// nil if it cannot be taken.
    let level: BookDepth.Level?

    init(
        _ priced: PricedOrder,
        marks: Set<OrderFlag>,
        fill: FillCapacity.Fill,
        by assembler: BookAssembler,
        gas: Wei?
    ) {
        self.priced = priced
        self.marks = marks
        self.fill = fill
        entry = fill.obstacle == nil ? assembler.entry(priced, fill, marks, gas: gas) : nil
        level = entry.flatMap { $0.isTakeable ? BookDepth.Level($0, side: priced.side) : nil }
    }

    /// The same order with another fill, or at another price of gas.
    func with(fill: FillCapacity.Fill, by assembler: BookAssembler, gas: Wei?) -> LiveSlot {
        LiveSlot(priced, marks: marks, fill: fill, by: assembler, gas: gas)
    }
}

/// A side of a `LiveBook`: its priced orders, the best first, funded or not.
package struct LiveSide: Sendable {
    /// What a taker does with BASE: buys from asks, sells to bids.
    package let side: TradeSide
    private(set) var slots: [LiveSlot] = []
    /// The orders of which something can be filled.
    package private(set) var count = 0
    /// The best price of orders that can be taken, ignoring dust.
    package private(set) var best: Price?
    /// What all levels offer.
    private var offered = RunningTotal()

    init(side: TradeSide) { self.side = side }

    /// The orders in the book, the best first.
    package var entries: some Sequence<BookEntry> { slots.lazy.compactMap(\.entry) }

    /// The place of an order, or where it would be.
    func place(of priced: PricedOrder) -> Int {
        PricedOrder.place(of: priced, in: slots, \.priced)
    }

    /// - Parameter slots: the best first.
    mutating func fill(_ slots: [LiveSlot]) {
        self.slots = slots
        count = 0
        offered = RunningTotal()
        for slot in slots { add(slot) }
    }

    mutating func insert(_ slot: LiveSlot, at place: Int) {
        slots.insert(slot, at: place)
        add(slot)
    }

    mutating func remove(at place: Int) {
        leave(slots.remove(at: place))
    }

    /// Another slot of the same order.
    mutating func replace(_ place: Int, _ slot: LiveSlot) {
        leave(slots[place])
        slots[place] = slot
        add(slot)
    }

    private mutating func add(_ slot: LiveSlot) {
        if slot.entry != nil { count += 1 }
        if let level = slot.level { offered.add(level.offered) }
    }

    private mutating func leave(_ slot: LiveSlot) {
        if slot.entry != nil { count -= 1 }
        if let level = slot.level { offered.subtract(level.offered) }
    }

    /// Finds the best price again, after all changes.
    mutating func settle() {
        best = BookDepth.best(
            of: slots.lazy.compactMap(\.level),
            depth: offered.saturated,
            side: side
        )
    }
}
