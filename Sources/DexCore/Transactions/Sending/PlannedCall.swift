import Ethereum
import ZeroEx

/// One call of a plan, with the requirements for its simulation.
struct PlannedCall: Sendable {
    /// The required answer of the call.
    enum Answer: Hashable, Sendable {
        /// Nothing, or a non-zero word, by which tokens signal success.
        case success
        case anything
    }

    let purpose: TransactionPurpose
    /// Its action in words: `approve 1.5 WETH to …`.
    let summary: String
    /// A noun for messages: `the transfer`.
    let subject: String
    var request: CallRequest
    var answer = Answer.anything
    /// The gas limit in percent of the estimate.
    var margin: UInt64 = 110
    /// The minimum gas, if known.
    var floor: UInt64 = 0
    /// Words the contract's own errors; nil if the user gave none.
    var abi: ContractABI?
    /// What it brings, beside what its bytes say.
    var moves = PlannedMoves.none
    /// What was shown of a call whose bytes do not say what it does; nil of any other.
    var shown: SimulatedChanges?

    /// It changes an allowance.
    var isApproval: Bool { purpose == .approve || purpose == .resetAllowance }

    /// The same call, simulated at a gas price.
    func paying(_ payment: SimulatedPayment) -> Self {
        var call = self
        call.request.fee = payment.fee
        call.request.gas = payment.gas(besides: request.value)
        return call
    }

    /// The results of a successful simulation.
    struct Simulation: Sendable {
        let returned: [UInt8]
        /// The gas that the node estimates.
        let estimate: UInt64
    }

    /// Asks a node to simulate and estimate it.
    ///
    /// The answer throws `DexError`, exit 10, if it fails in the simulation, or the node's failure.
    ///
    /// What the call reads is remembered, for the last check before a signature.
    func ask(
        _ session: Session,
        in batch: inout ReadBatch
    ) -> JointRead<Simulation> {
        let exchangeProtocol = session.exchangeProtocol
        let call = batch.add(.call(request, .latest))
        let gas = batch.add(.estimateGas(request))
        let accesses = batch.add(.accessList(request))
        return JointRead { answers throws(DexError) in
            let returned = try worked(answers[call], by: exchangeProtocol)
            guard answer == .anything || TokenAnswers.isSuccess(returned) else {
                throw fails("the contract answers that it did not do it")
            }
            let estimate = try worked(answers[gas], by: exchangeProtocol)
            answers.learn(accesses, of: request, into: session.accesses)
            return Simulation(returned: returned, estimate: estimate)
        }
    }

    /// The gas limit for sending it.
    ///
    /// - Throws: `DexError`, exit 6: `block-gas-limit`, `gas-limit-too-low`.
    func gasLimit(
        _ simulation: Simulation,
        within bounds: GasBounds
    ) throws(DexError) -> GasLimit {
        try GasLimit(
            estimate: simulation.estimate,
            percent: margin,
            floor: floor,
            of: request,
            within: bounds
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
                ? fails(RevertReason.words(of: error, by: exchangeProtocol, abi: abi))
                : DexError(error)
        }
    }

    private func fails(_ words: String) -> DexError {
        CallError.wouldRevert(subject: subject, words: words)
    }
}
