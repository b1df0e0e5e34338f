import DexStore
import Ethereum
import Uniswap
import ZeroEx

/// Sums over the trades of a pair, from several sources.
///
/// Anybody can swap forth and back in one block, or make a pool at any price. So the price of a
/// block is what its last trade leaves, and of several sources the one counts that has most of the
/// QUOTE.
struct Tape {
    /// By block and log.
    let trades: [TapeTrade]
    /// The source with most of the QUOTE; nil without a trade.
    let main: TapeSource?

    /// - Parameter main: nil is the source that has most of the QUOTE of these trades.
    init(_ trades: some Collection<TapeTrade>, main: TapeSource? = nil) {
        self.trades = Array(trades)
        self.main = main ?? Self.largest(trades)
    }

    private static func largest(_ trades: some Collection<TapeTrade>) -> TapeSource? {
        var sums: [TapeSource: UInt256] = [:]
        var order: [TapeSource] = []
        for trade in trades where trade.price != nil {
            if sums[trade.source] == nil { order.append(trade.source) }
            sums[trade.source, default: .zero] =
                (sums[trade.source] ?? .zero).addingSaturating(trade.quote)
        }
        // The first of equal ones.
        return order.reversed().max { (sums[$0] ?? .zero) < (sums[$1] ?? .zero) }
    }

    /// The first and the last price; nil if no trade has one.
    ///
    /// Of the exchange they are those of its trades. Of a pool they are what the first and the last
    /// block with a trade left: the price after the block's last trade.
    var ends: (open: Price, close: Price)? {
        var own = trades.filter { $0.source == main && $0.price != nil }
        if own.isEmpty, let other = Self.largest(trades) {
            own = trades.filter { $0.source == other && $0.price != nil }
        }
        guard let first = own.first, let last = own.last, let close = last.after ?? last.price
        else { return nil }
        guard first.source.isPool else { return first.price.map { ($0, close) } }
        let settled = own.prefix { $0.fill.block == first.fill.block }.last ?? first
        return (settled.after ?? settled.price).map { ($0, close) }
    }

    /// Base units of BASE and QUOTE that changed hands; of pools, per transaction what
    /// `VolumePerTransaction` says.
    var volume: (base: UInt256, quote: UInt256) {
        let orders = trades.filter { !$0.source.isPool }
        let pools = trades.filter(\.source.isPool)
        func sum(_ amount: KeyPath<TapeTrade, UInt256>, soldBy side: TradeSide) -> UInt256 {
            let reported = orders.reduce(UInt256.zero) { $0.addingSaturating($1[keyPath: amount]) }
            let pooled = VolumePerTransaction(
                pools.lazy.map { ($0.fill.transaction, $0.side == side, $0[keyPath: amount]) }
            )
            return reported.addingSaturating(pooled.sum)
        }
        return (sum(\.base, soldBy: .sell), sum(\.quote, soldBy: .buy))
    }
}
