import DexCore
import DexSandbox
import Ethereum
import EthereumWallet
import Glibc
import HTTPServing
import NIOCore
import Synchronization
import Uniswap

/// A node with Uniswap's pools of a live network, far away, in a process of its own.
///
/// Each request waits before it is answered, as many milliseconds as the file `delay` of its folder
/// says; those of one time wait together. How many followed each other is in the file `rounds`,
/// beside how many there were.
enum PoolMarketServer {
    /// The first argument of the process.
    static let role = "--serve-pool-market"
    /// One whose contracts stand where those of the sandbox's chain may.
    static let network = "arbitrum"
    static let pair = "WETH/USDC"

    /// Serves until the process is killed; the port is written to `port` in the folder.
    static func run(folder: String) async throws {
        let chain = try SandboxChain(
            genesis: try genesis(),
            configuration: ChainConfiguration(
                mining: .manual,
                now: { UInt64(clamping: time(nil)) },
                recoverer: Secp256k1()
            )
        )
        let rounds = Rounds(path: "\(folder)/rounds")
        let milliseconds = Notice.read("\(folder)/delay").flatMap { Int($0) } ?? 0
        let filter = Distance(delay: .milliseconds(milliseconds), rounds: rounds)
        try await ChainServer(chain: chain, filter: filter).run {
            Notice.write("\($0)", to: "\(folder)/port")
        }
    }

    /// The network, with the pools' contracts.
    static func bundled() throws -> (network: Network, pools: UniswapDeployment) {
        guard let network = try NetworkCatalog.bundled().first(where: { $0.name == network }),
            let pools = network.pools
        else { throw NoPools() }
        return (network, pools)
    }

    /// The pair's own tokens: what is sold and what is bought.
    static func tokens() throws -> (weth: Address, usdc: Address) {
        let pools = try bundled().pools
        guard let weth = pools.wrapped, let usdc = pools.hubs.first else { throw NoPools() }
        return (weth, usdc)
    }

    private struct NoPools: Error {}

    // MARK: The chain

    /// The logarithm of what a base unit is worth in dollars to 1.0001, and its decimals.
    private static let marketValue: [(tick: Int32, decimals: UInt8)] = [
        (-336_240, 18), (-138_162, 6), (-138_162, 6), (-138_162, 6), (-414_486, 18), (-69_081, 8),
    ]

    /// v3 pools of every fee between the wrapped coin, the dollars and the other hubs: 4 direct ones
    /// and more paths over hubs than are quoted.
    private static func genesis() throws -> Genesis {
        let (network, deployment) = try bundled()
        let (weth, usdc) = try tokens()
        let addresses = [weth] + deployment.hubs
        guard addresses.count <= marketValue.count else { throw NoPools() }
        let known = Dictionary(uniqueKeysWithValues: zip(addresses, marketValue))
        var pools: [GenesisRangePool] = []
        for (index, first) in addresses.enumerated() {
            for second in addresses[(index + 1)...]
            where [first, second].contains(weth) || [first, second].contains(usdc) {
                for (place, fee) in UniswapDeployment.fees.enumerated() {
                    guard let pool = PoolID(first, second, .v3(fee: fee)),
                        let one = known[pool.token0], let other = known[pool.token1]
                    else { throw NoPools() }
                    pools.append(
                        try Self.pool(pool, one.tick, other.tick, fee: fee, place: place)
                    )
                }
            }
        }
        return Genesis(
            chainID: network.chainID,
            timestamp: UInt64(clamping: time(nil)),
            exchange: Address(truncating: UInt256(0xE1).word),
            transferProxy: Address(truncating: UInt256(0xE2).word),
            feeToken: Address(truncating: UInt256(0xE3).word),
            exchangeProxy: network.exchange,
            tokens: zip(addresses, marketValue).map { address, marketValue in
                TokenDefinition(
                    address: address,
                    symbol: "T",
                    name: "T",
                    decimals: marketValue.decimals,
                    kind: address == weth ? .weth : .plain
                )
            },
            uniswap: GenesisUniswap(deployment: deployment, pools: pools)
        )
    }

    /// A pool of 20 ranges around the price, of some ten million dollars.
    private static func pool(
        _ pool: PoolID,
        _ first: Int32,
        _ second: Int32,
        fee: UInt32,
        place: Int
    ) throws -> GenesisRangePool {
        let tick = first - second + Int32(place)
        guard let spacing = UniswapDeployment.spacing(fee: fee), let price = TickMath.price(tick)
        else { throw NoPools() }
        // Liquidity is the geometric mean of both amounts.
        let mean = exp(-Double(first + second) / 2 * log(1.0001))
        let share = UInt128(1_000_000 * mean)
        let middle = tick / spacing * spacing
        let step = max(spacing, 60 / spacing * spacing)
        func edge(_ number: Int32, _ net: Int128) -> GenesisRangePool.Tick {
            GenesisRangePool.Tick(index: middle + number * step, net: net, gross: share)
        }
        let net = Int128(clamping: share)
        return GenesisRangePool(
            pool: pool,
            price: price,
            ticks: (-20 ... -1).map { edge($0, net) } + (1...20).map { edge($0, -net) }
        )
    }
}

/// Lets each request wait, and counts those that followed each other.
private struct Distance: RequestFilter {
    let delay: Duration
    let rounds: Rounds

    func receive(_ request: Request, next: @escaping Responder) -> Reception {
        .whole(maximum: ChainServer.maximumBody) { body in
            .task {
                let begin = ContinuousClock.now
                defer { rounds.end(of: begin) }
                try await ContinuousClock().sleep(for: delay)
                return try await next(request).answer(to: body).response()
            }
        }
    }
}

/// The longest row of requests of which each came after the answer to the one before.
private final class Rounds: Sendable {
    private struct State {
        /// The end of the last one of the row.
        var end: ContinuousClock.Instant?
        var rounds = 0
        var requests = 0
    }

    private let state = Mutex(State())
    private let path: String

    init(path: String) {
        self.path = path
        Notice.write("0 0", to: path)
    }

    /// A request is answered: of those that overlap, the first that ends belongs to the row.
    func end(of begin: ContinuousClock.Instant) {
        state.withLock { state in
            if state.end.map({ begin >= $0 }) ?? true {
                state.rounds += 1
                state.end = .now
            }
            state.requests += 1
            Notice.write("\(state.rounds) \(state.requests)", to: path)
        }
    }
}
