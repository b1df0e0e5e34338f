package import Ethereum

/// The state of the registry that names the genuine Settler.
package struct SwapRegistryState: Hashable, Sendable {
    /// The taker-submitted Settler.
    package let current: Address
    /// The one before, which stays genuine for a while.
    package let previous: Address
    /// Nobody should interact.
    package let isPaused: Bool

    private static let contract = ContractCode.named(.settlerRegistry)
    /// What the registry calls the trades that a taker submits.
    private static let takerSubmitted = UInt256(2).word
    private static let currentSlot = contract.slot("current", takerSubmitted)
    private static let previousSlot = contract.slot("previous", takerSubmitted)
    private static let pausedSlot = contract.slot("paused")

    init(current: Address, previous: Address, isPaused: Bool) {
        self.current = current
        self.previous = previous
        self.isPaused = isPaused
    }

    /// Reads the state from the registry's words.
    init(of registry: Address, _ value: (StorageKey) -> UInt256) {
        current = Address(truncating: value(StorageKey(registry, Self.currentSlot)).word)
        previous = Address(truncating: value(StorageKey(registry, Self.previousSlot)).word)
        isPaused = value(StorageKey(registry, Self.pausedSlot)) != .zero
    }

    /// The same, paused if it is not, and running if it is paused.
    var turned: SwapRegistryState {
        SwapRegistryState(current: current, previous: previous, isPaused: !isPaused)
    }

    /// The state as the registry's words.
    func slots(of registry: Address) -> [StorageKey: UInt256] {
        [
            StorageKey(registry, Self.currentSlot): UInt256(current.word),
            StorageKey(registry, Self.previousSlot): UInt256(previous.word),
            StorageKey(registry, Self.pausedSlot): isPaused ? 1 : .zero,
        ]
    }
}
