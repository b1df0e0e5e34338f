import Ethereum

/// The state machine of one of our transactions; all reports of an outcome use it.
///
/// It moves by our own acts and by what a node shows (`TransactionObservation`), and returns what
/// the journal must hold. Only the chain decides. No stage is final except `forgotten` and a deep
/// block: a reorganization may undo mined and replaced transactions, and a refused one may turn
/// up.
package struct TransactionLife: Hashable, Sendable {
    package enum Act: Sendable, CaseIterable {
        /// Its signed bytes are durable.
        case sign
        /// Its signed bytes are durable, and are not to be sent; also once a node refused bytes
        /// that a file has.
        case hold
        /// Its user lets it be sent.
        case release
        /// A node accepted the bytes, or reports that it has them.
        case send
        /// No node will have the bytes, or they are given up before any node was asked.
        case refuse
        /// Its chain restarted.
        case forget
    }

    /// Blocks after which no reorganization is expected: two epochs, rounded up.
    package static let finalDepth: UInt64 = 128

    package private(set) var stage: TransactionStage
    /// The block that holds it; nil if none does.
    package private(set) var block: UInt64?
    /// The block that held it until a reorganization removed that block.
    package private(set) var reorgedFromBlock: UInt64?
    /// Its nonce is used, and nothing shows by which transaction: a node may count a block before
    /// it serves its receipts, and another server behind the same address may lag behind that one.
    package private(set) var isInDoubt = false

    /// - Parameters:
    ///   - block: for a stage in a block, the block.
    ///   - reorgedFromBlock: the block that a reorganization removed.
    package init(_ stage: TransactionStage, block: UInt64? = nil, reorgedFromBlock: UInt64? = nil) {
        self.stage = stage
        self.block = stage.isInBlock ? block : nil
        self.reorgedFromBlock = reorgedFromBlock
    }

    /// From the journal's record.
    package init(_ transaction: JournalTransaction) {
        self.init(
            transaction.stage,
            block: transaction.block,
            reorgedFromBlock: transaction.reorgedFromBlock
        )
    }

    // MARK: Steps

    /// Applies our own act; false, without a change, if its stage does not allow it.
    @discardableResult
    package mutating func note(_ act: Act) -> Bool {
        guard let next = Self.stage(after: act, in: stage) else { return false }
        enter(next, block: next == stage ? block : nil)
        return true
    }

    /// Applies an observation; false, without a change, if no honest node can show it.
    ///
    /// A node behind its block shows nothing. Neither does one that counts its nonce as used and no
    /// longer knows a very deep transaction.
    ///
    /// - Parameter confirmations: the required number of blocks, including its own.
    @discardableResult
    package mutating func observe(_ observation: TransactionObservation, confirmations: UInt64 = 1)
        -> Bool
    {
        let meaning = observation.meaning(confirmations: confirmations)
        if let block, let head = observation.head {
            let (depth, isAhead) = head.subtractingReportingOverflow(block)
            switch meaning {
            case .included, .claimed, .unseen: break
            case .orphaned, .pooled, .missing: if isAhead { return true }
            case .nonceUsed, .replaced: if isAhead || depth > Self.finalDepth { return true }
            }
        }
        guard let next = Self.stage(after: meaning, in: stage) else { return false }
        switch meaning {
        case .nonceUsed: isInDoubt = true
        case .unseen: break
        case .included, .claimed, .orphaned, .pooled, .replaced, .missing: isInDoubt = false
        }
        if case .included = meaning {
            enter(next, block: observation.receipt?.blockNumber)
        } else {
            enter(next, block: next.isInBlock ? block : nil)
        }
        return true
    }

    private mutating func enter(_ next: TransactionStage, block now: UInt64?) {
        if stage.isInBlock, !next.isInBlock, next != .forgotten { reorgedFromBlock = block }
        stage = next
        block = now
    }

    /// The stage to write to the journal now, so that the next command takes it into account.
    ///
    /// nil if the journal's stage suffices. Final stages are excluded: they are written after the
    /// user has seen them, since a command killed before has reported nothing.
    package func unreported(over journaled: JournalTransaction) -> TransactionStage? {
        let isSameBlock = block == journaled.block
        return Self.unreported(stage, over: journaled.stage, isSameBlock: isSameBlock)
    }

    /// - Parameter isSameBlock: the journal names the same block.
    package static func unreported(
        _ stage: TransactionStage,
        over journaled: TransactionStage,
        isSameBlock: Bool
    ) -> TransactionStage? {
        switch (journaled, stage) {
        case (.planned, _), (.replaced, _), (.forgotten, _): nil
        // It becomes unsettled first, whatever happens next.
        case (_, _) where journaled.isInBlock:
            stage.isInBlock && isSameBlock ? nil : .reorganized
        // Its nonce is used, so no other transaction is signed with it.
        case (.refused, _) where stage.isInBlock: .broadcast
        case (.broadcast, .pooled), (.pooled, .pooled): nil
        case (_, .pooled): .pooled
        default: nil
        }
    }

    /// The stage after an act; nil if the act is impossible.
    package static func stage(after act: Act, in stage: TransactionStage) -> TransactionStage? {
        switch (act, stage) {
        case (.forget, _): .forgotten
        case (.sign, .planned), (.release, .held): .signed
        case (.hold, .planned), (.hold, .signed): .held
        case (.sign, _), (.hold, _), (.release, _): nil
        case (_, .forgotten), (.send, .planned): nil
        // Given-up bytes may be sent again: they are always the same.
        case (.send, .signed), (.send, .held), (.send, .broadcast), (.send, .dropped),
            (.send, .reorganized), (.send, .refused):
            .broadcast
        // "already known", "nonce too low": this is not news to the node.
        case (.send, .pooled), (.send, .mined), (.send, .confirmed), (.send, .reverted),
            (.send, .replaced):
            stage
        case (.refuse, .planned), (.refuse, .signed), (.refuse, .broadcast),
            (.refuse, .dropped), (.refuse, .reorganized), (.refuse, .refused):
            .refused
        // One node's refusal does not remove it from another node.
        case (.refuse, .pooled), (.refuse, .replaced): stage
        case (.refuse, .mined), (.refuse, .confirmed), (.refuse, .reverted): nil
        // A file has its bytes, so its nonce is not free.
        case (.refuse, .held): nil
        }
    }

    /// The stage after an observation; nil if no honest node can show it.
    package static func stage(
        after meaning: TransactionObservation.Meaning,
        in stage: TransactionStage
    ) -> TransactionStage? {
        switch (meaning, stage) {
        case (.unseen, _): stage
        // Without a hash there is no query; on a restarted chain an answer means nothing.
        case (_, .planned): nil
        case (_, .forgotten): .forgotten
        case (.included(let succeeded, let isDeep), _):
            succeeded ? (isDeep ? .confirmed : .mined) : .reverted
        // A receipt counts only if its block is known to be canonical.
        case (.claimed, _) where stage.isInBlock: stage
        case (.orphaned, _) where stage.isInBlock: .reorganized
        case (.orphaned, .reorganized): .reorganized
        case (.pooled, _) where stage.isInBlock: .reorganized
        case (.claimed, _), (.orphaned, _), (.pooled, _): .pooled
        // However often it is seen, it proves nothing: a lagging server has no receipt yet.
        case (.nonceUsed, _): stage
        case (.replaced, _): .replaced
        case (.missing, _) where stage.isInBlock: .reorganized
        case (.missing, .broadcast), (.missing, .pooled): .dropped
        // Its nonce is free again: the transaction that used it was reorganized away.
        case (.missing, .replaced): .dropped
        case (.missing, .signed), (.missing, .held), (.missing, .dropped),
            (.missing, .reorganized), (.missing, .refused):
            stage
        // Covered above by isInBlock.
        case (.missing, .mined), (.missing, .confirmed), (.missing, .reverted): .reorganized
        }
    }
}
