import Ethereum

/// How far a transaction of ours came: a pure state machine that everything reads which tells
/// what became of a transaction.
///
/// It moves by acts of ours and by what a node shows (`TransactionObservation`), and says what the
/// journal is to hold of that. Only what the chain shows decides: no stage but `forgotten` and a
/// deep block is an end, for a reorganization may undo what was mined and what was replaced, and
/// what was refused may turn up.
package struct TransactionLife: Hashable, Sendable {
    /// What we did with it.
    package enum Act: Sendable, CaseIterable {
        /// Its signed bytes are durable.
        case sign
        /// A node took the bytes, or said that it has them.
        case send
        /// No node will have the bytes, or they are given up before any was asked.
        case refuse
        /// Its chain began anew.
        case forget
    }

    /// Blocks after which no reorganization is expected: two epochs, rounded up.
    package static let finalDepth: UInt64 = 128

    package private(set) var stage: TransactionStage
    /// The block that holds it; nil unless one does.
    package private(set) var block: UInt64?
    /// The block that held it until a reorganization took that out of the chain.
    package private(set) var reorgedFromBlock: UInt64?
    /// Its nonce was seen to be used once, without its receipt: a node may count a block before
    /// it serves the receipts in it.
    package private(set) var isInDoubt = false

    /// - Parameters:
    ///   - block: of a stage in which a block holds it.
    ///   - reorgedFromBlock: where a reorganization took it out.
    package init(_ stage: TransactionStage, block: UInt64? = nil, reorgedFromBlock: UInt64? = nil) {
        self.stage = stage
        self.block = stage.isInBlock ? block : nil
        self.reorgedFromBlock = reorgedFromBlock
    }

    /// As the journal knows it.
    package init(_ transaction: JournalTransaction) {
        self.init(
            transaction.stage,
            block: transaction.block,
            reorgedFromBlock: transaction.reorgedFromBlock
        )
    }

    // MARK: Steps

    /// Notes what we did; false, and nothing changes, where that cannot be done in its stage.
    @discardableResult
    package mutating func note(_ act: Act) -> Bool {
        guard let next = Self.stage(after: act, in: stage) else { return false }
        enter(next, block: next == stage ? block : nil)
        return true
    }

    /// Moves by what a node shows; false, and nothing changes, where no honest node can show it.
    ///
    /// A node that is behind the block that holds it tells nothing. Nor does one that has its nonce
    /// used and forgot what is very deep.
    ///
    /// - Parameter confirmations: blocks that must hold it, its own included.
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
            case .nonceUsed: if isAhead || depth > Self.finalDepth { return true }
            }
        }
        guard let next = Self.stage(after: meaning, in: stage, isInDoubt: isInDoubt) else {
            return false
        }
        switch meaning {
        case .nonceUsed: isInDoubt = next != .replaced
        case .unseen: break
        case .included, .claimed, .orphaned, .pooled, .missing: isInDoubt = false
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

    // MARK: The journal

    /// What the journal is to hold at once in place of what it has, so that the next command
    /// counts with it; nil where what it has will do.
    ///
    /// An end is not among it: the journal holds that once the user has seen it, for a command that
    /// is killed before has told nobody.
    package func unreported(over journaled: JournalTransaction) -> TransactionStage? {
        let isSameBlock = block == journaled.block
        return Self.unreported(stage, over: journaled.stage, isSameBlock: isSameBlock)
    }

    /// - Parameter isSameBlock: the block that holds it is the one by the journal.
    package static func unreported(
        _ stage: TransactionStage,
        over journaled: TransactionStage,
        isSameBlock: Bool
    ) -> TransactionStage? {
        switch (journaled, stage) {
        case (.planned, _), (.replaced, _), (.forgotten, _): nil
        // First of all it is unsettled again, whatever happens to it now.
        case (_, _) where journaled.isInBlock:
            stage.isInBlock && isSameBlock ? nil : .reorganized
        // Its nonce is used, so nothing else is signed with it.
        case (.refused, _) where stage.isInBlock: .broadcast
        case (.broadcast, .pooled), (.pooled, .pooled): nil
        case (_, .pooled): .pooled
        default: nil
        }
    }

    // MARK: The table

    /// The stage after an act; nil where the act is impossible.
    package static func stage(after act: Act, in stage: TransactionStage) -> TransactionStage? {
        switch (act, stage) {
        case (.forget, _): .forgotten
        case (.sign, .planned): .signed
        case (.sign, _): nil
        case (_, .forgotten), (.send, .planned): nil
        // What was given up may be taken out again: always the same bytes.
        case (.send, .signed), (.send, .broadcast), (.send, .dropped), (.send, .reorganized),
            (.send, .refused):
            .broadcast
        // "already known", "nonce too low": the node is told nothing new.
        case (.send, .pooled), (.send, .mined), (.send, .confirmed), (.send, .reverted),
            (.send, .replaced):
            stage
        case (.refuse, .planned), (.refuse, .signed), (.refuse, .broadcast),
            (.refuse, .dropped), (.refuse, .reorganized), (.refuse, .refused):
            .refused
        // One node's refusal does not take it away from another that has it.
        case (.refuse, .pooled), (.refuse, .replaced): stage
        case (.refuse, .mined), (.refuse, .confirmed), (.refuse, .reverted): nil
        }
    }

    /// The stage after an observation; nil where no honest node can show that.
    package static func stage(
        after meaning: TransactionObservation.Meaning,
        in stage: TransactionStage,
        isInDoubt: Bool
    ) -> TransactionStage? {
        switch (meaning, stage) {
        case (.unseen, _): stage
        // Nobody looks for what has no hash, and on a chain that began anew it means nothing.
        case (_, .planned): nil
        case (_, .forgotten): .forgotten
        case (.included(let succeeded, let isDeep), _):
            succeeded ? (isDeep ? .confirmed : .mined) : .reverted
        // A receipt is believed only where its block is known to be canonical.
        case (.claimed, _) where stage.isInBlock: stage
        case (.orphaned, _) where stage.isInBlock: .reorganized
        case (.orphaned, .reorganized): .reorganized
        case (.pooled, _) where stage.isInBlock: .reorganized
        case (.claimed, _), (.orphaned, _), (.pooled, _): .pooled
        case (.nonceUsed, .replaced): .replaced
        case (.nonceUsed, _): isInDoubt ? .replaced : stage
        case (.missing, _) where stage.isInBlock: .reorganized
        case (.missing, .broadcast), (.missing, .pooled): .dropped
        // Its nonce is free again: what had used it was taken out of the chain.
        case (.missing, .replaced): .dropped
        case (.missing, .signed), (.missing, .dropped), (.missing, .reorganized),
            (.missing, .refused):
            stage
        // Covered above by isInBlock.
        case (.missing, .mined), (.missing, .confirmed), (.missing, .reverted): .reorganized
        }
    }
}
