import DexStore
import Ethereum
import ZeroEx

extension ReplacementModel {
    /// The call to sign: the same one, or an empty one.
    static func call(
        _ kind: ReplacementPlan.Kind,
        _ old: JournalTransaction,
        _ transaction: Transaction,
        account: Address
    ) throws(DexError) -> PlannedCall {
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
                throw DexError(ReplacementError.unknownPurpose(old.hash, purpose: old.purpose))
            }
            // As in the original: fills and contract calls may forward too little gas.
            let margin: UInt64 = purpose == .fill || purpose == .transact ? 130 : 110
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
                // Without a price, since the old one may be below the base fee: the gas for the
                // exchange's own fee is in the original gas limit.
                floor: (transaction.gasLimit / margin).addingSaturating(1)
                    .multipliedReportingOverflow(by: 100).partialValue
            )
        }
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

    /// The gas limit: the confirmed one, or more if it needs more now.
    ///
    /// - Throws: `DexError`, exit 10, if it would fail or fill nothing.
    func limit(
        _ kind: ReplacementPlan.Kind,
        _ old: JournalTransaction,
        _ transaction: Transaction,
        _ call: PlannedCall,
        _ simulation: Result<PlannedCall.Simulation, DexError>,
        block: Block
    ) throws(DexError) -> UInt64 {
        do throws(DexError) {
            let simulated = try simulation.get()
            let limit = try call.gasLimit(simulated, block: block)
            guard kind == .speedup else { return limit }
            try checkFill(simulated.returned, old, transaction)
            return max(limit, transaction.gasLimit)
        } catch  where error.kind == .simulationFailed {
            throw DexError(ReplacementError.fails(error, old.hash))
        }
    }

    /// A call that no longer fills anything does not justify a higher fee.
    private func checkFill(
        _ returned: [UInt8],
        _ old: JournalTransaction,
        _ transaction: Transaction
    ) throws(DexError) {
        guard old.knownPurpose == .fill, let to = transaction.to,
            let effects = session.exchangeProtocol.effects(of: transaction.data)
        else { return }
        let call = ExchangeCall(
            to: to,
            data: transaction.data,
            gasFloor: 0,
            function: effects.function
        )
        let filled: UInt256?
        do {
            filled = try session.exchangeProtocol.filledAmount(returned: returned, by: call)
        } catch {
            throw DexError(error)
        }
        guard filled == .zero else { return }
        throw DexError(ReplacementError.wouldFillNothing(old.hash))
    }

    /// The warnings in the plan.
    func warnings(
        _ old: JournalTransaction,
        _ replacement: ReplacementFees,
        _ fees: FeeSnapshot
    ) throws(DexError) -> [String] {
        var warnings = [FeeBounds.warning(fees, settings.fees)].compactMap { $0 }
        if replacement.isCut {
            warnings.append(
                "The fee was cut to what is allowed "
                    + "(\(GasPricing.gwei(replacement.fee.maximum)) for a unit of gas): it may "
                    + "have to wait for a cheaper block. --beyond-limits and --max-gas-cost "
                    + "allow more."
            )
        }
        if let waiting = GasPricing.waiting(
            cap: replacement.fee.maximum,
            baseFee: fees.baseFee
        ) {
            warnings.append(waiting)
        }
        let unsettled = try journaled(
            try journal.unsettled(chainID: old.chainID, sender: old.sender)
        )
        let before = unsettled.first {
            $0.nonce < old.nonce && $0.successor == nil && $0.holdsNonce
        }
        if let before {
            warnings.append(
                "It waits for the transaction \(before.hash) (\(before.noun)) with the lower "
                    + "nonce \(before.nonce): replace that one first."
            )
        }
        return warnings
    }

    /// The mined one of the two, and its result.
    func outcome(
        _ planned: PlannedReplacement,
        _ sent: SentTransaction
    ) async throws(DexError) -> ReplacementOutcome {
        let plan = planned.plan
        var warnings: [String] = []
        var mined: TransactionStatus?
        var ending = sent.stage.ending
        switch sent.stage {
        case .confirmed, .reverted:
            mined = await status(sent.hash, &warnings)
            if plan.kind == .speedup, let mined { ending = mined.ending }
        case .replaced:
            mined = await status(plan.hash, &warnings)
            guard let first = mined, first.hash == plan.hash, first.stage.isInBlock else {
                warnings.append(
                    "Another transaction with the nonce \(plan.nonce) was mined, which is neither "
                        + "of the two."
                )
                break
            }
            warnings.append(
                plan.kind == .cancel
                    ? "It was too late: \(plan.hash) was mined before."
                    : "The first one was mined before the replacement: \(plan.hash)."
            )
            if plan.kind == .speedup { ending = first.ending }
        case .dropped:
            warnings.append("The node no longer knows the replacement; it is in the journal.")
        default:
            warnings.append(
                sent.pendingWords("The replacement", confirmations: settings.confirmations)
                    + " Until then either of the two may be mined, and never both."
            )
        }
        return ReplacementOutcome(
            plan: plan,
            transactions: [sent],
            mined: mined,
            warnings: warnings,
            ending: ending
        )
    }

    private func status(
        _ hash: TransactionHash,
        _ warnings: inout [String]
    ) async -> TransactionStatus? {
        let model = StatusModel(session: session, journal: journal)
        do throws(DexError) {
            let state = try await model.load(
                text: hash.hex,
                confirmations: settings.confirmations
            )
            if case .transaction(let status) = state { return status }
        } catch {
            warnings.append(error.message)
        }
        return nil
    }

    // MARK: Refusals

    static func unknown(_ hash: TransactionHash, _ network: Network) -> DexError {
        DexError(ReplacementError.unknown(hash, network: network.name))
    }

    static func foreign(_ old: JournalTransaction, _ account: Address) -> DexError {
        DexError(ReplacementError.otherAccount(old.hash, sender: old.sender, account: account))
    }

    static func hasSuccessor(
        _ old: JournalTransaction,
        _ successor: TransactionHash
    ) -> DexError {
        DexError(ReplacementError.hasSuccessor(old.hash, successor: successor))
    }

    static func mined(_ old: JournalTransaction) -> DexError {
        DexError(ReplacementError.mined(old.hash))
    }

    static func over(_ old: JournalTransaction, _ status: String) -> DexError {
        DexError(ReplacementError.neverMined(old.hash, status: status))
    }
}
