package import DexStore

/// What happens to guards while they are run.
package enum GuardReport: Sendable {
    /// So many guards are checked at each block.
    case begun(count: Int)
    /// The price is reached in a first block; it fires in the next one if it still is.
    ///
    /// - Parameter patience: seconds for which it has to stay so; 0 for one more block.
    case reached(JournalGuard, block: UInt64, patience: UInt64 = 0)
    /// It does not fire, reported once for each reason, a sentence.
    case held(JournalGuard, String)
    /// It fires now, with this plan.
    case firing(JournalGuard, TradePlan)
    /// It fired; the outcome names what was filled.
    case fired(JournalGuard, TradeOutcome)
    /// It failed; it waits again only if nothing was signed.
    case failed(JournalGuard, DexError, waitsAgain: Bool)
    /// Node or relay failed, and is asked again.
    case failing(DexError)
    case recovered
}
