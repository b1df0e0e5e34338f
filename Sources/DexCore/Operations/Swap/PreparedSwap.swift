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
        executor: @escaping @Sendable (TransactionSender) throws(DexError) -> SwapExecutor
    ) -> Plan<TradePlan> {
        let session = context.session
        let price = plan.gas.maxFeePerGas
        let call = verified.plannedCall
        var terms = Self.terms(call.purpose.rawValue, verified, slippage: slippage)
        terms.rollupFee = plan.gas.rollup.most
        var signatures = PlannedSignature.steps(
            approvals,
            session,
            price: price,
            contracts: nil
        )
        if let permit = verified.permit {
            signatures.append(
                PlannedSignature(
                    content: .permit(permit),
                    terms: Self.terms("permit", verified, slippage: slippage)
                )
            )
        }
        signatures.append(
            PlannedSignature(
                call.request,
                session,
                gasLimit: plan.steps.last?.gasLimit ?? plan.gas.limit,
                price: price,
                terms: terms
            )
        )
        return Plan(
            content: plan,
            command: command,
            conflicts: .move(.swap, isAllowed: context.settings.allowsPending),
            signatures: signatures,
            limits: Limits(plan),
            bounds: FillBounds(plan),
            hold: { sender async throws(DexError) in try await executor(sender).ready(self) },
            perform: { sender async throws(DexError) in try await executor(sender).execute(self) }
        )
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
