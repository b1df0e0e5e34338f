import DexStore
package import Ethereum
package import ZeroEx

/// The outcome of a trade by its receipts' events: what arrived, what was paid, order by order.
///
/// Of 500 ZRX with a minimum of 495, 480 that arrived are less than the minimum: exit 14.
package struct TradeOutcome: TransactionOutcome {
    package struct Leg: Sendable {
        package enum Status: String, CaseIterable, Sendable {
            case filled
            case partlyFilled = "partly-filled"
            case skipped
            /// A backup that was not needed, or an order after the amount was used up.
            case untouched
        }

        package let orderHash: OrderHash
        package let status: Status
        package let received: UInt256
        package let paid: UInt256
        package let fee: UInt256
        /// Why it was not filled as planned; nil if it was.
        package let reason: String?
    }

    package let plan: TradePlan
    package let transactions: [SentTransaction]
    /// Base units that arrived; nil if unknown.
    package let received: UInt256?
    /// The payment to the orders, without fees; nil if unknown.
    package let paid: UInt256?
    package let fees: UInt256
    /// The exchange's own fee in ether.
    package var protocolFee = Wei.zero
    /// Quote per base of the actual trade; nil without one.
    package let effectivePrice: Price?
    package let legs: [Leg]
    package var warnings: [String]
    package let ending: Ending
    /// What others did to it in its block, or why that is unknown; nil unless it is of Uniswap's
    /// pools.
    package var frontRunning: Result<FrontRunning, DexError>?
}

extension TradeOutcome {
    /// The paid amount of the token, with fees in it; nil if unknown.
    package var cost: UInt256? { paid.map { plan.cost($0, fees) } }

    /// How much worse than its quote it was; 0 if it was not.
    ///
    /// - Returns: what lacks of the token that the quote left open: the received one of an exact
    ///   sale, more of the paid one of an exact purchase. nil on the book, without a trade, or if it
    ///   is unknown.
    package var quoteLoss: TokenAmount? {
        guard plan.quote != nil, let received, let cost, received > .zero else { return nil }
        let loss =
            plan.isExactIn
            ? plan.expectedReceive.subtractingSaturating(received)
            : cost.subtractingSaturating(plan.expectedCost)
        return TokenAmount(raw: loss, token: plan.openToken)
    }

    /// The same by what a unit cost, in hundredths of a percent, rounded up.
    package var quoteLossPoints: UInt64? {
        guard let loss = quoteLoss, let received, let cost else { return nil }
        guard loss.raw > .zero else { return 0 }
        return PriceBounds.slippage(
            expected: (plan.expectedCost, plan.expectedReceive),
            worst: (cost, received)
        )
    }
}

extension TradeOutcome {
    /// Nothing was traded, as far as is known.
    ///
    /// - Parameters:
    ///   - transactions: all that were sent; the last one decides how it ends.
    ///   - confirmations: the required number of blocks.
    init(
        untraded plan: TradePlan,
        _ transactions: [SentTransaction],
        confirmations: UInt64
    ) {
        self.init(
            plan: plan,
            transactions: transactions,
            received: .zero,
            paid: .zero,
            fees: .zero,
            effectivePrice: nil,
            legs: plan.legs.map {
                Leg(
                    orderHash: $0.orderHash,
                    status: .untouched,
                    received: .zero,
                    paid: .zero,
                    fee: .zero,
                    reason: nil
                )
            },
            warnings: [Self.untraded(transactions.last, confirmations: confirmations)],
            ending: transactions.last?.stage.ending ?? .done
        )
    }

    /// Why nothing was traded, as far as is known; a sentence.
    private static func untraded(_ last: SentTransaction?, confirmations: UInt64) -> String {
        switch last?.stage.ending {
        case .notMinedYet:
            let isTrade = last?.purpose == .fill || last?.purpose == .swap
            return
                (last?.pendingWords("The transaction", confirmations: confirmations)
                ?? "Nothing is mined yet.")
                + (isTrade ? "" : " The trade was not sent; run the command again afterwards.")
        case .reverted:
            return "The transaction was mined and reverted: nothing was traded and its gas is "
                + "spent." + (last?.reason.map { " \($0)" } ?? "")
        default:
            // What the other one did is not known here: it may be the same trade.
            return last?.stage == .replaced
                ? "Another transaction with the same nonce was mined, and not this one. See what "
                    + "became of it before trading again: `dex status \(last?.hash.hex ?? "")`."
                : "The node no longer knows the transaction. It is in the journal and may still "
                    + "be mined: look with `dex status \(last?.hash.hex ?? "")` before trading "
                    + "again."
        }
    }
}
