package import Ethereum

/// A stand-in pool's reserves after the newest block.
package struct SwapPool: Hashable, Sendable {
    package let address: Address
    /// The tokens and their reserves in base units, in the pool's order.
    package let first: GenesisPool.Side
    package let second: GenesisPool.Side

    /// What a sale brings, in base units of the other token; nil if the pool would revert.
    package func output(selling token: Address, _ amount: UInt256) -> UInt256? {
        let sides = token == first.token ? (first, second) : (second, first)
        guard token == sides.0.token else { return nil }
        let (paid, overflow) = amount.multipliedReportingOverflow(by: 997)
        let (product, overflows) = paid.multipliedReportingOverflow(by: sides.1.reserve)
        let (scaled, isTooDeep) = sides.0.reserve.multipliedReportingOverflow(by: 1_000)
        let (divisor, isTooMuch) = scaled.addingReportingOverflow(paid)
        guard !overflow, !overflows, !isTooDeep, !isTooMuch, divisor > .zero else { return nil }
        let output = product / divisor
        return output == .zero ? nil : output
    }

    /// The least sale that brings this much of a token, in base units of the other one; nil if the
    /// pool cannot bring it.
    package func input(buying token: Address, _ amount: UInt256) -> UInt256? {
        let sides = token == first.token ? (second, first) : (first, second)
        guard token == sides.1.token, amount > .zero, amount < sides.1.reserve else { return nil }
        let (scaled, overflow) = sides.0.reserve.multipliedReportingOverflow(by: 1_000)
        let (divisor, overflows) = (sides.1.reserve - amount).multipliedReportingOverflow(by: 997)
        guard !overflow, !overflows, divisor > .zero,
            let share = UInt256.mulDiv(scaled, amount, divisor)
        else { return nil }
        let (sum, isTooMuch) = share.quotient.addingReportingOverflow(share.remainder > 0 ? 1 : 0)
        return isTooMuch ? nil : sum
    }
}

extension SandboxChain {
    /// The pools of the swap venue after the newest block, in the genesis's order; empty without
    /// a venue.
    package var swapPools: [SwapPool] {
        (genesis.swap?.pools ?? []).map { pool in
            func side(_ index: UInt64, _ side: GenesisPool.Side) -> GenesisPool.Side {
                let slot = GenesisPool.contract.slot("reserve_\(index)")
                let reserve = world.value(StorageKey(pool.address, slot))
                return GenesisPool.Side(token: side.token, reserve: reserve)
            }
            return SwapPool(
                address: pool.address,
                first: side(0, pool.first),
                second: side(1, pool.second)
            )
        }
    }

    /// The registry's state after the newest block; nil without a swap venue.
    package var swapRegistry: SwapRegistryState? {
        genesis.swap.map { SwapRegistryState(of: $0.registry, world.value) }
    }

    /// Pauses or resumes the swap venue, by a block without transactions.
    ///
    /// - Throws: `SandboxError` without a venue, or if the block cannot be stored.
    package func setSwapPaused(_ isPaused: Bool) throws(SandboxError) {
        let (swap, state) = try venue()
        guard state.isPaused != isPaused else { return }
        try set(
            SwapRegistryState(current: state.current, previous: state.previous, isPaused: isPaused),
            swap
        )
    }

    /// Makes another Settler the current one, by a block without transactions; the one that was
    /// becomes the previous one.
    ///
    /// - Throws: `SandboxError` without a venue, for an address without a Settler, or if the block
    ///   cannot be stored.
    package func setCurrentSettler(_ settler: Address) throws(SandboxError) {
        let (swap, state) = try venue()
        guard swap.settlers.contains(settler) else {
            throw .badSwapSetting("there is no Settler at \(settler)")
        }
        guard state.current != settler else { return }
        try set(
            SwapRegistryState(
                current: settler,
                previous: state.current,
                isPaused: state.isPaused
            ),
            swap
        )
    }

    private func venue() throws(SandboxError) -> (GenesisSwap, SwapRegistryState) {
        guard let swap = genesis.swap else {
            throw .badSwapSetting("the chain has no swap venue")
        }
        return (swap, SwapRegistryState(of: swap.registry, world.value))
    }

    private func set(_ state: SwapRegistryState, _ swap: GenesisSwap) throws(SandboxError) {
        try makeBlock(maximumTransactions: 0, setting: state.slots(of: swap.registry))
    }
}
