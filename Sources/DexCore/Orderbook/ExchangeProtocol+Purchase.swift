import Ethereum
import ZeroEx

extension ExchangeProtocol {
    /// The fill of an order, in taker token, that buys this much maker token.
    ///
    /// It buys no more, except for the rounding of one taker unit. If the contract refuses that
    /// fill for its rounding error, it is the next smaller accepted one, which buys less. nil if
    /// there is none, or if the order has less.
    func purchase(of order: any SignedOrder, wanting makerAmount: UInt256) -> UInt256? {
        guard let fill = takerAmount(of: order, for: makerAmount) else { return nil }
        let (below, isNothing) = fill.subtractingReportingOverflow(1)
        // One unit less also buys enough, so the surplus is not one unit's rounding.
        guard !isNothing, let less = self.makerAmount(of: order, filling: below),
            less >= makerAmount
        else { return fill }
        return largestFill(of: order, upTo: below)
    }
}
