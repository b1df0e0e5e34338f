package import Ethereum

/// The state of the registry that names the genuine Settler.
package struct SwapRegistryState: Hashable, Sendable {
    /// The taker-submitted Settler.
    package let current: Address
    /// The one before, which stays genuine for a while.
    package let previous: Address
    /// Nobody should interact.
    package let isPaused: Bool

    private static let currentSlot = Slot.fixed(UInt256(0).word)
    private static let previousSlot = Slot.fixed(UInt256(1).word)
    private static let pausedSlot = Slot.fixed(UInt256(2).word)

    init(current: Address, previous: Address, isPaused: Bool) {
        self.current = current
        self.previous = previous
        self.isPaused = isPaused
    }

    /// Reads the state from the registry's slots.
    init<Failure: Error>(
        of registry: Address,
        load: (StorageKey) throws(Failure) -> UInt256
    ) throws(Failure) {
        current = Address(truncating: try load(StorageKey(registry, Self.currentSlot)).word)
        previous = Address(truncating: try load(StorageKey(registry, Self.previousSlot)).word)
        isPaused = try load(StorageKey(registry, Self.pausedSlot)) != .zero
    }

    /// The state in the registry's slots.
    func slots(of registry: Address) -> [StorageKey: UInt256] {
        [
            StorageKey(registry, Self.currentSlot): UInt256(current.word),
            StorageKey(registry, Self.previousSlot): UInt256(previous.word),
            StorageKey(registry, Self.pausedSlot): isPaused ? 1 : .zero,
        ]
    }
}
