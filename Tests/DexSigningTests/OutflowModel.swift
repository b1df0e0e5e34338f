import DexSigning
import DexTestSupport
import Ethereum
import EthereumWallet
import ZeroEx

/// What really can leave and leaves an account: a brute-force chain of allowances, orders and
/// transfers, which knows nothing of how limits are counted.
struct OutflowModel {
    /// What a limit names.
    enum Coin {
        /// Base units.
        case token
        /// Millionths of an ether.
        case ether
    }

    struct Outflow {
        let time: UInt64
        let chain: UInt64
        let coin: Coin
        let amount: Int
    }

    struct Order {
        var left: [UInt64: Int]
        let expiry: UInt64
    }

    struct Allowance: Hashable {
        let chain: UInt64
        let spender: Address
    }

    private(set) var outflows: [Outflow] = []
    private(set) var orders: [Order] = []
    private(set) var allowances: [Allowance: Int] = [:]

    /// The chains that are there; another one is made up.
    static let chains: [UInt64] = [1, 1337]

    mutating func leave(
        _ amount: Int,
        of coin: Coin = .token,
        chain: UInt64,
        at time: UInt64
    ) {
        guard amount > 0, Self.chains.contains(chain) else { return }
        outflows.append(Outflow(time: time, chain: chain, coin: coin, amount: amount))
    }

    mutating func allow(_ amount: Int, to spender: Address, chain: UInt64) {
        guard Self.chains.contains(chain) else { return }
        allowances[Allowance(chain: chain, spender: spender)] = max(0, amount)
    }

    func allowed(_ spender: Address, chain: UInt64) -> Int {
        allowances[Allowance(chain: chain, spender: spender)] ?? 0
    }

    /// An order that somebody can fill on each of these chains, or a signed message that somebody
    /// can use there: until the expiry, as much as it allows in all.
    mutating func place(_ amount: Int, chains: [UInt64], expiry: UInt64) {
        orders.append(
            Order(
                left: Dictionary(uniqueKeysWithValues: chains.map { ($0, amount) }),
                expiry: expiry
            )
        )
    }

    /// Somebody draws of an allowance, or fills an order; all that there is where `share` is 100.
    mutating func take(share: Int, at time: UInt64, using random: inout SeededGenerator) {
        for (allowance, amount) in allowances.sorted(by: { $0.key.order < $1.key.order })
        where share == 100 || random.chance(share) {
            let drawn = share == 100 ? amount : random.below(amount + 1)
            allowances[allowance] = amount - drawn
            leave(drawn, chain: allowance.chain, at: time)
        }
        for index in orders.indices where orders[index].expiry > time {
            for chain in orders[index].left.keys.sorted() where share == 100 || random.chance(share)
            {
                let left = orders[index].left[chain] ?? 0
                let filled = share == 100 ? left : random.below(left + 1)
                orders[index].left[chain] = left - filled
                leave(filled, chain: chain, at: time)
            }
        }
    }

    /// The most that left a chain in any 24 hours.
    func worstDay(chain: UInt64, of coin: Coin = .token) -> Int {
        let here = outflows.filter { $0.chain == chain && $0.coin == coin }
        return here.map { last in
            here.filter { $0.time <= last.time && $0.time + 86_400 > last.time }
                .reduce(0) { $0 + $1.amount }
        }.max() ?? 0
    }
}

extension OutflowModel.Allowance {
    fileprivate var order: String { "\(chain) \(spender.checksummed)" }
}
