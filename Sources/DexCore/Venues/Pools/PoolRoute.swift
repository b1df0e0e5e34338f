import Ethereum
import Uniswap
import ZeroEx

/// The paths of a trade with what they give or cost for an exact amount, at one block.
struct PoolRoute: Sendable {
    let amount: PoolAmount
    /// One to three that share no pool, the largest part first; their parts add up to the amount.
    let legs: [PathSplit.Leg]
    let block: UInt64
    /// By which gas is what it is.
    let revision: Revision
    /// From `PoolRules.genuine`.
    let genuine: [Address]

    private static let million: UInt256 = 1_000_000

    /// What an exact amount in buys, or what an exact amount out costs; base units.
    var quoted: UInt256 { Self.sum(legs.map(\.quoted)) }

    // MARK: Gas

    /// What a transaction through a path needs, about.
    ///
    /// Source: SwapRouter02 executed with accounts that have both tokens already.
    private static func gas(_ path: PoolPath) -> GasFloor {
        let pools = path.pools.count
        let more = UInt64(clamping: pools - 1)
        // Two balances of each token that moves, an allowance, and a pool's price and counters.
        return GasFloor(
            path.isV2 ? 106_000 + 60_000 * more : 116_000 + 63_000 * more,
            changedWords: path.isV2 ? 2 + 5 * pools : 2 + 4 * pools,
            accounts: 3 + 2 * pools
        )
    }

    /// What one transaction through several paths needs, about: 250,000 over two v3 pools and a
    /// pair.
    static func gas(_ paths: [PoolPath], _ revision: Revision) -> UInt64 {
        let alone = paths.reduce(UInt64.zero) { $0 + gas($1).units(revision) }
        // What a further swap of the same call does not pay again.
        let shared = 44_000 * UInt64(clamping: paths.count - 1)
        return alone - min(shared, alone)
    }

    // MARK: Terms

    /// The most that a leg pays and the least that it brings.
    ///
    /// - Parameter slippage: parts per million.
    private func bounds(_ leg: PathSplit.Leg, slippage: UInt64) -> (
        maximum: UInt256, minimum: UInt256
    ) {
        let part = UInt256(min(slippage, 1_000_000))
        switch amount {
        case .exactIn:
            guard
                let (minimum, rest) = UInt256.mulDiv(leg.quoted, Self.million - part, Self.million)
            else { return (leg.amount, leg.quoted) }
            // Never 0: what is left in the middle of a path would be anybody's.
            return (leg.amount, max(1, rest == .zero ? minimum : minimum.addingSaturating(1)))
        case .exactOut:
            let maximum = UInt256.mulDiv(leg.quoted, Self.million + part, Self.million)?.quotient
            return (maximum ?? leg.quoted, leg.amount)
        }
    }

    /// As a venue says it.
    func price(slippage: UInt64) -> SwapPrice {
        let limits = legs.map { bounds($0, slippage: slippage) }
        let (sold, bought) =
            switch amount {
            case .exactIn(let sold): (sold, quoted)
            case .exactOut(let bought): (quoted, bought)
            }
        return SwapPrice(
            sold: sold,
            maximumSold: Self.sum(limits.map(\.maximum)),
            bought: bought,
            minimumBought: Self.sum(limits.map(\.minimum)),
            gas: Self.gas(legs.map(\.path), revision),
            sources: sources,
            block: block
        )
    }

    /// The legs of the router's call.
    func routerLegs(slippage: UInt64) -> [RouterLeg] {
        legs.map { leg in
            let (maximum, minimum) = bounds(leg, slippage: slippage)
            return switch amount {
            case .exactIn: RouterLeg(path: leg.path, amount: .exactIn(leg.amount), bound: minimum)
            case .exactOut: RouterLeg(path: leg.path, amount: .exactOut(leg.amount), bound: maximum)
            }
        }
    }

    /// Each leg with its share; the shares add up to 10,000.
    private var sources: [SwapPrice.Source] {
        let whole = Self.sum(legs.map(\.amount))
        var shares = legs.map { leg in
            UInt256.mulDiv(leg.amount, 10_000, whole)?.quotient.uint64 ?? 0
        }
        // What rounding leaves is the largest leg's.
        if let first = shares.first {
            let rest = 10_000 - min(10_000, shares.reduce(0, +))
            shares[0] = first + rest
        }
        return zip(legs, shares).map { leg, share in
            SwapPrice.Source(name: Self.name(leg.path), basisPoints: share)
        }
    }

    private static func sum(_ amounts: [UInt256]) -> UInt256 {
        amounts.reduce(.zero) { $0.addingSaturating($1) }
    }

    /// Such as `v3:0.05%`, and `v3:0.05%+v3:0.3%` for a path of two pools.
    static func name(_ path: PoolPath) -> String {
        path.pools.map(\.kind.name).joined(separator: "+")
    }
}
