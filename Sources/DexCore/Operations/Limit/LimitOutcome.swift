package import ZeroEx

/// The outcome of a limit order: the signed order, and the relays that have it.
package struct LimitOutcome: OperationOutcome {
    package let plan: LimitPlan
    package let order: any SignedOrder
    /// The relay's wire form of the order, JSON text.
    package let wire: String
    package internal(set) var transactions: [SentTransaction]
    /// Each relay's answer; empty if it is not posted.
    package let postings: [RelayPosting]
    package let warnings: [String]
    /// The proof of what the order rests on; nil where no proofs are asked for.
    package var proof: StateProof?

    /// The relays that have it, comma-separated; without one those that it was sent to.
    ///
    /// nil if it is not posted.
    package var relay: String? {
        guard !postings.isEmpty else { return nil }
        let names = postings.filter(\.isPosted).map(\.relay)
        return names.isEmpty ? plan.relay : names.joined(separator: ", ")
    }

    /// A relay accepted it and returned it by its hash.
    package var posted: Bool { postings.contains(where: \.isPosted) }

    /// A relay took it, and none gives it back by its hash.
    package var isUnconfirmed: Bool { postings.areUnconfirmed }

    package var error: DexError? {
        isUnconfirmed ? OutcomeError.orderUnconfirmed : nil
    }
}
