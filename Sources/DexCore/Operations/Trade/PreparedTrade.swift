import DexSigning
import Ethereum
import ZeroEx

/// A trade with all checks that precede a signature.
struct PreparedTrade: Sendable {
    var plan: TradePlan
    let route: TradeRoute
    let attempt: FillAttempt
    let approvals: [PlannedStep]
    let contracts: ExchangeContracts
    let feeToken: Token?
    /// The payment in the simulation; nil if the exchange takes no fee of its own.
    let payment: SimulatedPayment?
    /// The maximum deviation from the quote for the policy, in hundredths of a percent; nil for a
    /// chosen order.
    var slippage: UInt64?
}

extension PreparedTrade {
    /// The plan of the trade: approvals, then the fill as of now.
    func planned(
        _ command: String,
        _ context: OperationContext,
        recheck: @escaping @Sendable (TransactionSender) -> BookRecheck
    ) -> Plan<TradePlan> {
        let session = context.session
        let price = plan.gas.maxFeePerGas
        let call = route.call(
            mode: attempt.mode,
            exchangeProtocol: session.exchangeProtocol,
            contracts: contracts
        )
        let fill = call.map { call in
            PlannedSignature(
                CallRequest(
                    from: plan.account,
                    to: call.to,
                    data: call.data,
                    value: call.value(at: price)
                ),
                session,
                gasLimit: plan.steps.last?.gasLimit ?? plan.gas.limit,
                price: price,
                terms: SigningTerms(
                    purpose: TransactionPurpose.fill.rawValue,
                    slippage: slippage,
                    feeToken: contracts.feeToken,
                    rollupFee: plan.gas.rollup.maximum
                )
            )
        }
        return Plan(
            plan,
            command: command,
            purpose: .fill,
            contracts: contracts,
            approvals: approvals,
            signatures: [fill].compactMap(\.self),
            context: context
        ) { sender, budget async throws(DexError) in
            try await recheck(sender).checked(self, budget: budget)
        }
    }
}

/// The data of a trade's plan, read at one block.
struct TradeContext: Sendable {
    let pair: Pair
    let side: TradeSide
    let block: Block
    let contracts: ExchangeContracts
    let account: AccountSnapshot
    let fees: FeeSnapshot
    /// The value of taker fees in a third token; nil if none was needed, or there is no price.
    var feeRate: FeeRate?
    /// Of the pair's book; nil if it was not read, or has one side only.
    var mid: Price?
    var warnings: [String] = []

    var payToken: Token { side == .buy ? pair.quote : pair.base }
    var receiveToken: Token { side == .buy ? pair.base : pair.quote }

    /// In base units of QUOTE; nil if the fee is in a token of the pair, or has no price.
    func feeValue(of fee: UInt256, in token: Token) -> UInt256? {
        feeRate.flatMap { $0.token == token.address ? $0.value(of: fee) : nil }
    }
}
