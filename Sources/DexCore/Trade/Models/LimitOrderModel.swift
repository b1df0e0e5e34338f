package import DexStore
package import Ethereum

/// Builds, signs and posts a limit order.
package struct LimitOrderModel: Sendable {
    let session: Session
    let journal: any Journal
    let settings: TradeSettings

    package init(session: Session, journal: any Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The order that would be signed; nothing is signed or written.
    ///
    /// - Throws: `DexError` with exit 6 where the order is not covered or its fees exceed the cap.
    package func plan(
        _ request: LimitRequest,
        account: Address
    ) async throws(DexError) -> PlannedLimitOrder {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }

    /// Approves where that is missing, signs, journals, posts, and reads the order back.
    ///
    /// - Throws: `DexError` with exit 7 and the relay's reasons where it refuses.
    package func execute(
        _ plan: PlannedLimitOrder,
        signer: any Signer
    ) async throws(DexError) -> LimitOutcome {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }
}

/// A planned limit order: what is shown, and what `execute` needs.
package struct PlannedLimitOrder: Sendable {
    /// What is shown and confirmed.
    package let plan: LimitPlan
}
