package import DexStore

package struct WatchSettings: Hashable, Sendable {
    /// Milliseconds between two checks; nil is half the network's block time.
    package var interval: UInt64?
    /// Seconds before its expiry from which an order is reported as expiring soon.
    package var expiryNotice: UInt64
    /// Also reports transfers of tokens that are neither in the token map nor in our orders.
    package var tellsAllTokens: Bool
    /// Reports only alerts, and the events that an alert waits for.
    package var tellsOnlyAlerts: Bool
    /// The kinds of events that are reported; nil is all.
    ///
    /// The others are recorded all the same.
    package var kinds: Set<WatchEvent.Kind>?

    package init(
        interval: UInt64? = nil,
        expiryNotice: UInt64 = 900,
        tellsAllTokens: Bool = false,
        tellsOnlyAlerts: Bool = false
    ) {
        self.interval = interval
        self.expiryNotice = expiryNotice
        self.tellsAllTokens = tellsAllTokens
        self.tellsOnlyAlerts = tellsOnlyAlerts
    }
}

extension WatchSettings {
    /// The words for the kinds of events.
    package static let kindNames = WatchEvent.Kind.allCases.map(\.rawValue)
}

extension WatchSettings {
    /// An event is not reported: it is of another kind, or no alert waits for it.
    func leavesOut(_ event: WatchEvent, waitedForBy alerts: [JournalAlert]) -> Bool {
        if let kinds, kinds.isDisjoint(with: event.kind.reportedAs) { return true }
        guard tellsOnlyAlerts, event.kind != .alert else { return false }
        return !alerts.contains { AlertCheck.matches($0.condition, event) }
    }
}

extension WatchEvent.Kind {
    /// The kinds under which it is asked for: a trade sends and receives, too.
    var reportedAs: Set<WatchEvent.Kind> {
        self == .trade ? [.trade, .sent, .received] : [self]
    }
}

/// The start of watching.
package enum WatchStart: Hashable, Sendable {
    /// At its last position; without one, after the latest block.
    case journal
    /// After the latest block; earlier events are not reported.
    case latest
    /// At a block; events are not reported twice.
    case block(UInt64)
}

/// A report about watching itself, besides the events.
package enum WatchStatus: Hashable, Sendable {
    /// The first block to be read.
    case begun(next: UInt64)
    /// Another process follows the account, and what it reports is shown; the first block that it
    /// has not read.
    case attached(next: UInt64)
    /// That process has not read on from this block for a while.
    case unread(from: UInt64)
    /// The chain changed after this block, and is read again from there.
    case rewound(to: UInt64)
    /// The node's latest block, and the last block read before.
    case nodeBehind(latest: UInt64, read: UInt64)
    /// The latest block is old: nothing later can be told.
    case stale(StaleChain)
    /// The latest block is fresh again.
    case fresh
    /// A reading failed and is retried.
    case failing(DexError)
    /// The relay did not return our orders; those of the journal are watched.
    case relayFailing(String)
    /// Ether payments from this block on are not reported: the node does not provide them.
    case etherPaymentsUnavailable(from: UInt64, reason: String)
    /// Ether payments are reported again, from this block on.
    case etherReported(from: UInt64)
    /// Alerts whose condition cannot be told; the reason is a sentence.
    case alertsUnknown(String)
    /// Alerts of pools without a mean price fire after two blocks alone; the reason is a sentence.
    case alertsWithoutMean(String)
    /// All conditions can be told again.
    case alertsKnown
    /// An account that is checked once was not; the others are.
    case unchecked(DexError)
    /// The failing part answers again.
    case recovered
    /// A sink did not accept a message, which is tried again.
    case undelivered(sink: String, reason: String)
    /// A sink accepts messages again.
    case deliveredAgain(sink: String)
    /// A sink did not accept a message, which is given up.
    case givenUp(sink: String, message: String, reason: String)
}

/// The sinks, in reporting order.
package enum WatchSinkName: String, CaseIterable, Sendable {
    /// Standard output.
    case terminal
    case desktop
    case command
    case webhook
}
