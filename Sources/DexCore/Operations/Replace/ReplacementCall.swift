import DexStore
import Ethereum
import ZeroEx

/// What is signed in the place of a transaction, and the gas that it needs.
struct ReplacementCall {
    let session: Session
    let kind: ReplacementPlan.Kind
    let old: JournalTransaction
    /// What was signed first.
    let transaction: Transaction

    /// The same call, or nothing at all.
    func planned(by account: Address) throws(DexError) -> PlannedCall {
        switch kind {
        case .cancel:
            return PlannedCall(
                purpose: .cancelTransaction,
                summary: "send nothing to yourself with the nonce \(old.nonce), in place of "
                    + "\(old.noun) \(old.hash)",
                subject: "the replacement",
                request: CallRequest(from: account, to: account, data: []),
                margin: 100
            )
        case .speedup:
            guard let to = transaction.to, let purpose = old.knownPurpose else {
                throw ReplacementError.unknownPurpose(old.hash, purpose: old.purpose)
            }
            // As they were sent: trades and calls of contracts may hand on too little.
            let margin: UInt64 = purpose.isTrade || purpose == .transact ? 130 : 110
            return PlannedCall(
                purpose: purpose,
                summary: "the same \(old.noun) again (\(old.hash)), with a higher fee",
                subject: "the \(old.noun)",
                request: CallRequest(
                    from: account,
                    to: to,
                    data: transaction.data,
                    value: transaction.value,
                    accessList: transaction.accessList
                ),
                margin: margin,
                // No price is named, for the old one may be below the base fee: what a fee of the
                // exchange's own needs beside the estimate is in the gas that it was given first.
                floor: (transaction.gasLimit / margin).addingSaturating(1)
                    .multipliedReportingOverflow(by: 100).partialValue
            )
        }
    }

    /// The rules of the venue that the call trades at; nil if it trades at none beside the book.
    func swapRules(of call: PlannedCall) -> (any LiquidityRules)? {
        let request = call.request
        return session.network.rules(
            of: SwapCall(to: request.to, data: request.data, value: request.value)
        )
    }

    /// The exchange's own fee that a fill owes now, as an amount of gas; nil if it owes none.
    ///
    /// - Throws: `DexError`, exit 3 or 4, if the amount is unknown.
    func protocolFeeGas(
        of call: PlannedCall,
        _ contracts: ExchangeContracts?
    ) throws(DexError) -> UInt64? {
        guard call.purpose == .fill,
            let effects = session.exchangeProtocol.effects(of: call.request.data),
            effects.protocolFeeOrders > 0
        else { return nil }
        guard let contracts else { throw ChainSetup.noExchange(session) }
        return effects.protocolFeeGas(contracts)
    }

    /// The gas limit: the user's, else what was confirmed before, or more where it needs more now.
    ///
    /// - Throws: `DexError`, exit 10, where it would fail or fill nothing.
    func limit(
        of call: PlannedCall,
        _ simulation: Result<PlannedCall.Simulation, DexError>,
        block: Block,
        overrides: FeeOverrides
    ) throws(DexError) -> GasLimit {
        do throws(DexError) {
            let simulated = try simulation.get()
            let limit = try call.gasLimit(
                simulated,
                within: GasBounds(block, session.network.fees, overrides)
            )
            guard kind == .speedup else { return limit }
            try checkFill(simulated.returned)
            guard overrides.gasLimit == nil else { return limit }
            return GasLimit(units: max(limit.units, transaction.gasLimit), like: limit)
        } catch  where error.kind == .simulationFailed {
            throw ReplacementError.fails(error, old.hash)
        }
    }

    /// A call that no longer fills anything does not justify a higher fee.
    private func checkFill(_ returned: [UInt8]) throws(DexError) {
        guard old.knownPurpose == .fill, let to = transaction.to else { return }
        try FilledAmount.check(
            returned,
            to: to,
            data: transaction.data,
            session,
            nothing: ReplacementError.wouldFillNothing(old.hash)
        )
    }
}
