import EVM
import Ethereum

/// The state of the chain after its newest block, and the changes to undo recent blocks.
///
/// A class inside the chain's actor, so that large dictionaries are never copied.
final class WorldState {
    /// The number of past blocks with readable state, at least a full node's default.
    static let historyDepth = 256

    private(set) var slots: [StorageKey: UInt256]
    /// By hash; code of blocks that were undone stays.
    private(set) var codes: [Bytes32: [UInt8]]
    /// Of the newest block.
    private(set) var commitment: StateCommitment
    /// What a fork has of its live chain; nil: what was never written is zero.
    private let fork: ForkSource?
    /// For each recent block, the previous values of its changes.
    private(set) var undo: [UInt64: [StorageKey: UInt256]] = [:]
    private(set) var number: UInt64
    private var cachedView: (block: UInt64, newest: UInt64, values: [StorageKey: UInt256])?

    /// - Parameters:
    ///   - slots: of a fork those that it has written, also with zeros.
    ///   - commitment: of the slots.
    init(
        slots: [StorageKey: UInt256],
        codes: [Bytes32: [UInt8]],
        commitment: StateCommitment,
        number: UInt64,
        undo: [UInt64: [StorageKey: UInt256]] = [:],
        fork: ForkSource? = nil
    ) {
        self.slots = slots
        self.codes = codes
        self.commitment = commitment
        self.number = number
        self.undo = undo
        self.fork = fork
    }

    /// The state of a stored chain.
    ///
    /// - Throws: `SandboxError.notAChain` if it is not that of the newest block.
    convenience init(
        _ stored: StoredChain,
        _ file: ChainFile,
        fork: ForkSource?
    ) throws(SandboxError) {
        let newest = stored.blocks.last?.header
        let commitment: StateCommitment
        if fork != nil {
            // Its slots alone do not give it; `head` in the store ties them to the block.
            commitment = .chained(newest?.stateRoot ?? .zero)
        } else {
            commitment = .tries(StateTries(stored.slots))
        }
        guard newest?.stateRoot == commitment.root else {
            throw .notAChain(file, reason: "its state is not that of its newest block")
        }
        self.init(
            slots: stored.slots,
            codes: stored.codes,
            commitment: commitment,
            number: newest?.number ?? 0,
            undo: stored.undo,
            fork: fork
        )
    }

    /// The value of a key after the newest block; never written ones are zero, or of a fork what the
    /// live chain has.
    func value(_ key: StorageKey) -> UInt256 {
        slots[key] ?? fork?.value(key) ?? .zero
    }

    /// Code by its hash; nil if there is none.
    func code(_ hash: Bytes32) -> [UInt8]? { codes[hash] ?? fork?.code(hash) }

    /// The state after the newest block.
    var latest: StateView {
        StateView(world: self, past: [:])
    }

    /// The state after an earlier block; nil if it is no longer kept.
    func view(at block: UInt64) -> StateView? {
        guard block < number else { return block == number ? latest : nil }
        if let cachedView, cachedView.block == block, cachedView.newest == number {
            return StateView(world: self, past: cachedView.values)
        }
        var past: [StorageKey: UInt256] = [:]
        for later in stride(from: number, to: block, by: -1) {
            guard let changes = undo[later] else { return nil }
            past.merge(changes) { _, older in older }
        }
        cachedView = (block, number, past)
        return StateView(world: self, past: past)
    }

    /// That of the state with changes on the newest block's.
    func commitment(with changes: [StorageKey: UInt256]) -> StateCommitment {
        commitment.applying(changes) { changes[$0] ?? value($0) }
    }

    /// Applies a block's changes and keeps the previous values.
    ///
    /// - Parameter commitment: of the state with the changes.
    func commit(
        _ effects: BlockEffects,
        commitment: StateCommitment,
        before: [StorageKey: UInt256],
        block: UInt64
    ) {
        set(effects.changes, commitment)
        codes.merge(effects.codes) { known, _ in known }
        number = block
        undo[block] = before
        if let oldest = Self.oldestUndo(newest: block) { undo[oldest - 1] = nil }
    }

    private func set(_ changes: [StorageKey: UInt256], _ commitment: StateCommitment) {
        // A fork's zero hides what the live chain has.
        let keepsZeros = fork != nil
        for (key, value) in changes { slots[key] = value == .zero && !keepsZeros ? nil : value }
        self.commitment = commitment
    }

    /// The values to restore for an earlier block; nil if they are no longer kept.
    func changes(backTo block: UInt64) -> [StorageKey: UInt256]? {
        view(at: block)?.past
    }

    /// Goes back to an earlier block.
    ///
    /// - Parameters:
    ///   - changes: from `changes(backTo:)`.
    ///   - root: of the earlier block.
    func rollBack(_ changes: [StorageKey: UInt256], to block: UInt64, root: Bytes32) {
        set(changes, fork == nil ? commitment(with: changes) : .chained(root))
        for later in block + 1...max(number, block + 1) { undo[later] = nil }
        number = block
        cachedView = nil
    }

    /// The oldest block whose changes can be undone with this one as the newest.
    static func oldestUndo(newest: UInt64) -> UInt64? {
        let depth = UInt64(historyDepth)
        return newest >= depth ? newest - depth + 1 : nil
    }
}

/// The state after a certain block.
final class StateView: StateReader {
    let world: WorldState
    /// Values that were different then.
    let past: [StorageKey: UInt256]

    init(world: WorldState, past: [StorageKey: UInt256]) {
        (self.world, self.past) = (world, past)
    }

    subscript(key: StorageKey) -> UInt256 {
        if !past.isEmpty, let value = past[key] { return value }
        return world.value(key)
    }

    /// The code of an account; empty for one without.
    func code(of address: Address) -> [UInt8] {
        let hash = self[StorageKey(address, .code)]
        return hash == .zero ? [] : world.code(hash.word) ?? []
    }

    /// The tries of this state; nil for a fork.
    var tries: StateTries? { world.commitment(with: past).tries }

    func account(_ address: Address) -> Known<AccountRecord?> {
        let nonce = self[StorageKey(address, .nonce)]
        let ether = self[StorageKey(address, .ether)]
        let code = self[StorageKey(address, .code)]
        guard nonce != .zero || ether != .zero || code != .zero else { return .known(nil) }
        // Whoever has storage has a nonce, so nobody asks whether there is some.
        return .known(
            AccountRecord(
                nonce: nonce.w0,
                balance: Wei(ether),
                codeHash: code == .zero ? nil : code.word
            )
        )
    }

    func code(_ hash: Bytes32) -> Known<[UInt8]> {
        world.code(hash).map { .known($0) } ?? .unknown
    }

    func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
        .known(self[StorageKey(address, .word(slot))])
    }
}
