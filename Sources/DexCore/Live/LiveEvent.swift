package import DexStore
package import Ethereum
package import ZeroEx

/// What happens to the full screen.
package enum LiveEvent: Sendable {
    case key(Key)
    /// - Parameter on: what the cell stands for; nil for nothing.
    case mouse(MouseInput.Action, on: LiveTarget?)
    case resized(columns: Int, rows: Int)
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - elapsed: milliseconds of the steady clock.
    case tick(now: UInt64, elapsed: UInt64)
    /// News of the followed pair; those of an earlier one are left out.
    case feed(LiveNews, generation: Int)
    case planned(any RunnablePlan)
    case notPlanned(DexError)
    case progress(String)
    case waiting(TransactionWait?)
    case done(any OperationOutcome)
    /// Nothing more was sent.
    case failed(DexError)
    case reason(WhyState)
    case note(String, isFailure: Bool)
    /// What happens to a guard.
    case guarded(GuardReport)
    /// The relay's pairs, with their trades.
    case pairs(PairsState)
    case pairsUnread(DexError)
    /// The trader sees the state now: what was typed before does not answer it.
    case painted
}

/// What was read for the screen.
package enum LiveNews: Sendable {
    case book(LiveBook)
    case changes([LiveBook.Change])
    /// Where there is no relay.
    case pools(PoolReading)
    /// The book is right by relay and chain, as of the steady clock.
    case confirmed(elapsed: UInt64)
    case source(WatchSource)
    case head(Block, gasPrice: Wei?)
    case trades(TradesState)
    case orders(OwnOrdersState)
    case balances(BalanceState)
    case transactions(TransactionsState)
    case venue(LiveVenue?)
    case alerts([JournalAlert])
    /// The guards of the account that wait, the oldest first.
    case guards([JournalGuard])
    case trouble(LiveSource, DexError?)
}

/// What the screen asks of its surroundings.
package enum LiveEffect: Sendable {
    case follow(pair: String, generation: Int)
    case readPairs
    case plan(LiveEntry)
    case planCancel(OrderHash)
    /// The plan that is made is of no use any more.
    case dropPlan
    case carryOut(any RunnablePlan)
    case explain(OrderHash)
    case copy(String)
    case suspend
    case quit
}
