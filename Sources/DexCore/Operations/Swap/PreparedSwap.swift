import DexSigning
import Ethereum
import ZeroEx

/// A trade at a swap venue with all checks that precede a signature.
struct PreparedSwap: Sendable {
    var plan: TradePlan
    let trade: SwapTrade
    let verified: VerifiedQuote
    let approvals: [PlannedStep]
    /// The maximum deviation from the quote for the policy, in hundredths of a percent.
    var slippage: UInt64?

    /// The plan of the trade: approvals, then the swap as of now.
    func planned(
        _ command: String,
        _ context: OperationContext,
        recheck: @escaping @Sendable (TransactionSender) throws(DexError) -> SwapRecheck
    ) -> Plan<TradePlan> {
        let call = verified.plannedCall
        var terms = Self.terms(call.purpose.rawValue, verified, slippage: slippage)
        terms.rollupFee = plan.gas.rollup.maximum
        let permit = verified.permit.map { permit in
            PlannedSignature(
                content: .permit(permit),
                terms: Self.terms("permit", verified, slippage: slippage)
            )
        }
        let swap = PlannedSignature(
            call.request,
            context.session,
            gasLimit: plan.steps.last?.gasLimit ?? plan.gas.limit,
            price: plan.gas.maxFeePerGas,
            terms: terms
        )
        return Plan(
            plan,
            command: command,
            purpose: .swap,
            contracts: nil,
            approvals: approvals,
            signatures: [permit, swap].compactMap(\.self),
            context: context
        ) { sender, budget async throws(DexError) in
            try await recheck(sender).checked(self, budget: budget)
        }
    }

    /// What the signed bytes do not contain, for the policy.
    static func terms(
        _ purpose: String,
        _ verified: VerifiedQuote,
        slippage: UInt64?
    ) -> SigningTerms {
        SigningTerms(
            purpose: purpose,
            slippage: slippage,
            genuine: Set(verified.terms.genuine)
        )
    }
}
