import Ethereum
import Uniswap
import ZeroEx

/// A trade's call with what proves, before it is signed, that its minimum would really arrive.
struct ProvenCall {
    private let call: PlannedCall
    /// Only simulated; nil where the call itself enforces what arrives.
    private let proof: CallRequest?
    private let minimum: TokenAmount

    /// - Parameter received: the token of the quote's minimum.
    init(
        _ call: PlannedCall,
        _ quote: VerifiedQuote,
        _ received: Token,
        _ rules: any LiquidityRules
    ) {
        self.call = call
        minimum = TokenAmount(raw: quote.terms.minimum, token: received)
        proof = rules.proof(of: quote.call, quote.terms).map { proof in
            CallRequest(
                from: quote.terms.account,
                to: proof.to,
                data: proof.data,
                value: proof.value
            )
        }
    }

    /// Asks a node to simulate both and to estimate the call.
    ///
    /// The answer throws `DexError`, exit 10, if the call fails, exit 6, `fee-on-transfer`, if less
    /// than its minimum would arrive, or the node's failure.
    func ask(_ session: Session, in batch: inout ReadBatch) -> JointRead<PlannedCall.Simulation> {
        let simulated = call.ask(session, in: &batch)
        let proven = proof.map { batch.add(.call($0, .latest)) }
        return JointRead { answers throws(DexError) in
            let simulation = try answers.value(simulated)
            guard let proven else { return simulation }
            do throws(ChainError) {
                _ = try answers[proven].get()
            } catch {
                guard error.isExecutionFailure else { throw DexError(error) }
                if case .reverted(let data, _) = error,
                    RouterRevert(data) == .reason(.insufficientToken)
                {
                    throw SwapError.arrivesShort(minimum)
                }
                // Such as a block that came between the two simulations.
                throw CallError.wouldRevert(
                    subject: "the proof that the minimum arrives",
                    words: RevertReason.words(of: error, by: session.exchangeProtocol)
                )
            }
            return simulation
        }
    }
}
