import ZeroEx

/// The changes that a batch makes, decided from the stored orders that it names: the rule of every
/// store.
struct BatchPlan {
    struct Change {
        let order: ListedOrder
        let previous: ListingState?
    }

    /// In order; an order's `change` is its number.
    private(set) var changes: [Change] = []
    /// The last state of each order whose row is written whole.
    private(set) var written: [OrderHash: ListedOrder] = [:]
    /// The last state of each order of which only the state is written.
    private(set) var updated: [OrderHash: ListedOrder] = [:]
    private var stored: [OrderHash: ListedOrder]

    /// - Parameters:
    ///   - stored: the stored ones of the orders that the batch names.
    ///   - last: the number of the last change.
    ///   - now: seconds since 1970.
    init(_ batch: OrderBatch, stored: [OrderHash: ListedOrder], last: UInt64, now: UInt64) {
        self.stored = stored
        for order in batch.added {
            let known = self.stored[order.hash]
            guard known?.state.isGone ?? true else { continue }
            note(order, previous: known?.state, after: last, isWhole: true)
        }
        for update in batch.updated {
            guard var order = self.stored[update.hash] else { continue }
            let previous = order.state
            guard order.take(update, at: now) else { continue }
            note(order, previous: previous, after: last, isWhole: written[order.hash] != nil)
        }
    }

    private mutating func note(
        _ order: ListedOrder,
        previous: ListingState?,
        after last: UInt64,
        isWhole: Bool
    ) {
        var order = order
        order.change = last &+ UInt64(changes.count) &+ 1
        changes.append(Change(order: order, previous: previous))
        stored[order.hash] = order
        if isWhole { written[order.hash] = order } else { updated[order.hash] = order }
    }

    /// How many changes each market gets.
    var counts: [MarketKey: Int] {
        changes.reduce(into: [:]) { $0[$1.order.market, default: 0] += 1 }
    }

    /// The changes with their sequences, which count on from the last of each market.
    func numbered(from sequences: [MarketKey: UInt64]) -> [OrderChange] {
        var sequences = sequences
        return changes.map { change in
            let market = change.order.market
            let sequence = (sequences[market] ?? 0) &+ 1
            sequences[market] = sequence
            return OrderChange(
                number: change.order.change,
                pairSequence: sequence,
                order: change.order,
                previous: change.previous
            )
        }
    }
}

extension ListedOrder {
    fileprivate var market: MarketKey { MarketKey(version: version, pair: direction) }
}
