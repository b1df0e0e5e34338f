/// What the operator of the chain can do to the swap venue.
extension SandboxChain {
    /// The registry's state after the newest block; nil without a swap venue.
    package var swapRegistry: SwapRegistryState? {
        genesis.swap.map { SwapRegistryState(of: $0.registry, world.value) }
    }

    /// Pauses or resumes the swap venue, by a block without transactions.
    ///
    /// - Throws: `SandboxError` without a venue, or if the block cannot be stored.
    package func setSwapPaused(_ isPaused: Bool) throws(SandboxError) {
        guard let swap = genesis.swap, let state = swapRegistry else {
            throw .badSwapSetting("the chain has no swap venue")
        }
        guard state.isPaused != isPaused else { return }
        try makeBlock(maximumTransactions: 0, setting: state.turned.slots(of: swap.registry))
    }
}
