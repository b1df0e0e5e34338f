import Ethereum
import ZeroEx

/// A verified quote as a plan shows it.
struct PlannedSwap {
    let trade: SwapTrade
    /// With decimals from the chain if no list has them.
    let pair: Pair
    let verified: VerifiedQuote
    let name: String
    let head: AccountHead
    let impact: (Price) -> UInt64?

    /// The venue's call, with room for a route that needs more gas than estimated.
    static func call(_ verified: VerifiedQuote, name: String) -> PlannedCall {
        PlannedCall(
            purpose: .swap,
            summary: "trade with \(PlainText.clean(name, limit: 40)) at "
                + verified.call.to.checksummed,
            subject: "the trade",
            request: CallRequest(
                from: verified.terms.account,
                to: verified.call.to,
                data: verified.call.data,
                value: verified.call.value
            ),
            margin: 130
        )
    }

    /// The venue's own data about a quote.
    static func summary(_ verified: VerifiedQuote, name: String, now: UInt64) -> QuoteSummary {
        let price = verified.quote.price
        return QuoteSummary(
            venue: name,
            id: price.id,
            block: price.block,
            sources: price.sources,
            fees: price.fees,
            age: now > verified.time ? now - verified.time : 0
        )
    }

    /// The gas of a call that cannot be simulated yet; a venue's hint counts within reason.
    static func unsimulatedGas(_ hint: UInt64?) -> UInt64 {
        min(max(hint ?? 600_000, 300_000), 3_000_000)
    }

    /// - Throws: `DexError`, exit 6: `amount-out-of-range`.
    func plan(
        steps: [PlannedTransaction],
        gas: GasPlan,
        earlier: InFlight.Report,
        approvals: Int,
        tokens: TokenMap,
        now: UInt64
    ) throws(DexError) -> TradePlan {
        let price = verified.quote.price
        let terms = verified.terms
        guard let average = trade.price(pay: price.sold, receive: price.bought),
            let worst = trade.price(pay: terms.most, receive: terms.least)
        else { throw DexError(TradeError.sumOutOfRange) }
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
            maximumPay: terms.most,
            maximumCost: terms.most,
            expectedReceive: price.bought,
            minimumReceive: terms.least,
            average: average,
            worst: worst,
            impactBasisPoints: points,
            fees: nil,
            maximumFees: nil,
            steps: steps,
            gas: gas,
            warnings: warnings(points, approvals: approvals, tokens: tokens)
                + gas.warnings + earlier.warnings,
            stop: earlier.stop,
            skipsGoneOrders: true,
            venue: .swap,
            quote: Self.summary(verified, name: name, now: now)
        )
    }

    private func warnings(_ points: UInt64?, approvals: Int, tokens: TokenMap) -> [String] {
        var warnings = [pair.base, pair.quote].filter { !$0.isNativeCoin }
            .flatMap { tokens.warnings(for: $0) }
        warnings += [TradeWarnings.impact(points ?? 0)].compactMap { $0 }
        let venue = PlainText.clean(name, limit: 40)
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
        if approvals > 0 {
            warnings.append(
                "\(venue) is asked again after the approval. The trade never exceeds these limits."
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
