import Ethereum

/// The state of the chain after its newest block, and the changes to undo recent blocks.
///
/// A class inside the chain's actor, so that large dictionaries are never copied.
final class WorldState {
    /// The number of past blocks with readable state, at least a full node's default.
    static let historyDepth = 256

    private(set) var slots: [StorageKey: UInt256]
    /// For each recent block, the previous values of its changes.
    private(set) var undo: [UInt64: [StorageKey: UInt256]] = [:]
    private(set) var number: UInt64
    private var cachedView: (block: UInt64, newest: UInt64, values: [StorageKey: UInt256])?

    init(
        slots: [StorageKey: UInt256],
        number: UInt64,
        undo: [UInt64: [StorageKey: UInt256]] = [:]
    ) {
        self.slots = slots
        self.number = number
        self.undo = undo
    }

    /// The value of a slot after the newest block; never written slots are zero.
    func value(_ key: StorageKey) -> UInt256 {
        slots[key] ?? .zero
    }

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

    /// Applies a block's changes and keeps the previous values.
    func commit(
        _ changes: [StorageKey: UInt256],
        before: [StorageKey: UInt256],
        block: UInt64
    ) {
        for (key, value) in changes { slots[key] = value == .zero ? nil : value }
        number = block
        undo[block] = before
        if let oldest = Self.oldestUndo(newest: block) { undo[oldest - 1] = nil }
    }

    /// The values to restore for an earlier block; nil if they are no longer kept.
    func changes(backTo block: UInt64) -> [StorageKey: UInt256]? {
        view(at: block)?.past
    }

    /// Goes back to an earlier block.
    ///
    /// - Parameter changes: from `changes(backTo:)`.
    func rollBack(_ changes: [StorageKey: UInt256], to block: UInt64) {
        for (key, value) in changes { slots[key] = value == .zero ? nil : value }
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
struct StateView {
    let world: WorldState
    /// Values that were different then.
    let past: [StorageKey: UInt256]

    subscript(key: StorageKey) -> UInt256 {
        if !past.isEmpty, let value = past[key] { return value }
        return world.value(key)
    }
}
