import Ethereum
import ZeroEx

/// One call of a plan, with what it must be able to do in the simulation.
struct PlannedCall: Sendable {
    /// What the answer of the call must be.
    enum Answer: Hashable, Sendable {
        /// Nothing, or a word that is not zero, as tokens tell that all went well.
        case success
        case anything
    }

    let purpose: TransactionPurpose
    /// What it does, in words: `approve 1.5 WETH to …`.
    let summary: String
    /// What it is called in sentences: `the transfer`.
    let subject: String
    var request: CallRequest
    var answer = Answer.anything
    /// The gas limit in percent of the estimate.
    var margin: UInt64 = 110
    /// The least gas, where that is known.
    var floor: UInt64 = 0

    /// It changes an allowance.
    var isApproval: Bool { purpose == .approve || purpose == .resetAllowance }

    /// The same simulated at a price of gas.
    func paying(_ payment: SimulatedPayment) -> Self {
        var call = self
        call.request.fee = payment.fee
        call.request.gas = payment.gas(besides: request.value)
        return call
    }

    /// What a call that works did in the simulation.
    struct Simulation: Sendable {
        let returned: [UInt8]
        /// The gas that the node estimates.
        let estimate: UInt64
    }

    /// Asks a node to simulate and to estimate it; throws `DexError`, exit 10, where it fails in
    /// the simulation, or the node's failure.
    ///
    /// - Parameter exchangeProtocol: words the errors of the exchange's own.
    func ask(
        by exchangeProtocol: any ExchangeProtocol,
        in batch: inout ReadBatch
    ) -> JointRead<Simulation> {
        let call = batch.add(.call(request, .latest))
        let gas = batch.add(.estimateGas(request))
        return JointRead { answers throws(DexError) in
            let returned = try worked(answers[call], by: exchangeProtocol)
            guard answer == .anything || TokenAnswers.isSuccess(returned) else {
                throw fails("the contract answers that it did not do it")
            }
            return Simulation(
                returned: returned,
                estimate: try worked(answers[gas], by: exchangeProtocol)
            )
        }
    }

    /// The gas that it is sent with.
    ///
    /// - Throws: `DexError`, exit 6, where a block has no room for it.
    func gasLimit(_ simulation: Simulation, block: Block) throws(DexError) -> UInt64 {
        try GasPricing.limit(
            estimate: simulation.estimate,
            percent: margin,
            floor: floor,
            block: block
        )
    }

    private func worked<Value>(
        _ answer: Result<Value, ChainError>,
        by exchangeProtocol: any ExchangeProtocol
    ) throws(DexError) -> Value {
        do {
            return try answer.get()
        } catch {
            throw error.isExecutionFailure
                ? fails(RevertReason.words(of: error, by: exchangeProtocol)) : DexError(error)
        }
    }

    private func fails(_ words: String) -> DexError {
        DexError(CallError.wouldRevert(subject: subject, words: words))
    }
}
