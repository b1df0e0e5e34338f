import Ethereum
import ZeroEx

extension MarketOrder {
    /// Refuses a price that left the plan's by the time of the signature.
    ///
    /// - Parameters:
    ///   - points: how much worse than the best price it is now, in hundredths of a percent.
    ///   - gap: why it can be compared with nothing now; nil if it can.
    ///   - confirmed: the points of the plan.
    /// - Throws: `DexError`: exit 4, `book-unread`, if what the plan was compared with cannot be
    ///   read again, or lacks a side by now; exit 6, `impact-too-high`, above 20 % and above what
    ///   was confirmed.
    func check(
        _ points: UInt64?,
        gap: String?,
        confirmed: UInt64,
        of plan: TradePlan
    ) throws(DexError) {
        // What the plan was compared with in full must be there in full.
        if let gap, plan.mid != nil, plan.priceGap == nil {
            throw TradeError.referenceUnread(gap)
        }
        guard let points else {
            throw TradeError.referenceUnread(gap ?? "There is no book of this pair.")
        }
        try checkImpact(points, above: confirmed)
    }

    /// - Throws: `DexError`, exit 6, `impact-too-high`, above 20 % and above what was confirmed.
    func checkImpact(_ points: UInt64?, above confirmed: UInt64 = 0) throws(DexError) {
        guard let points, points > max(BookDepth.impactLimit, confirmed),
            !settings.allowsHighImpact
        else { return }
        throw TradeError.impactTooHigh(
            percent: DecimalText.format(UInt256(points), decimals: 2),
            cheapPart: nil
        )
    }

    /// Warns of a price that can be compared neither with a book nor with another venue, and
    /// refuses it where much is traded.
    func check(_ plan: inout TradePlan, gap: String?) throws(DexError) {
        guard let gap, plan.alternatives.allSatisfy({ $0.average == nil }) else { return }
        try UncheckedPrice(
            reason: gap,
            hasLimit: request.limitPrice != nil,
            limitFlag: side == .buy ? "--max-price" : "--min-price"
        ).check(&plan, network: session.network, settings: settings)
    }
}
