package import DexStore
package import Ethereum

/// Cancels own orders on chain.
package struct CancelModel: Sendable {
    let session: Session
    let journal: any Journal
    let settings: TradeSettings

    package init(session: Session, journal: any Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The orders that would be cancelled, in one transaction; nothing is signed or written.
    ///
    /// - Throws: `DexError` with exit 6 where there is nothing to cancel or an order is not ours.
    package func plan(
        _ request: CancelRequest,
        account: Address
    ) async throws(DexError) -> PlannedCancel {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }

    /// Sends the cancel and, once it is mined, reads every order's amounts again.
    ///
    /// - Throws: `DexError` as `MarketOrderModel.execute`.
    package func execute(
        _ plan: PlannedCancel,
        signer: any Signer
    ) async throws(DexError) -> CancelOutcome {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }
}

/// A planned cancel: what is shown, and what `execute` needs.
package struct PlannedCancel: Sendable {
    /// What is shown and confirmed.
    package let plan: CancelPlan
}
