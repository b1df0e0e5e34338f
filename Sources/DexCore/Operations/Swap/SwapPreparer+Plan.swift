import Ethereum
import ZeroEx

extension SwapPreparer {
    /// A verified quote as a plan shows it.
    ///
    /// - Parameter pair: with decimals from the chain if no list has them.
    /// - Throws: `DexError`, exit 6: `amount-out-of-range`.
    func plan(
        _ verified: VerifiedQuote,
        pair: Pair,
        at head: AccountHead,
        impact: (Price) -> UInt64?,
        approvals: [PlannedStep],
        swap: PlannedTransaction,
        gas: GasPlan,
        earlier: InFlight.Report
    ) throws(DexError) -> TradePlan {
        let price = verified.quote.price
        let terms = verified.terms
        guard let average = trade.price(pay: price.sold, receive: price.bought),
            let worst = trade.price(pay: terms.maximum, receive: terms.minimum)
        else { throw TradeError.sumOutOfRange }
        let points = impact(average)
        return TradePlan(
            side: trade.side,
            pair: pair,
            block: head.block.number,
            account: head.address,
            legs: [],
            payToken: trade.side == .buy ? pair.quote : pair.base,
            receiveToken: trade.side == .buy ? pair.base : pair.quote,
            expectedPay: price.sold,
            maximumPay: terms.maximum,
            maximumCost: terms.maximum,
            expectedReceive: price.bought,
            minimumReceive: terms.minimum,
            average: average,
            worst: worst,
            impactBasisPoints: points,
            fees: nil,
            maximumFees: nil,
            steps: approvals.map { PlannedTransaction($0) } + [swap],
            gas: gas,
            warnings: warnings(verified, pair, points, hasApprovals: !approvals.isEmpty)
                + gas.warnings + earlier.warnings,
            stop: earlier.stop,
            skipsGoneOrders: true,
            venue: quoting.at.venue,
            quote: verified.summary(now: session.environment.now())
        )
    }

    private func warnings(
        _ verified: VerifiedQuote,
        _ pair: Pair,
        _ points: UInt64?,
        hasApprovals: Bool
    ) -> [String] {
        var warnings = [pair.base, pair.quote].filter { !$0.isNativeCoin }
            .flatMap { session.tokens.warnings(for: $0) }
        warnings += [TradeWarnings.impact(points ?? 0)].compactMap { $0 }
        let venue = PlainText.clean(verified.venue, limit: 40)
        let tax = verified.quote.price.transferTax
        if tax > 0 {
            let percent = DecimalText.format(UInt256(tax), decimals: 2)
            warnings.append(
                "A token of this pair keeps \(percent) % of a transfer, \(venue) says: less may "
                    + "arrive than the minimum above."
            )
        }
        if !verified.quote.price.isSimulated {
            warnings.append("\(venue) did not simulate the trade itself.")
        }
        if hasApprovals {
            warnings.append(
                "A new quote of \(venue) is taken after the approval. The trade never exceeds these "
                    + "limits."
            )
        }
        if verified.permit != nil {
            warnings.append(
                "A Permit2 message is signed first, for at most what is paid here; the trade is "
                    + "simulated with it before anything is sent."
            )
        }
        return warnings
    }
}
