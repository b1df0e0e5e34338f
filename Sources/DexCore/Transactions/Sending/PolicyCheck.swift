import DexSigning
import Ethereum
import ZeroEx

/// Holds all that a plan will have signed against the policy before the first of it is: an approval
/// whose trade is forbidden would be sent for nothing.
///
/// Each signature is held against it once more when it is made.
struct PolicyCheck {
    let signer: AuthorizedSigner
    let session: Session

    /// - Throws: `DexError`, exit 6, `policy`.
    func check(_ trade: PreparedTrade) throws(DexError) {
        let gas = trade.plan.gas
        try check(trade.approvals, gas: gas, contracts: trade.contracts)
        let call = trade.route.call(
            mode: trade.attempt.mode,
            exchangeProtocol: session.exchangeProtocol,
            contracts: trade.contracts
        )
        guard let call else { return }
        try check(
            CallRequest(
                from: signer.address,
                to: call.to,
                data: call.data,
                value: call.value(at: gas.maxFeePerGas)
            ),
            gasLimit: trade.plan.steps.last?.gasLimit ?? gas.limit,
            price: gas.maxFeePerGas,
            SigningTerms(
                purpose: TransactionPurpose.fill.rawValue,
                slippage: trade.slippage,
                feeToken: trade.contracts.feeToken
            )
        )
    }

    /// - Throws: `DexError`, exit 6, `policy`.
    func check(_ limit: PlannedLimitOrder) throws(DexError) {
        if let gas = limit.plan.gas {
            try check(limit.approvals, gas: gas, contracts: limit.contracts)
        }
        try check(.order(limit.plan.draft), limit.terms)
    }

    /// - Throws: `DexError`, exit 6, `policy`.
    func check(_ cancel: PlannedCancel) throws(DexError) {
        for call in cancel.calls {
            try check(
                call.call,
                gasLimit: call.gasLimit,
                gas: cancel.plan.gas,
                contracts: cancel.contracts
            )
        }
    }

    /// The only call of a plan.
    ///
    /// - Throws: `DexError`, exit 6, `policy`.
    func check(_ call: PlannedCall, gas: GasPlan) throws(DexError) {
        try check(call, gasLimit: gas.limit, gas: gas, contracts: nil)
    }

    /// What takes another's place: what both pay counts once.
    ///
    /// - Throws: `DexError`, exit 6, `policy`.
    func check(_ replacement: PlannedReplacement) throws(DexError) {
        let (call, plan) = (replacement.call, replacement.plan)
        let transaction = Transaction(
            chainID: session.network.chainID,
            nonce: plan.nonce,
            fee: .legacy(gasPrice: replacement.fee.maximum),
            gasLimit: plan.gas.limit,
            to: call.request.to,
            value: call.request.value,
            data: call.request.data
        )
        let terms = SigningTerms(
            purpose: call.purpose.rawValue,
            feeToken: replacement.contracts?.feeToken
        )
        try check(.transaction(transaction), terms, replacing: true)
    }

    private func check(
        _ call: PlannedCall,
        gasLimit: UInt64,
        gas: GasPlan,
        contracts: ExchangeContracts?
    ) throws(DexError) {
        try check(
            call.request,
            gasLimit: gasLimit,
            price: gas.maxFeePerGas,
            SigningTerms(purpose: call.purpose.rawValue, feeToken: contracts?.feeToken)
        )
    }

    /// Approvals.
    ///
    /// - Throws: `DexError`, exit 6, `policy`.
    func check(
        _ steps: [ApprovalStep],
        gas: GasPlan,
        contracts: ExchangeContracts
    ) throws(DexError) {
        for step in steps {
            try check(step.call, gasLimit: step.gasLimit, gas: gas, contracts: contracts)
        }
    }

    private func check(
        _ call: CallRequest,
        gasLimit: UInt64,
        price: Wei,
        _ terms: SigningTerms
    ) throws(DexError) {
        let transaction = Transaction(
            chainID: session.network.chainID,
            nonce: 0,
            fee: .legacy(gasPrice: price),
            gasLimit: gasLimit,
            to: call.to,
            value: call.value,
            data: call.data
        )
        try check(.transaction(transaction), terms)
    }

    private func check(
        _ content: SigningRequest.Content,
        _ terms: SigningTerms,
        replacing: Bool = false
    ) throws(DexError) {
        do {
            try signer.check(content, terms: terms, replacing: replacing)
        } catch {
            throw DexError(error)
        }
    }
}
