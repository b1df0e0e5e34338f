package import Ethereum
package import ZeroEx

/// The account to watch, on its chain.
package struct WatchTarget: Hashable, Sendable {
    package let chainID: UInt64
    package let exchange: Address
    package let account: Address

    package init(chainID: UInt64, exchange: Address, account: Address) {
        self.chainID = chainID
        self.exchange = exchange
        self.account = account
    }
}

/// A block by its number and hash.
package struct WatchedBlock: Hashable, Sendable {
    package let number: UInt64
    package let hash: BlockHash

    package init(number: UInt64, hash: BlockHash) {
        self.number = number
        self.hash = hash
    }
}

/// A target's position on the chain.
package struct WatchCursor: Hashable, Sendable {
    /// The first block that was read.
    package var first: UInt64
    /// The first block that is not read yet.
    package var next: UInt64
    /// The start of watching, in seconds since 1970; earlier events are not new.
    package var since: UInt64
    /// The latest blocks of the last readings, by number; they reveal a reorganization.
    package var recent: [WatchedBlock]
    /// Grows with each record; 0 before the first.
    package var version: UInt64

    package init(
        first: UInt64,
        next: UInt64,
        since: UInt64,
        recent: [WatchedBlock],
        version: UInt64
    ) {
        self.first = first
        self.next = next
        self.since = since
        self.recent = recent
        self.version = version
    }
}

/// Something that happened to an account.
package struct WatchEvent: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A taker filled our order: `token` was given for `otherToken`.
        case fill
        /// Our order was cancelled: this amount is no longer offered.
        case cancel
        /// A token or ether came in.
        case received
        /// A token or ether went out.
        case sent
        /// Ether became wrapped ether, the `token`.
        case wrapped
        /// Wrapped ether, the `token`, became ether.
        case unwrapped
        /// One transaction took `token`, or ether, and brought `otherToken`.
        case trade
        case expiring
        case expired
        /// Nothing of our order can be filled: the balance or allowance is too low.
        case unfunded
        /// The order can be filled again.
        case funded
        /// The condition of an alert holds.
        case alert

        /// It is in a block, so a reorganization can remove it.
        package var isInBlock: Bool {
            switch self {
            case .fill, .cancel, .received, .sent, .wrapped, .unwrapped, .trade: true
            case .expiring, .expired, .unfunded, .funded, .alert: false
            }
        }
    }

    /// Its position in the chain.
    package struct Place: Hashable, Sendable {
        package let block: WatchedBlock
        /// The index of its log in the block; nil for ether and for an order's own state.
        package let logIndex: UInt64?
        /// The block's time in seconds since 1970.
        package let time: UInt64

        package init(block: WatchedBlock, logIndex: UInt64?, time: UInt64) {
            self.block = block
            self.logIndex = logIndex
            self.time = time
        }
    }

    /// Identifies the event, unchanged in another block after a reorganization.
    package let key: Bytes32
    package let kind: Kind
    /// nil if it is not about an order.
    package let orderHash: OrderHash?
    /// nil for an event without one, and for ether that a contract paid.
    package let transaction: TransactionHash?
    /// The token that the order or trade gives, or that moved; nil is ether.
    package let token: Address?
    /// Base units of `token`.
    package let amount: UInt256
    /// The token that the order or trade gets; nil if it is about neither.
    package let otherToken: Address?
    package let otherAmount: UInt256?
    /// The taker, the sender or the recipient; nil if there is none, or several are.
    package let counterparty: Address?
    /// Seconds since 1970; only for orders that expire.
    package let expiry: UInt256?
    /// Only of an alert; its `token` is nil and its `amount` zero.
    package let alert: FiredAlert?
    package var place: Place

    package init(
        key: Bytes32,
        kind: Kind,
        orderHash: OrderHash? = nil,
        transaction: TransactionHash? = nil,
        token: Address? = nil,
        amount: UInt256,
        otherToken: Address? = nil,
        otherAmount: UInt256? = nil,
        counterparty: Address? = nil,
        expiry: UInt256? = nil,
        alert: FiredAlert? = nil,
        place: Place
    ) {
        self.key = key
        self.kind = kind
        self.orderHash = orderHash
        self.transaction = transaction
        self.token = token
        self.amount = amount
        self.otherToken = otherToken
        self.otherAmount = otherAmount
        self.counterparty = counterparty
        self.expiry = expiry
        self.alert = alert
        self.place = place
    }
}

/// An event in the journal, and how often it changed.
package struct NotedEvent: Hashable, Sendable {
    package let event: WatchEvent
    /// 0: new; odd: undone by a reorganization; even: restored.
    package let turn: UInt64

    package var isStanding: Bool { turn.isMultiple(of: 2) }
}

/// The changes of one reading of the chain, applied completely or not at all.
package struct WatchStep: Sendable {
    package enum Change: Hashable, Sendable {
        case new(WatchEvent)
        /// It is in a different block; this is not reported.
        case moved(WatchEvent)
        /// A reorganization removed it from the chain.
        case undone(WatchEvent)
        /// It was undone and is in the chain again.
        case restored(WatchEvent)

        package var event: WatchEvent {
            switch self {
            case .new(let event), .moved(let event), .undone(let event), .restored(let event):
                event
            }
        }
    }

    package let subject: WatchTarget
    /// The new cursor; `version` is that of the cursor when read.
    package let cursor: WatchCursor
    package let changes: [Change]
    package let alerts: [AlertChange]
    package let sinks: [String]
    /// The keys of events that are recorded and not reported, except to a sink that got an earlier
    /// report of the same event.
    package let unreported: Set<Bytes32>
    /// Seconds since 1970.
    package let now: UInt64

    package init(
        subject: WatchTarget,
        cursor: WatchCursor,
        changes: [Change],
        alerts: [AlertChange] = [],
        sinks: [String],
        unreported: Set<Bytes32> = [],
        now: UInt64
    ) {
        self.subject = subject
        self.cursor = cursor
        self.changes = changes
        self.alerts = alerts
        self.sinks = sinks
        self.unreported = unreported
        self.now = now
    }
}

/// A message about an event for one sink.
package struct WatchMessage: Hashable, Sendable {
    package enum Phase: String, Sendable, CaseIterable {
        case new
        case undone
        case restored
    }

    /// The row in the journal: messages are sent in this order.
    package let row: Int64
    /// The event with its position at that time.
    package let event: WatchEvent
    package let turn: UInt64
    /// Seconds since 1970 when it was noted.
    package let noted: UInt64
    /// The number of attempts to deliver it.
    package let attempts: UInt64
    /// The earliest next attempt, in seconds since 1970.
    package let nextTry: UInt64

    package var phase: Phase {
        turn == 0 ? .new : turn.isMultiple(of: 2) ? .restored : .undone
    }

    /// Identifies the message, also in a rebuilt journal, so receivers recognise duplicates.
    package var id: String { "\(event.key.hex.dropFirst(2).prefix(32))-\(turn)" }
}

/// The state of a delivery to a sink.
package enum WatchDeliveryState: Hashable, Sendable {
    case delivered
    /// It is tried again, at a time in seconds since 1970.
    case pending(nextTry: UInt64)
    /// It is given up after failed attempts.
    case failed
}
