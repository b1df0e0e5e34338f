package import Ethereum

/// The profit of one pair, by average cost and by first in, first out; integers only.
///
/// A purchase adds its cost, a sale removes its cost. A part of a cost is rounded up to a base unit
/// of the quote token and the remaining cost keeps the rest. So costs are neither created nor lost,
/// and a profit is never overstated.
package struct ProfitBook: Hashable, Sendable {
    /// The proceeds of a sale above its cost.
    package struct Profit: Hashable, Sendable {
        package let average: SignedAmount
        package let fifo: SignedAmount
        /// Base units of BASE sold at unknown cost, not bought in this pair: they make no profit.
        package let uncovered: UInt256
    }

    private struct Lot: Hashable {
        var base: UInt256
        var cost: UInt256
    }

    /// Base units of BASE bought and not sold yet.
    package private(set) var held: UInt256 = .zero
    /// Their average cost, in base units of QUOTE.
    package private(set) var averageCost: UInt256 = .zero
    private var lots: [Lot] = []
    /// Earlier lots are used up.
    private var firstLot = 0

    package init() {}

    /// The cost of the held units by first in, first out, in base units of QUOTE.
    package var fifoCost: UInt256 {
        lots[firstLot...].reduce(.zero) { $0.addingSaturating($1.cost) }
    }

    /// - Parameters:
    ///   - base: base units of BASE that came in.
    ///   - cost: base units of QUOTE that went out.
    package mutating func buy(_ base: UInt256, cost: UInt256) {
        held = held.addingSaturating(base)
        averageCost = averageCost.addingSaturating(cost)
        lots.append(Lot(base: base, cost: cost))
    }

    /// - Parameters:
    ///   - base: base units of BASE that went out.
    ///   - proceeds: base units of QUOTE that came in.
    package mutating func sell(_ base: UInt256, proceeds: UInt256) -> Profit {
        let covered = min(base, held)
        let uncovered = base - covered
        guard covered != .zero else {
            return Profit(average: .zero, fifo: .zero, uncovered: uncovered)
        }
        // The proceeds of the units with a known cost.
        let counted = UInt256.mulDiv(proceeds, covered, base)?.quotient ?? .zero
        let average = Self.part(averageCost, covered, of: held)
        let fifo = takeLots(covered)
        held -= covered
        averageCost = averageCost.subtractingSaturating(average)
        return Profit(
            average: SignedAmount(counted, minus: average),
            fifo: SignedAmount(counted, minus: fifo),
            uncovered: uncovered
        )
    }

    /// Removes the oldest lots and returns their cost.
    private mutating func takeLots(_ base: UInt256) -> UInt256 {
        var left = base
        var cost = UInt256.zero
        while left != .zero, firstLot < lots.count {
            let lot = lots[firstLot]
            if lot.base <= left {
                cost = cost.addingSaturating(lot.cost)
                left -= lot.base
                firstLot += 1
            } else {
                let part = Self.part(lot.cost, left, of: lot.base)
                cost = cost.addingSaturating(part)
                lots[firstLot] = Lot(base: lot.base - left, cost: lot.cost - part)
                left = .zero
            }
        }
        return cost
    }

    /// `cost * base / whole`, rounded up; at most the cost.
    private static func part(_ cost: UInt256, _ base: UInt256, of whole: UInt256) -> UInt256 {
        guard base < whole, let share = UInt256.mulDiv(cost, base, whole) else { return cost }
        return share.remainder == .zero ? share.quotient : min(cost, share.quotient + 1)
    }
}
