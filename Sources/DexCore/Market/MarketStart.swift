import Ethereum

/// The beginning of a reading of the market.
package enum MarketStart: Hashable, Sendable {
    /// Seconds since 1970.
    case time(UInt64)
    /// Seconds before the latest block.
    case span(UInt64)
    /// The interval of candles, in seconds, and how many, the running one included.
    case candles(interval: UInt64, count: UInt64)

    /// Seconds since 1970.
    func time(at head: Block) -> UInt64 {
        switch self {
        case .time(let time): return time
        case .span(let seconds): return head.timestamp - min(seconds, head.timestamp)
        case .candles(let interval, let count):
            let running = head.timestamp - head.timestamp % max(1, interval)
            let (span, overflow) = interval.multipliedReportingOverflow(by: max(1, count) - 1)
            return overflow ? 0 : running - min(span, running)
        }
    }
}
