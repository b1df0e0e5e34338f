import Ethereum

/// The state of the chain after its newest block, and how to go back by some blocks.
///
/// A class that stays inside the chain's actor, so that large dictionaries are never copied.
final class WorldState {
    /// How many blocks back state can be read, as many as a full node keeps by default and more.
    static let historyDepth = 256

    private(set) var slots: [StorageKey: UInt256]
    /// For each recent block the values that it changed, as they were before it.
    private(set) var undo: [UInt64: [StorageKey: UInt256]] = [:]
    /// The newest block.
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

    /// The state after an earlier block; nil where it is not kept any more.
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

    /// Takes over what a block changed, with the values as they were before it.
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

    /// What writing back takes to be at an earlier block again; nil where it is not kept any more.
    func changes(backTo block: UInt64) -> [StorageKey: UInt256]? {
        view(at: block)?.past
    }

    /// Goes back to an earlier block.
    ///
    /// - Parameter changes: of `changes(backTo:)`.
    func rollBack(_ changes: [StorageKey: UInt256], to block: UInt64) {
        for (key, value) in changes { slots[key] = value == .zero ? nil : value }
        for later in block + 1...max(number, block + 1) { undo[later] = nil }
        number = block
        cachedView = nil
    }

    /// The oldest block whose changes can still be undone with this one as the newest.
    static func oldestUndo(newest: UInt64) -> UInt64? {
        let depth = UInt64(historyDepth)
        return newest >= depth ? newest - depth + 1 : nil
    }
}

/// The state after some block.
struct StateView {
    let world: WorldState
    /// Values that were different then.
    let past: [StorageKey: UInt256]

    /// The value of a slot.
    subscript(key: StorageKey) -> UInt256 {
        if !past.isEmpty, let value = past[key] { return value }
        return world.value(key)
    }
}
