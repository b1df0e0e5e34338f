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

    /// The same simulated at a price of gas.
    func paying(_ payment: SimulatedPayment) -> Self {
        var call = self
        call.request.fee = payment.fee
        call.request.gas = payment.gas(besides: request.value)
        return call
    }

    /// What to ask a node about it.
    var reads: [ChainRead] {
        [.call(request, .latest), .estimateGas(request)]
    }

    /// What the call returned and the limit of its gas, from the answers to `reads`.
    ///
    /// - Parameter exchangeProtocol: words the errors of the exchange's own.
    /// - Throws: `DexError`, exit 10, where it fails in the simulation; the node's failure.
    func simulated(
        _ answers: ArraySlice<Result<ChainAnswer, ChainError>>,
        block: Block,
        by exchangeProtocol: any ExchangeProtocol
    ) throws(DexError) -> (returned: [UInt8], gasLimit: UInt64) {
        let answers = Array(answers)
        guard answers.count == 2 else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        let returned: [UInt8]
        switch answers[0] {
        case .success(.bytes(let bytes)): returned = bytes
        case .success: throw DexError(ChainError.nonsense("the node's answer is not bytes"))
        case .failure(let error): throw failure(error, by: exchangeProtocol)
        }
        guard answer == .anything || TokenAnswers.isSuccess(returned) else {
            throw fails("the contract answers that it did not do it")
        }
        switch answers[1] {
        case .success(.number(let gas)):
            let limit = try GasPricing.limit(
                estimate: gas,
                percent: margin,
                floor: floor,
                block: block
            )
            return (returned, limit)
        case .success: throw DexError(ChainError.nonsense("the node's answer is not a number"))
        case .failure(let error): throw failure(error, by: exchangeProtocol)
        }
    }

    private func failure(
        _ error: ChainError,
        by exchangeProtocol: any ExchangeProtocol
    ) -> DexError {
        error.isExecutionFailure
            ? fails(RevertReason.words(of: error, by: exchangeProtocol)) : DexError(error)
    }

    private func fails(_ words: String) -> DexError {
        DexError(
            .simulationFailed,
            code: "would-revert",
            message: "The simulation of \(subject) fails (\(words)); nothing was signed."
        )
    }
}
