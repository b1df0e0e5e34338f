import DexSigning
import Ethereum
import ZeroEx

/// What will be signed for a plan, and what surrounds it.
package struct SigningRun: Sendable {
    /// For the journal: `market-buy`.
    let command: String
    /// How transactions in flight matter; nil where nothing is sent, or only in place of one.
    let conflicts: InFlight.ConflictPolicy?
    /// What a trade is to bring, for who asks later how it ended.
    var bounds: FillBounds?
    let signatures: [PlannedSignature]
}

/// One thing that a plan will have signed, as the rules see it before the first is signed.
struct PlannedSignature: Sendable {
    let content: SigningRequest.Content
    let terms: SigningTerms
    /// It takes another's place: what both pay counts once.
    let isReplacement: Bool

    init(_ draft: OrderDraft, _ terms: SigningTerms) {
        content = .order(draft)
        self.terms = terms
        isReplacement = false
    }

    /// - Parameters:
    ///   - price: the most for a unit of gas.
    ///   - nonce: of the transaction whose place it takes; nil where it takes a new one.
    init(
        _ call: CallRequest,
        _ session: Session,
        gasLimit: UInt64,
        price: Wei,
        terms: SigningTerms,
        replacing nonce: UInt64? = nil
    ) {
        content = .transaction(
            Transaction(
                chainID: session.network.chainID,
                nonce: nonce ?? 0,
                fee: .legacy(gasPrice: price),
                gasLimit: gasLimit,
                to: call.to,
                value: call.value,
                data: call.data
            )
        )
        self.terms = terms
        isReplacement = nonce != nil
    }

    /// A call of a plan.
    init(
        _ call: PlannedCall,
        _ session: Session,
        gasLimit: UInt64,
        price: Wei,
        contracts: ExchangeContracts? = nil,
        replacing nonce: UInt64? = nil
    ) {
        self.init(
            call.request,
            session,
            gasLimit: gasLimit,
            price: price,
            terms: SigningTerms(purpose: call.purpose.rawValue, feeToken: contracts?.feeToken),
            replacing: nonce
        )
    }

    /// The calls of a plan.
    static func steps(
        _ steps: [PlannedStep],
        _ session: Session,
        price: Wei,
        contracts: ExchangeContracts?
    ) -> [PlannedSignature] {
        steps.map {
            PlannedSignature(
                $0.call,
                session,
                gasLimit: $0.gasLimit,
                price: price,
                contracts: contracts
            )
        }
    }
}
