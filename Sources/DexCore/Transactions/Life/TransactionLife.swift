import DexStore
import Ethereum

/// How far a transaction of ours came: a pure state machine that everything reads which tells
/// what became of a transaction.
///
/// It moves by acts of ours and by what a node shows (`TransactionObservation`). Only what the chain shows
/// decides: no stage but `forgotten` and a deep block is an end, for a reorganization may undo
/// what was mined and what was replaced, and what was refused may turn up.
struct TransactionLife: Hashable, Sendable {
    /// Where it stands.
    enum Stage: String, Sendable, CaseIterable {
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
        var isInBlock: Bool {
            switch self {
            case .mined, .confirmed, .reverted: true
            case .planned, .signed, .broadcast, .pooled, .replaced, .dropped, .reorganized,
                .refused, .forgotten:
                false
            }
        }
    }

    /// What we did with it.
    enum Act: Sendable, CaseIterable {
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
    static let finalDepth: UInt64 = 128

    private(set) var stage: Stage
    /// The block that holds it; nil unless one does.
    private(set) var block: UInt64?
    /// The block that held it until a reorganization took that out of the chain.
    private(set) var reorgedFromBlock: UInt64?
    /// Its nonce was seen to be used once, without its receipt: a node may count a block before
    /// it serves the receipts in it.
    private(set) var isInDoubt = false

    /// - Parameters:
    ///   - block: of a stage in which a block holds it.
    ///   - reorgedFromBlock: where a reorganization took it out.
    init(_ stage: Stage, block: UInt64? = nil, reorgedFromBlock: UInt64? = nil) {
        self.stage = stage
        self.block = stage.isInBlock ? block : nil
        self.reorgedFromBlock = reorgedFromBlock
    }

    /// As the journal knows it.
    init(_ transaction: JournalTransaction) {
        let stage: Stage =
            switch transaction.status {
            case .signed: .signed
            case .sent: .broadcast
            case .dropped: .dropped
            case .reorganized: .reorganized
            case .mined: .mined
            case .reverted: .reverted
            case .replaced: .replaced
            case .refused: .refused
            case .forgotten: .forgotten
            }
        self.init(stage, block: transaction.block, reorgedFromBlock: transaction.reorgedFromBlock)
    }

    /// How the journal tells of it; nil before there is anything to tell.
    var status: JournalTransaction.Status? {
        switch stage {
        case .planned: nil
        case .signed: .signed
        case .broadcast, .pooled: .sent
        case .mined, .confirmed: .mined
        case .reverted: .reverted
        case .replaced: .replaced
        case .dropped: .dropped
        case .reorganized: .reorganized
        case .refused: .refused
        case .forgotten: .forgotten
        }
    }

    // MARK: Steps

    /// Notes what we did; false, and nothing changes, where that cannot be done in its stage.
    @discardableResult
    mutating func note(_ act: Act) -> Bool {
        guard let next = Self.stage(after: act, in: stage) else { return false }
        enter(next, block: next == stage ? block : nil)
        return true
    }

    /// Takes in what a node shows; false, and nothing changes, where no honest node can show it.
    ///
    /// A node that is behind the block that holds it tells nothing. Nor does one that has its nonce
    /// used and forgot what is very deep.
    ///
    /// - Parameter confirmations: blocks that must hold it, its own included.
    @discardableResult
    mutating func see(_ observation: TransactionObservation, confirmations: UInt64 = 1) -> Bool {
        let finding = observation.finding(confirmations: confirmations)
        if let block, let head = observation.head {
            let (depth, isAhead) = head.subtractingReportingOverflow(block)
            switch finding {
            case .included, .claimed, .unseen: break
            case .orphaned, .pooled, .missing: if isAhead { return true }
            case .nonceUsed: if isAhead || depth > Self.finalDepth { return true }
            }
        }
        guard let next = Self.stage(after: finding, in: stage, isInDoubt: isInDoubt) else {
            return false
        }
        switch finding {
        case .nonceUsed: isInDoubt = next != .replaced
        case .unseen: break
        case .included, .claimed, .orphaned, .pooled, .missing: isInDoubt = false
        }
        if case .included = finding {
            enter(next, block: observation.receipt?.blockNumber)
        } else {
            enter(next, block: next.isInBlock ? block : nil)
        }
        return true
    }

    private mutating func enter(_ next: Stage, block now: UInt64?) {
        if stage.isInBlock, !next.isInBlock, next != .forgotten { reorgedFromBlock = block }
        stage = next
        block = now
    }

    // MARK: The table

    /// The stage after an act; nil where the act is impossible.
    static func stage(after act: Act, in stage: Stage) -> Stage? {
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

    /// The stage after a look at a node; nil where no honest node can show that.
    static func stage(
        after finding: TransactionObservation.Finding,
        in stage: Stage,
        isInDoubt: Bool
    ) -> Stage? {
        switch (finding, stage) {
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
