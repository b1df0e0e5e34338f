package import DexStore
package import Ethereum

/// Buys or sells at the market: reads and verifies the book, plans, and, once confirmed, approves,
/// fills and tells what really happened.
package struct MarketOrderModel: Sendable {
    let session: Session
    let journal: any Journal
    let settings: TradeSettings

    package init(session: Session, journal: any Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// What the order would do now, simulated where it can be; nothing is signed or written.
    ///
    /// - Throws: `DexError` with exit 6 where it must not be tried, 10 where it would fail.
    package func plan(
        _ request: MarketRequest,
        account: Address
    ) async throws(DexError) -> MarketPlan {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }

    /// Does what was planned and confirmed, and never more than that.
    ///
    /// - Throws: `DexError` where nothing was filled: exit 6, 10, or 130 with what is in flight in
    ///   the journal.
    package func execute(
        _ plan: MarketPlan,
        signer: any Signer
    ) async throws(DexError) -> TradeOutcome {
        throw DexError(.fault, code: "unimplemented", message: "Not implemented.")
    }
}

/// A planned market order: what is shown, and what `execute` needs.
package struct MarketPlan: Sendable {
    /// What is shown and confirmed.
    package let plan: TradePlan
}
