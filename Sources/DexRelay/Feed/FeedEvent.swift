import Ethereum
import ZeroEx

/// A change of the book for its feed, with the order as it was before.
struct FeedChange: Sendable {
    let change: BookChange
    /// nil if the order was not known.
    let before: Listing?

    init(_ change: BookChange, from before: Listing?) {
        self.change = change
        self.before = before
    }

    var stream: FeedStreamKey { FeedStreamKey(change.market, change.entry.direction) }
    /// nil if subscribers see nothing of it.
    var event: FeedEvent? { FeedEvent(change, from: before) }
}

/// A change of an order that subscribers see.
struct FeedEvent: Sendable {
    /// Of the pair, see `OrderChange.pairSequence`.
    let sequence: UInt64
    let entry: OrderEntry
    let state: ListingState
    /// The fillable amount in taker token base units; 0 unless the order is shown.
    let remaining: UInt256
    /// It enters the book.
    let isNew: Bool
    /// Its name in API v4.
    let stateV4: StaticString

    /// The event of a change; nil if subscribers see nothing of it.
    ///
    /// A hidden order never makes an event: its maker's client could tell it from a shown one.
    ///
    /// - Parameter listing: the order before, in whatever state; nil if it was not known.
    init?(_ change: BookChange, from listing: Listing?) {
        let shown = listing.flatMap {
            Self.isVisible($0.state, $0.standing, change.version) ? $0.standing : nil
        }
        let isShown = Self.isVisible(change.state, change.standing, change.version)
        if isShown {
            guard shown != change.standing else { return nil }
        } else {
            let wasDormant =
                change.previous == .dormant && change.state != .dormant && change.state != .shown
            guard shown != nil || wasDormant else { return nil }
        }
        sequence = change.pairSequence
        entry = change.entry
        isNew = isShown && shown == nil
        state = change.state == .hidden ? .removed : change.state
        remaining = isShown ? change.standing.fillable : .zero
        stateV4 =
            switch change.state {
            case .shown: Self.shownStateV4(change, shown)
            case .dormant: "UNFUNDED"
            case .filled: "FULLY_FILLED"
            case .cancelled: "CANCELLED"
            case .expired: "EXPIRED"
            case .hidden, .removed: "STOPPED_WATCHING"
            }
    }

    /// The API shows the order; v4 shows none whose amount left is not known.
    private static func isVisible(
        _ state: ListingState,
        _ standing: OrderStanding,
        _ version: ProtocolVersion
    ) -> Bool {
        guard state == .shown else { return false }
        return switch RelayInterface(version) {
        case .v0: true
        case .v4: standing != .unread
        }
    }

    private static func shownStateV4(
        _ change: BookChange,
        _ shown: OrderStanding?
    ) -> StaticString {
        let standing = change.standing
        guard let shown else {
            return switch change.previous {
            case .dormant, .filled, .cancelled: "FILLABILITY_INCREASED"
            case .expired: "UNEXPIRED"
            default: standing.isPartlyFilled ? "FILLED" : "ADDED"
            }
        }
        if standing.fillable > shown.fillable { return "FILLABILITY_INCREASED" }
        return standing.isPartlyFilled ? "FILLED" : "ADDED"
    }
}
