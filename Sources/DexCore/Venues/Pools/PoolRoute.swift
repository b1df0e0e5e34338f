import Ethereum
import Uniswap
import ZeroEx

/// A path with what it gives or costs for an exact amount, at one block.
struct PoolRoute: Sendable {
    let path: PoolPath
    let amount: PoolAmount
    /// What an exact amount in buys, or what an exact amount out costs; base units.
    let quoted: UInt256
    let block: UInt64
    /// From `PoolRules.genuine`.
    let genuine: [Address]

    private static let million: UInt256 = 1_000_000

    /// What a transaction through the path needs, about.
    ///
    /// Source: SwapRouter02 executed with accounts that have both tokens already.
    static func gas(_ path: PoolPath) -> UInt64 {
        let more = UInt64(clamping: path.pools.count - 1)
        return path.isV2 ? 106_000 + 60_000 * more : 116_000 + 63_000 * more
    }

    /// The most that is paid and the least that arrives.
    ///
    /// - Parameter slippage: parts per million.
    private func bounds(slippage: UInt64) -> (most: UInt256, least: UInt256) {
        let part = UInt256(min(slippage, 1_000_000))
        switch amount {
        case .exactIn(let sold):
            guard let (least, rest) = UInt256.mulDiv(quoted, Self.million - part, Self.million)
            else { return (sold, quoted) }
            // Never 0: what is left in the middle of a path would be anybody's.
            return (sold, max(1, rest == .zero ? least : least.addingSaturating(1)))
        case .exactOut(let bought):
            let most = UInt256.mulDiv(quoted, Self.million + part, Self.million)?.quotient
            return (most ?? quoted, bought)
        }
    }

    /// As a venue says it.
    func price(slippage: UInt64) -> SwapPrice {
        let (most, least) = bounds(slippage: slippage)
        let (sold, bought) =
            switch amount {
            case .exactIn(let sold): (sold, quoted)
            case .exactOut(let bought): (quoted, bought)
            }
        return SwapPrice(
            sold: sold,
            mostSold: most,
            bought: bought,
            leastBought: least,
            gas: Self.gas(path),
            sources: [SwapPrice.Source(name: Self.name(path), basisPoints: 10_000)],
            block: block
        )
    }

    func leg(slippage: UInt64) -> RouterLeg {
        let (most, least) = bounds(slippage: slippage)
        let bound =
            switch amount {
            case .exactIn: least
            case .exactOut: most
            }
        return RouterLeg(path: path, amount: amount, bound: bound)
    }

    /// Such as `v3:0.05%`, and `v3:0.05%+v3:0.3%` for a path of two pools.
    static func name(_ path: PoolPath) -> String {
        path.pools.map(\.kind.name).joined(separator: "+")
    }
}
