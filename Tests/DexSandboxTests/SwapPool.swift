import Ethereum

@testable import DexSandbox

/// A stand-in pool's reserves after the newest block.
struct SwapPool: Hashable, Sendable {
    let address: Address
    /// The tokens and their reserves in base units, in the pool's order.
    let first: GenesisPool.Side
    let second: GenesisPool.Side

    /// What a sale brings, in base units of the other token; nil if the pool would revert.
    func output(selling token: Address, _ amount: UInt256) -> UInt256? {
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
    func input(buying token: Address, _ amount: UInt256) -> UInt256? {
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

extension TestChain {
    /// The pools after the newest block, by their words; empty without a venue.
    var swapPools: [SwapPool] {
        get async { await chain.swapPools }
    }
}

extension SandboxChain {
    fileprivate var swapPools: [SwapPool] {
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
}
