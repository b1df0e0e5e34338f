package import DexStore
package import Ethereum
package import ZeroEx

/// Everything that the full screen shows.
package struct LiveState: Sendable {
    /// The terminal's columns and rows.
    package var columns = 80
    package var rows = 24
    package let network: String
    /// The node and the relays, as far as they may be shown.
    package var servers: [String] = []
    /// nil without an account: the screen is read-only.
    package let account: Address?
    package let accountName: String?
    /// The account's key is at hand, locked or not.
    package let canSign: Bool
    /// As typed; the pair's own name once it is read.
    package var pairText: String
    /// Counts the changes that show; only the clock and what hangs on it changes besides.
    package internal(set) var revision = 0
    /// Counts the pairs, so that late news of an earlier one are left out.
    package var generation = 0

    package var book: LiveBook?
    /// The book as it was when the trader froze it.
    package var frozen: LiveBook?
    /// The pools of the pair, where there is no relay.
    package var pools: PoolReading?
    /// The pools as they were when the trader froze them.
    package var frozenPools: PoolReading?
    package var freshness: LiveFreshness
    package var source: WatchSource?
    package var trades: TradesState?
    package var orders: OwnOrdersState?
    package var balances: BalanceState?
    package var transactions: TransactionsState?
    /// The price of a unit of gas by the latest block.
    package var gasPrice: Wei?
    /// What the swap API would pay and ask; nil where none is set.
    package var venue: LiveVenue?
    /// What fails now, by what it is for.
    package var troubles: [LiveSource: DexError] = [:]
    /// The alerts that are set, and which of them fired.
    var monitor = AlertMonitor([])
    /// The guards that wait, the oldest first.
    package var guards: [JournalGuard] = []
    /// What happened to one of them last, until it is over.
    var lastGuardReport: GuardReport?
    /// The relay's pairs as read last; nil before.
    var pairs: [PairsState.Row]?
    /// Alerts that came, the latest first.
    package var alerts: [FiredAlert] = []

    package var pane = LivePane.book
    package var cursor: LiveCursor?
    /// The selected row of each other pane.
    package var selected: [LivePane: Int] = [:]
    /// Levels a side; nil is what fits.
    package var depth: Int?
    package var showsCandles = false
    package var mode = LiveMode.browse
    package var note: LiveNote?
    /// Seconds since 1970.
    package var now: UInt64

    package init(
        network: String,
        account: Address?,
        accountName: String?,
        canSign: Bool,
        pairText: String,
        freshness: LiveFreshness,
        now: UInt64
    ) {
        self.network = network
        self.account = account
        self.accountName = accountName
        self.canSign = canSign
        self.pairText = pairText
        self.freshness = freshness
        self.now = now
    }

    /// The book that is shown.
    package var shownBook: LiveBook? { frozen ?? book }
    /// The pools that are shown.
    package var shownPools: PoolBook? { (frozenPools ?? pools)?.book }
    /// The pair of the book or of the pools; nil before the first reading.
    package var readPair: Pair? { book?.pair ?? pools?.pair }
    /// The book or the pools are old; nil before the first reading.
    package var isOld: Bool? {
        (book?.block ?? pools?.block).map { freshness.isStale(at: $0.number) }
    }
    var isFrozen: Bool { frozen != nil || frozenPools != nil }
    /// Milliseconds of the steady clock.
    package var elapsed: UInt64 { freshness.elapsed }

    /// Each part of the screen was read or failed, so that a picture of it lacks nothing that comes
    /// an instant later.
    ///
    /// A relay's feed counts once it has begun or failed; one that does neither is waited for 10 s.
    ///
    /// - Parameter venue: the network has a swap API.
    package func isWhole(venue hasVenue: Bool) -> Bool {
        func isRead(_ source: LiveSource, _ isThere: Bool) -> Bool {
            isThere || troubles[source] != nil
        }
        guard readPair != nil, let source, freshness.confirmed != nil,
            isRead(.chain, freshness.head != nil), isRead(.trades, trades != nil),
            !hasVenue || isRead(.venue, venue != nil)
        else { return false }
        let waited = elapsed - min(elapsed, freshness.begun)
        guard source.connecting.isEmpty || waited >= Self.feedPatience else { return false }
        return account == nil
            || isRead(.orders, orders != nil) && isRead(.balances, balances != nil)
                && isRead(.transactions, transactions != nil)
    }

    /// What there is to say of the guards; nil while they only wait.
    ///
    /// A price that was reached once is old news two blocks later.
    package var guardReport: GuardReport? {
        if case .reached(_, let block, _)? = lastGuardReport, let head = freshness.head?.number,
            head > block.addingSaturating(1)
        {
            return nil
        }
        return lastGuardReport
    }

    /// Milliseconds that a picture waits for a feed that neither begins nor fails.
    static let feedPatience: UInt64 = 10_000

    /// Own transactions that may still be mined.
    package var inFlight: [TransactionsState.Row] {
        transactions?.rows.filter(\.isUnsettled) ?? []
    }
}

/// A part of the screen that has the keys.
package enum LivePane: String, CaseIterable, Sendable {
    case book
    case orders
    case trades
    case transactions
}

/// What is read for the screen, each by itself.
package enum LiveSource: String, CaseIterable, Sendable {
    case book
    case chain
    case trades
    case orders
    case balances
    case transactions
    case venue
    case alerts
    case guards
}

/// A level of the book: an order of one side, counted from the best.
package struct LiveCursor: Hashable, Sendable {
    /// What a taker does there: buys from asks, sells to bids.
    package var side: TradeSide
    package var rank: Int
    package var hash: OrderHash
}

/// A line for the trader.
package struct LiveNote: Hashable, Sendable {
    package let text: String
    package let isFailure: Bool
}

/// The best prices of the swap API for a small amount.
package struct LiveVenue: Sendable {
    package let name: String
    package let buy: Price?
    package let sell: Price?
}

/// How old the book is.
package struct LiveFreshness: Hashable, Sendable {
    /// Milliseconds of a block.
    package let blockTime: UInt64
    /// Seconds that the latest block may be old; nil where blocks are made on demand.
    package let limit: UInt64?
    /// The latest block that a node told.
    package var head: Block?
    /// Milliseconds of the steady clock when the screen began.
    let begun: UInt64
    /// Milliseconds of the steady clock: now, and when the book was last right by relay and chain.
    package var elapsed: UInt64
    package var confirmed: UInt64?

    /// The most blocks that a book may be old and still be traded from.
    package let maximumBlocks: UInt64
    /// Milliseconds that a reading may take beyond its block.
    static let patience: UInt64 = 3_000

    package init(
        blockTime: UInt64,
        maximumBlocks: UInt64 = 2,
        limit: UInt64? = nil,
        elapsed: UInt64
    ) {
        self.blockTime = blockTime
        self.maximumBlocks = maximumBlocks
        self.limit = limit
        begun = elapsed
        self.elapsed = elapsed
    }

    /// How often a network's book is read, and the blocks that may come meanwhile.
    ///
    /// Two blocks, and as many as come in three seconds where several come in each.
    package init(_ network: Network, elapsed: UInt64) {
        let pace = max(1, network.blockMilliseconds)
        self.init(
            blockTime: network.watchInterval.multipliedReportingOverflow(by: 2).partialValue,
            maximumBlocks: network.isSandbox ? 2 : max(2, Self.patience / pace),
            limit: network.freshnessRule.limit,
            elapsed: elapsed
        )
    }

    /// The book is right as of the steady clock.
    mutating func confirm(at elapsed: UInt64) {
        self.elapsed = max(self.elapsed, elapsed)
        confirmed = elapsed
    }

    /// Milliseconds since the book was last right; nil before the first one.
    package var age: UInt64? { confirmed.map { elapsed - min(elapsed, $0) } }

    /// The book is older than a few blocks, by their number or by the time that two take.
    ///
    /// - Parameter block: the book's.
    package func isStale(at block: UInt64) -> Bool {
        if let head, head.number > block, head.number - block > maximumBlocks { return true }
        let (span, overflow) = blockTime.multipliedReportingOverflow(by: 2)
        return (age ?? .max) > (overflow ? .max : span.addingSaturating(Self.patience))
    }
}

/// What has the keys.
package enum LiveMode: Sendable {
    case browse
    /// Another pair is chosen.
    case pair(LivePairPicker)
    case entry(LiveEntry)
    /// A plan is made; nil for a cancel.
    case planning(LiveEntry?)
    /// A plan is shown, and the word that signs it is typed.
    /// The scroll counts from the plan's end.
    case plan(LivePlan, LineField, scroll: Int)
    /// It is signed and sent.
    case working(LiveWork)
    case outcome(LiveOutcome, scroll: Int)
    case why(WhyState, scroll: Int)
    case help(scroll: Int)
    /// The trader leaves while something is in flight.
    case leaving(while: LiveWork?)

    package var isBrowsing: Bool { if case .browse = self { true } else { false } }
}

/// Work that goes on, also while another question is open.
package struct LiveWork: Sendable {
    package let plan: LivePlan
    package var progress: String
    package var wait: TransactionWait?
}
