package import DexStore
package import Ethereum

/// Fills one order that was chosen by its hash or handed over signed.
package struct FillModel: Sendable {
    let session: Session
    let journal: any Journal
    let settings: TradeSettings

    package init(session: Session, journal: any Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// What the fill would do now; nothing is signed or written.
    ///
    /// - Throws: `DexError` with exit 6 where it must not be tried, 10 where it would fail.
    package func plan(
        _ request: FillRequest,
        account: Address
    ) async throws(DexError) -> FillPlan {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }

    /// Does what was planned and confirmed, and never more than that.
    ///
    /// - Throws: `DexError` as `MarketOrderModel.execute`.
    package func execute(
        _ plan: FillPlan,
        signer: any Signer
    ) async throws(DexError) -> TradeOutcome {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }
}

/// A planned fill: what is shown, and what `execute` needs.
package struct FillPlan: Sendable {
    /// What is shown and confirmed.
    package let plan: TradePlan
}
