import Ethereum
import Uniswap

/// The pools that may trade a pair: directly, or over one of the chain's hub tokens.
struct PoolCandidates: Sendable {
    let sold: Address
    let bought: Address
    /// The hubs and the wrapped coin, without the pair's own tokens, each once.
    let hubs: [Address]

    init(_ deployment: UniswapDeployment, sold: Address, bought: Address) {
        self.sold = sold
        self.bought = bought
        hubs = deployment.wrappedAndHubs.filter { $0 != sold && $0 != bought }
    }

    /// The direct pools of two tokens.
    init(_ one: Address, _ other: Address) {
        (sold, bought, hubs) = (one, other, [])
    }

    static let kinds: [PoolKind] =
        [.v2] + UniswapDeployment.fees.map { PoolKind.v3(fee: $0) }

    /// All of them, each once.
    var pools: [PoolID] {
        let pairs = [(sold, bought)] + hubs.flatMap { [(sold, $0), ($0, bought)] }
        return pairs.flatMap { pair in
            Self.kinds.compactMap { PoolID(pair.0, pair.1, $0) }
        }
    }

    /// The token that a trade takes out of one of them.
    func taken(from pool: PoolID) -> Address {
        pool.other(than: bought) == nil ? pool.other(than: sold) ?? bought : bought
    }
}
