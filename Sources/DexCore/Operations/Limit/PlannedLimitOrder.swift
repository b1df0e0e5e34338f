import DexSigning
import Ethereum
import ZeroEx

/// A limit order that can be signed, with what it needs.
struct PlannedLimitOrder: Sendable {
    var plan: LimitPlan
    let approvals: [PlannedStep]
    let contracts: ExchangeContracts
    /// The latest block at planning: nothing can have happened to the order before.
    let block: UInt64
    let posts: Bool
    /// What it needs of the account, together with the others.
    let needs: [MakerFunding.Requirement]
    /// What the account's other open orders may draw, in base units by token; without those of a
    /// ladder that come before it.
    let committed: [Address: UInt256]
    /// The account at planning.
    let holder: AccountSnapshot
    /// It was signed by an earlier command, which did not learn whether a relay took it.
    let isResumed: Bool

    /// The data for the policy and the log, besides the order.
    var terms: SigningTerms {
        SigningTerms(purpose: "limit-order", feeToken: contracts.feeToken)
    }

    /// Proves what the order rests on, and those of a ladder before it.
    ///
    /// - Parameter isApproved: its approvals are mined.
    func prover(
        _ session: Session,
        _ settings: TradeSettings,
        isApproved: Bool
    ) -> FundingProver {
        FundingProver(
            session: session,
            owner: plan.account,
            spender: contracts.transferContract,
            needs: needs,
            allowsUnfunded: settings.allowsUnfundedOrders,
            isApproved: isApproved || approvals.isEmpty
        )
    }

    /// The order's own signature.
    var signature: PlannedSignature { PlannedSignature(content: .order(plan.draft), terms: terms) }
}
