package import Ethereum
package import ZeroEx

/// Whose affairs are watched, and where.
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

/// How far the chain was followed for a subject.
package struct WatchCursor: Hashable, Sendable {
    /// The first block that was read.
    package var first: UInt64
    /// The first block that was not read.
    package var next: UInt64
    /// Seconds since 1970 when watching began: what ended before is nothing new.
    package var since: UInt64
    /// The latest blocks of the last readings, by number: a reorganization is found by them.
    package var recent: [WatchedBlock]
    /// Grows with each record; 0 where nothing is recorded yet.
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
        /// Somebody filled an own order: `token` was given for `otherToken`.
        case fill
        /// An own order was cancelled: so much is no longer offered.
        case cancel
        /// A token or ether came in.
        case received
        /// A token or ether went out.
        case sent
        /// Ether became wrapped ether, the `token`.
        case wrapped
        /// Wrapped ether, the `token`, became ether.
        case unwrapped
        /// An own order expires soon.
        case expiring
        /// An own order has expired.
        case expired
        /// Nothing of an own order can be filled: the balance or allowance is short.
        case unfunded
        /// It can be filled again.
        case funded

        /// It is in a block, and so may leave the chain with it.
        package var isInBlock: Bool {
            switch self {
            case .fill, .cancel, .received, .sent, .wrapped, .unwrapped: true
            case .expiring, .expired, .unfunded, .funded: false
            }
        }
    }

    /// Where in the chain it is told.
    package struct Place: Hashable, Sendable {
        package let block: WatchedBlock
        /// The position of its log in the block; nil of ether and of an order's own state.
        package let logIndex: UInt64?
        /// Seconds since 1970 of the block.
        package let time: UInt64

        package init(block: WatchedBlock, logIndex: UInt64?, time: UInt64) {
            self.block = block
            self.logIndex = logIndex
            self.time = time
        }
    }

    /// What it is, wherever in the chain: the same in another block after a reorganization.
    package let key: Bytes32
    package let kind: Kind
    /// nil of what is about no order.
    package let orderHash: OrderHash?
    /// nil of what has come about without one, and of ether that a contract paid.
    package let transaction: TransactionHash?
    /// What the order gives, or what was moved; nil is ether.
    package let token: Address?
    /// Base units of it.
    package let amount: UInt256
    /// What the order gets for it; nil of what is about no order.
    package let otherToken: Address?
    package let otherAmount: UInt256?
    /// The taker, the sender or the recipient; nil where there is none.
    package let counterparty: Address?
    /// Seconds since 1970; of orders that expire.
    package let expiry: UInt256?
    package var place: Place

    package init(
        key: Bytes32,
        kind: Kind,
        orderHash: OrderHash?,
        transaction: TransactionHash?,
        token: Address?,
        amount: UInt256,
        otherToken: Address?,
        otherAmount: UInt256?,
        counterparty: Address?,
        expiry: UInt256?,
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
        self.place = place
    }
}

/// An event of the journal, and how often that changed.
package struct NotedEvent: Hashable, Sendable {
    package let event: WatchEvent
    /// 0: told as new; odd: a reorganization undid it; even: it is there again.
    package let turn: UInt64

    package init(event: WatchEvent, turn: UInt64) {
        self.event = event
        self.turn = turn
    }

    package var isStanding: Bool { turn.isMultiple(of: 2) }
}

/// What one reading of the chain changes, all of it at once or nothing.
package struct WatchStep: Sendable {
    package enum Change: Hashable, Sendable {
        /// It is new.
        case new(WatchEvent)
        /// It is in another block than before; nobody has to be told.
        case moved(WatchEvent)
        /// A reorganization took it out of the chain.
        case undone(WatchEvent)
        /// It was undone, and is in the chain again.
        case restored(WatchEvent)
    }

    package let subject: WatchTarget
    /// As it is afterwards; `version` is the one that it was read with.
    package let cursor: WatchCursor
    package let changes: [Change]
    /// Who is told of the changes.
    package let sinks: [String]
    /// Seconds since 1970.
    package let now: UInt64

    package init(
        subject: WatchTarget,
        cursor: WatchCursor,
        changes: [Change],
        sinks: [String],
        now: UInt64
    ) {
        self.subject = subject
        self.cursor = cursor
        self.changes = changes
        self.sinks = sinks
        self.now = now
    }
}

/// What is to be told of an event to one sink.
package struct WatchMessage: Hashable, Sendable {
    package enum Phase: String, Sendable, CaseIterable {
        case new
        case undone
        case restored
    }

    /// The row in the journal: messages are told in this order.
    package let row: Int64
    /// The event with its place as it was then.
    package let event: WatchEvent
    package let turn: UInt64
    /// Seconds since 1970 when it was noted.
    package let noted: UInt64
    /// How often the sink was tried.
    package let attempts: UInt64
    /// Seconds since 1970 before which it is not tried again.
    package let nextTry: UInt64

    package init(
        row: Int64,
        event: WatchEvent,
        turn: UInt64,
        noted: UInt64,
        attempts: UInt64,
        nextTry: UInt64
    ) {
        self.row = row
        self.event = event
        self.turn = turn
        self.noted = noted
        self.attempts = attempts
        self.nextTry = nextTry
    }

    package var phase: Phase {
        turn == 0 ? .new : turn.isMultiple(of: 2) ? .restored : .undone
    }

    /// The same for the same message, also in a journal that was made anew: by it receivers know
    /// what they have already.
    package var id: String { "\(event.key.hex.dropFirst(2).prefix(32))-\(turn)" }
}

/// What became of telling a sink.
package enum WatchDeliveryState: Hashable, Sendable {
    case delivered
    /// It is tried again, in seconds since 1970.
    case pending(nextTry: UInt64)
    /// It is given up.
    case failed
}
