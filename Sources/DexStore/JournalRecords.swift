package import Ethereum
package import ZeroEx

/// An intent that the user confirmed.
package struct JournalIntent: Hashable, Sendable {
    package let chainID: UInt64
    package let account: Address
    /// The command, such as `market-buy`.
    package let command: String
    /// The part of the plan for later reports, JSON text; nil without one.
    package let plan: String?
    /// The `plan` of what ends in an order.
    package static let orderPlan = #"{"last":"order"}"#
    /// Seconds since 1970.
    package let created: UInt64
    /// The user's own word for it; nil without one.
    package let tag: String?

    package init(
        chainID: UInt64,
        account: Address,
        command: String,
        plan: String?,
        created: UInt64,
        tag: String? = nil
    ) {
        self.chainID = chainID
        self.account = account
        self.command = command
        self.plan = plan
        self.created = created
        self.tag = tag
    }
}

/// A nonce reserved for signing, for a limited time.
package struct NonceReservation: Hashable, Sendable {
    /// Seconds until an unsigned reservation lapses: enough to confirm on a device.
    package static let lease: UInt64 = 300

    /// The row in the journal.
    package let id: Int64
    package let nonce: UInt64

    package init(id: Int64, nonce: UInt64) {
        self.id = id
        self.nonce = nonce
    }
}

/// A transaction that we signed.
package struct JournalTransaction: Hashable, Sendable {
    package let intent: Int64
    package let chainID: UInt64
    package let sender: Address
    package let nonce: UInt64
    package let purpose: String
    package let hash: TransactionHash
    /// `SignedTransaction.raw`.
    package let raw: [UInt8]
    /// As the journal has it: never `planned`, `pooled` or `confirmed`.
    package let stage: TransactionStage
    /// Seconds since 1970.
    package let created: UInt64
    /// nil until it is mined.
    package let block: UInt64?
    /// The block that held it until a reorganization removed that block.
    package let reorgedFromBlock: UInt64?
    /// The transaction that we signed to replace it, with the same nonce.
    package let successor: TransactionHash?
    /// The transaction that this one was signed to replace.
    package let predecessor: TransactionHash?
    /// A plan of `dex mcp` signed it, whose record tells its outcome: it counts as reported.
    package var isOfPlan = false
}

/// An order that we signed.
package struct JournalOrder: Hashable, Sendable {
    package let chainID: UInt64
    package let exchange: Address
    package let hash: OrderHash
    package let maker: Address
    /// The relay's wire form, JSON text.
    package let wire: String
    /// Seconds since 1970.
    package let created: UInt64
    /// The relays that accepted it, set apart by spaces; nil if none did.
    package let relay: String?
    /// It was signed for a relay, and its acceptance there is unknown.
    package let isInDoubt: Bool

    /// The relays that accepted it.
    package var relays: [String] { Self.relays(in: relay) }

    static func relays(in text: String?) -> [String] {
        (text ?? "").split(separator: " ").map(String.init)
    }

    package init(
        chainID: UInt64,
        exchange: Address,
        hash: OrderHash,
        maker: Address,
        wire: String,
        created: UInt64,
        relay: String? = nil,
        isInDoubt: Bool = false
    ) {
        self.chainID = chainID
        self.exchange = exchange
        self.hash = hash
        self.maker = maker
        self.wire = wire
        self.created = created
        self.relay = relay
        self.isInDoubt = isInDoubt
    }
}
