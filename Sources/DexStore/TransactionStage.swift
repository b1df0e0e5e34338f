/// Where a transaction of ours stands; everything that reports on one says it by this.
package enum TransactionStage: String, Sendable, CaseIterable {
    /// Nothing is signed.
    case planned
    /// Its bytes are durable, and perhaps no node ever got them.
    case signed
    /// A node took it.
    case broadcast
    /// A node has it and it is in no block of the chain.
    case pooled
    /// In a block of the chain that is not as deep as is wanted.
    case mined
    /// In a block of the chain that is deep enough.
    case confirmed
    /// In a block of the chain, where it failed.
    case reverted
    /// Another transaction used its nonce.
    case replaced
    /// A node took it, and has it no more.
    case dropped
    /// A reorganization took its block out of the chain, and it is in no pool yet.
    case reorganized
    /// A node refused it, or it was given up before any got it: its nonce is free. A node that
    /// kept it all the same may bring it to a pool or a block.
    case refused
    /// Its chain began anew.
    case forgotten

    /// It is in a block of the chain.
    package var isInBlock: Bool {
        switch self {
        case .mined, .confirmed, .reverted: true
        case .planned, .signed, .broadcast, .pooled, .replaced, .dropped, .reorganized,
            .refused, .forgotten:
            false
        }
    }

    /// It may still be mined.
    package var isUnsettled: Bool {
        switch self {
        case .signed, .broadcast, .pooled, .dropped, .reorganized, .refused: true
        case .planned, .mined, .confirmed, .reverted, .replaced, .forgotten: false
        }
    }
}

/// The words in the file, which journals of every version share.
extension TransactionStage {
    /// A row's status.
    ///
    /// What only a node shows is not kept: a pooled transaction was sent, a confirmed one is mined.
    package var stored: String {
        switch self {
        case .planned: "reserved"
        case .broadcast, .pooled: "sent"
        case .confirmed: Self.mined.rawValue
        case .signed, .mined, .reverted, .replaced, .dropped, .reorganized, .refused, .forgotten:
            rawValue
        }
    }

    /// From a row's status; nil where no version of `dex` writes it.
    init?(stored: String) {
        guard let stage = Self.allCases.first(where: { $0.stored == stored }) else { return nil }
        self = stage
    }
}
