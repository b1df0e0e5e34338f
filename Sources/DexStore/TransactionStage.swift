/// The stage of one of our transactions, used by all reports.
package enum TransactionStage: String, Sendable, CaseIterable {
    /// Nothing is signed.
    case planned
    /// Its bytes are durable; possibly no node ever received them.
    case signed
    /// Its bytes are durable and in a file for its user, who did not want it to be sent.
    ///
    /// Only `dex broadcast` lets it be sent; whoever has the file may send it anywhere.
    case held
    /// A node accepted it.
    case broadcast
    /// A node has it, in no block of the chain.
    case pooled
    /// In a block of the chain that is not yet deep enough.
    case mined
    /// In a block of the chain that is deep enough.
    case confirmed
    /// In a block of the chain, but failed.
    case reverted
    /// Another transaction used its nonce.
    case replaced
    /// A node accepted it and no longer has it.
    case dropped
    /// A reorganization removed its block, and it is not yet in a pool.
    case reorganized
    /// A node refused it, or it was given up before any node got it: its nonce is free.
    ///
    /// A node that kept it anyway may bring it to a pool or a block.
    case refused
    /// Its chain restarted.
    case forgotten

    /// It is in a block of the chain.
    package var isInBlock: Bool {
        switch self {
        case .mined, .confirmed, .reverted: true
        case .planned, .signed, .held, .broadcast, .pooled, .replaced, .dropped, .reorganized,
            .refused, .forgotten:
            false
        }
    }

    package var isUnsettled: Bool {
        switch self {
        case .signed, .held, .broadcast, .pooled, .dropped, .reorganized, .refused: true
        case .planned, .mined, .confirmed, .reverted, .replaced, .forgotten: false
        }
    }
}

extension TransactionStage {
    /// The status in a row, the same in journals of every version.
    ///
    /// Stages that only a node shows are not stored: pooled is stored as sent, confirmed as mined.
    package var stored: String {
        switch self {
        case .planned: "reserved"
        case .broadcast, .pooled: "sent"
        case .confirmed: Self.mined.rawValue
        case .signed, .held, .mined, .reverted, .replaced, .dropped, .reorganized, .refused,
            .forgotten:
            rawValue
        }
    }
}
