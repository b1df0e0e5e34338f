import Ethereum
import ZeroEx

extension ExchangeProtocol {
    /// The fill of an order, in taker token, that buys so much maker token, and no more of it but
    /// for the rounding of one taker unit.
    ///
    /// Where the contract refuses that fill for its rounding error it is the largest one below,
    /// which buys less; nil where there is none, or where the order has not so much.
    func purchase(of order: any SignedOrder, wanting makerAmount: UInt256) -> UInt256? {
        guard let fill = takerAmount(of: order, for: makerAmount) else { return nil }
        let (below, isNothing) = fill.subtractingReportingOverflow(1)
        // One unit less would buy enough too, so it is not the rounding of one unit that is paid.
        guard !isNothing, let less = self.makerAmount(of: order, filling: below),
            less >= makerAmount
        else { return fill }
        return largestFill(of: order, upTo: below)
    }
}
