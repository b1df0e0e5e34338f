import DexSigning
import EVM
import Ethereum

extension TransactionSender {
    /// The transaction with what a run on this machine says of it, right before it is signed.
    ///
    /// A run that is not possible stops nothing: that is said with the outcome.
    ///
    /// - Parameters:
    ///   - call: what its plan says of it.
    ///   - reads: of the state, in the batch of its last check.
    ///   - baseFee: of the next block.
    /// - Throws: `DexError`: it would do something that its plan does not say, exit 6,
    ///   `unplanned-change`; it would fail, exit 10, `run-fails`; as `StateProver`.
    func simulated(
        _ request: Request,
        _ call: PlannedCall,
        _ reads: StateReads?,
        in answers: ReadAnswers,
        baseFee: Wei?
    ) async throws(DexError) -> Request {
        guard let head = request.head else { return request }
        let network = session.network
        let effects = signer.effects(
            of: request.transaction(chainID: network.chainID, nonce: request.pendingNonce),
            terms: request.terms(firedGuard: nil)
        )
        let bounds =
            effects.isUnderstood
            ? ChangeBounds(effects, moves: call.moves, shown: call.shown, coin: network.coin)
            : call.shown.map { ChangeBounds(shown: $0, coin: network.coin) }
        let report = try await TransactionSimulator(session: session).report(
            SimulatedTransaction(
                call: request.call,
                account: signer.address,
                gasLimit: request.gasLimit,
                fee: request.fee
            ),
            reads,
            in: answers,
            within: bounds,
            head: head,
            baseFee: baseFee
        )
        if let changes = report.changes, let bounds {
            if let failure = changes.failure {
                throw SimulationError.fails(subject: call.subject, words: failure)
            }
            let differences = bounds.differences(changes)
            guard differences.isEmpty else {
                throw SimulationError.unplanned(subject: call.subject, differences)
            }
        }
        for sentence in report.proof?.sentences ?? [] { session.environment.progress(sentence) }
        var request = request
        request.simulation = report
        return request
    }
}
