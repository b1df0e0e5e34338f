package import Ethereum
import Synchronization
import ZeroEx

/// The sums that makers' open orders give of each token, over all markets.
package final class MakerHoldings: BookFollower {
    fileprivate struct State {
        /// What partly filled orders still give; every other counted order gives its maker amount.
        var rests: [OrderHash: UInt256] = [:]
        var sums: [TokenHolding: RunningTotal] = [:]
    }

    private let state = Mutex(State())

    /// What a maker's open orders give of a token, in base units; it saturates at 2^256 - 1.
    package func open(_ maker: Address, _ token: Address) -> UInt256 {
        state.withLock { $0.sums[TokenHolding(token: token, owner: maker)]?.saturated ?? .zero }
    }

    package func reset(to orders: [BookChange], sequences: [MarketKey: UInt64]) {
        state.withLock { state in
            state = State()
            for order in orders { state.apply(order, wasCounted: false) }
        }
    }

    package func apply(_ changes: [BookChange]) {
        state.withLock { state in
            for change in changes {
                state.apply(change, wasCounted: change.previous?.isGone == false)
            }
        }
    }
}

extension MakerHoldings.State {
    /// - Parameter wasCounted: the order's amount before the change is in the sum.
    fileprivate mutating func apply(_ change: BookChange, wasCounted: Bool) {
        let entry = change.entry
        let whole = entry.order.makerAmount
        let key = TokenHolding(token: entry.order.makerToken, owner: entry.maker)
        let rest = rests.removeValue(forKey: entry.hash)
        if wasCounted { sums[key]?.subtract(rest ?? whole) }
        if let amount = change.openAmount {
            if amount != whole { rests[entry.hash] = amount }
            sums[key, default: RunningTotal()].add(amount)
        }
        if sums[key]?.isZero == true { sums[key] = nil }
    }
}

extension BookChange {
    /// What the order still gives, in base units of its maker token; nil once it is gone.
    ///
    /// An order without funds counts as a whole: they may return.
    fileprivate var openAmount: UInt256? {
        guard !state.isGone else { return nil }
        guard state != .dormant, standing.isPartlyFilled else { return entry.order.makerAmount }
        let (amount, taken) = (entry.order.makerAmount, entry.order.takerAmount)
        return UInt256.mulDiv(amount, standing.fillable, taken)?.quotient ?? amount
    }
}
