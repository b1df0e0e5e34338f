import Ethereum
import ZeroEx

/// The data for a plan of a single call, read in one request.
struct CallReading {
    let session: Session
    let head: AccountHead
    let ether: Wei
    /// Reports of earlier transactions.
    let inFlight: InFlight.Report
    let call: PlannedCall
    private let simulation: Result<PlannedCall.Simulation, DexError>

    /// Asks for the chain, the account's nonce, fees and ether, and the call simulated and
    /// estimated.
    ///
    /// - Throws: `DexError`: the journal cannot be read. The result throws the node's failure, and
    ///   exit 3 for another chain.
    static func ask(
        _ call: PlannedCall,
        account: Address,
        inFlight: InFlight,
        in batch: inout ReadBatch
    ) throws(DexError) -> JointRead<CallReading> {
        let session = inFlight.session
        let head = AccountHead.ask(session, account, in: &batch)
        let questions = try inFlight.questions(account: account, in: &batch)
        let ether = batch.add(.balance(account, .latest))
        let simulation = call.ask(session, in: &batch)
        return JointRead { answers throws(DexError) in
            let head = try answers.value(head)
            return CallReading(
                session: session,
                head: head,
                ether: try answers.value(ether),
                inFlight: try inFlight.report(questions, answers: answers, next: head.pendingNonce),
                call: call,
                simulation: answers.result(simulation)
            )
        }
    }

    /// The same with the call simulated at the paid gas price: its fee depends on that.
    ///
    /// - Throws: `DexError`: exit 6 as `plan`, `max-fee-too-low`; the node's failure.
    func priced(
        _ settings: TradeSettings,
        on chain: any ChainClient
    ) async throws(DexError) -> CallReading {
        // Nodes differ in their errors for too little ether.
        let value = call.request.value
        guard ether >= value else {
            throw GasError.insufficient(ether: ether, value: value, gas: nil, coin: head.fees.coin)
        }
        let payment = SimulatedPayment(
            gasPrice: try GasPricing.fee(head.fees, settings.fees).maximum,
            ether: ether,
            maximumGas: head.fees.rules.safeGas(in: head.block)
        )
        let priced = call.paying(payment)
        var batch = ReadBatch()
        let simulation = priced.ask(session, in: &batch)
        return CallReading(
            session: session,
            head: head,
            ether: ether,
            inFlight: inFlight,
            call: priced,
            simulation: try await batch.send(to: chain).result(simulation)
        )
    }

    /// The same at the same fees, with another call simulated.
    ///
    /// - Throws: `DexError`: the node's failure.
    func simulating(_ call: PlannedCall) async throws(DexError) -> CallReading {
        var batch = ReadBatch()
        let simulation = call.ask(session, in: &batch)
        return CallReading(
            session: session,
            head: head,
            ether: ether,
            inFlight: inFlight,
            call: call,
            simulation: try await batch.send(to: session.chain).result(simulation)
        )
    }

    /// The step, its gas cost, and the simulated result.
    ///
    /// - Parameter moved: ether or wrapped ether, in wei; nil if the call's value lies elsewhere.
    /// - Throws: `DexError`, exit 6: `insufficient-ether`, `fee-cap`, `gas-above-value`; exit 10:
    ///   `would-revert`.
    func plan(
        _ settings: TradeSettings,
        moved: Wei?
    ) async throws(DexError) -> (step: PlannedStep, gas: GasPlan, returned: [UInt8]) {
        let value = call.request.value
        guard ether >= value else {
            throw GasError.insufficient(ether: ether, value: value, gas: nil, coin: head.fees.coin)
        }
        let simulated = try simulation.get()
        let limit = try call.gasLimit(
            simulated,
            within: GasBounds(head.block, head.fees.rules, settings.fees)
        )
        let gas = try GasPricing.plan(
            [limit],
            fees: try await CallPricing(session: session).priced(head.fees, for: [limit]),
            ether: ether,
            value: value,
            moved: moved,
            settings: settings
        )
        return (PlannedStep(call: call, gasLimit: limit), gas, simulated.returned)
    }

    /// What the call would do, by a run on this machine, at the gas limit and price of a plan.
    ///
    /// It takes up to three more round trips, and two for proofs.
    ///
    /// - Throws: `DexError`, as `StateProver`.
    func explored(
        _ step: PlannedStep,
        _ gas: GasPlan
    ) async throws(DexError) -> SimulationReport {
        try await TransactionSimulator(session: session).explore(
            SimulatedTransaction(
                call: step.call.request,
                account: head.address,
                gasLimit: step.gasLimit.units,
                fee: gas.fee
            ),
            head: head.block,
            baseFee: head.fees.baseFee
        )
    }

    /// A share of the coin, in hundredths of a percent, that is left once the fee of the call is
    /// kept: gas, and a rollup's; in wei.
    ///
    /// The call has a smaller value than that.
    ///
    /// - Throws: `DexError`: as `plan`; exit 6, `insufficient-balance`.
    func coin(_ share: UInt64, _ settings: TradeSettings) async throws(DexError) -> UInt256 {
        let gas = try await plan(settings, moved: nil).gas
        // The rollup's fee is asked for again with the plan, and may have risen by then.
        let margin = gas.rollup.maximum.rawValue / 8
        let funds = ether.rawValue.subtractingSaturating(gas.maxCost.rawValue)
            .subtractingSaturating(margin)
        return try SpendableFunds.part(share, of: funds, .nativeCoin(session.network.coin))
    }
}
