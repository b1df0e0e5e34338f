import DexSigning
import Ethereum
import ZeroEx

/// One step of a plan: what it would sign, and how that is checked again right before.
///
/// A recheck gives, from a fresh batch, the same step, a smaller one or an error, and never anything
/// beyond the plan's limits. A step behind one that did not succeed is not begun.
enum Step: Sendable {
    /// A call, such as an approval; with the exchange's confirmed contracts, nil if the plan does not
    /// use it.
    case call(PlannedCall, ExchangeContracts?, PlannedSignature)
    /// A transaction in the place of another one, which must still be in no block.
    case replacement(TransactionSender.Request, PlannedSignature)
    /// A trade at its venue, with its messages and its transaction.
    case trade(any TradeStep, [PlannedSignature])
    /// An order, which is signed, journaled and posted.
    case order(OrderStep)
    /// A part of a divided order, which is planned again once a part before it is mined.
    case part(MarketOrder, Plan<TradePlan>)
    /// A cancel in favour of an order, which is checked before anything is cancelled.
    case cancel(Plan<CancelPlan>, before: OrderStep)

    /// All that it signs, in that order, as it was planned.
    var signatures: [PlannedSignature] {
        switch self {
        case .call(_, _, let signature), .replacement(_, let signature): [signature]
        case .trade(_, let signatures): signatures
        case .order(let step): [step.signature]
        case .part(_, let plan): plan.signatures
        case .cancel(let plan, _): plan.signatures
        }
    }

    /// Calls that are sent one after another.
    ///
    /// - Parameters:
    ///   - gas: nil without a call.
    ///   - precedesTrade: a trade is last, and so counts what a rollup takes for all.
    static func calls(
        _ steps: [PlannedStep],
        _ session: Session,
        gas: GasPlan?,
        contracts: ExchangeContracts? = nil,
        precedesTrade: Bool = false
    ) -> [Step] {
        guard let gas else { return [] }
        return steps.enumerated().map { index, step in
            let isLast = index + 1 == steps.count && !precedesTrade
            let signature = PlannedSignature(
                step.call.request,
                session,
                gasLimit: step.gasLimit.units,
                price: gas.maxFeePerGas,
                terms: SigningTerms(
                    purpose: step.call.purpose.rawValue,
                    feeToken: contracts?.feeToken,
                    rollupFee: isLast ? gas.rollup.maximum : .zero
                )
            )
            return .call(step.call, contracts, signature)
        }
    }
}
