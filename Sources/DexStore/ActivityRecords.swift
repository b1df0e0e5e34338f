package import Ethereum
package import ZeroEx

/// The account of a chain whose activity is kept.
package struct ActivityPlace: Hashable, Sendable {
    package let chainID: UInt64
    package let account: Address

    package init(chainID: UInt64, account: Address) {
        self.chainID = chainID
        self.account = account
    }
}

/// One movement of an account, or one of its transactions without any.
package struct ActivityRecord: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case sent
        case received
        /// Ether became wrapped ether, the `token`.
        case wrapped
        /// Wrapped ether, the `token`, became ether.
        case unwrapped
        /// The counterparty may take this much of the token.
        case approved
        /// The account gave `token` for `otherToken`.
        case trade
        /// An order or all orders of a pair; the amount is no longer offered.
        case cancel
        /// Another call of a contract by the account.
        case call
    }

    package let kind: Kind
    package let block: WatchedBlock
    /// The place in the block: the index of its log, else below zero.
    package let position: Int64
    /// The block's time in seconds since 1970.
    package var time: UInt64
    /// nil for ether that a contract paid.
    package let transaction: TransactionHash?
    /// The account sent the transaction.
    package let isOwn: Bool
    package let succeeded: Bool
    /// nil is ether.
    package let token: Address?
    /// Base units; nil if it is not known.
    package let amount: UInt256?
    /// What a trade brings.
    package let otherToken: Address?
    package let otherAmount: UInt256?
    /// The sender, recipient, spender, maker, taker or contract; nil if unknown.
    package let counterparty: Address?
    package let orderHash: OrderHash?
    /// The contract function of a call, or its selector.
    package let function: String?
    /// What the transaction paid for gas; only the first record of an own transaction has it.
    package var gas: Wei?

    package init(
        kind: Kind,
        block: WatchedBlock,
        position: Int64,
        time: UInt64,
        transaction: TransactionHash?,
        isOwn: Bool,
        succeeded: Bool,
        token: Address?,
        amount: UInt256?,
        otherToken: Address? = nil,
        otherAmount: UInt256? = nil,
        counterparty: Address?,
        orderHash: OrderHash? = nil,
        function: String? = nil,
        gas: Wei? = nil
    ) {
        self.kind = kind
        self.block = block
        self.position = position
        self.time = time
        self.transaction = transaction
        self.isOwn = isOwn
        self.succeeded = succeeded
        self.token = token
        self.amount = amount
        self.otherToken = otherToken
        self.otherAmount = otherAmount
        self.counterparty = counterparty
        self.orderHash = orderHash
        self.function = function
        self.gas = gas
    }
}

/// What one step read of the chain.
package struct ActivityStep: Sendable {
    package let range: KeptRange
    package let records: [ActivityRecord]
    /// Blocks of the range whose ether payments the node does not report.
    package let unread: BlockSpans
    /// Why, as a sentence; nil if it reports all.
    package let reason: String?

    package init(
        range: KeptRange,
        records: [ActivityRecord],
        unread: BlockSpans,
        reason: String?
    ) {
        self.range = range
        self.records = records
        self.unread = unread
        self.reason = reason
    }
}

/// Blocks whose payments in ether were not reported.
package struct ActivityGaps: Hashable, Sendable {
    package let blocks: BlockSpans
    /// Why the node did not report the latest of them; nil without any.
    package let reason: String?
}
