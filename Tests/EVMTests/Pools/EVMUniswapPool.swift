import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import Uniswap

/// A pool of Uniswap on the tests' chain, and what it gives: by the module's math, apart from the
/// contracts that trade.
struct EVMUniswapPool: Sendable {
    /// What it is now.
    private enum State: Sendable {
        case v2(PairState)
        /// nil: it was created, and has no price.
        case v3(PoolState?)
    }

    let first: EVMToken
    let second: EVMToken
    let id: PoolID
    private var state: State
    /// A v3 pool's only range: of ticks.
    private var range: (lower: Int32, upper: Int32)?
    /// A v3 pool's tick at the start.
    private var tick: Int32?
    private var liquidity: UInt128 = 0
    /// In its name, where a pair of tokens has several pools.
    var label: String?

    /// A v2 pair with reserves in human units.
    init(_ first: (EVMToken, String), _ second: (EVMToken, String)) throws {
        (self.first, self.second) = (first.0, second.0)
        id = try #require(PoolID(first.0.address, second.0.address, .v2))
        let reserves = (try first.0.raw(first.1), try second.0.raw(second.1))
        let isOrdered = id.token0 == first.0.address
        state = .v2(
            try #require(
                PairState(
                    reserve0: isOrdered ? reserves.0 : reserves.1,
                    reserve1: isOrdered ? reserves.1 : reserves.0
                )
            )
        )
    }

    /// A v3 pool whose liquidity lies in one range.
    ///
    /// - Parameters:
    ///   - tick: of its price; nil for a pool without one.
    ///   - width: ticks on each side that have liquidity, rounded to the tick spacing.
    init(
        _ first: EVMToken,
        _ second: EVMToken,
        fee: UInt32,
        tick: Int32?,
        liquidity: UInt128,
        width: Int32 = 60_000
    ) throws {
        (self.first, self.second, self.tick, self.liquidity) = (first, second, tick, liquidity)
        id = try #require(PoolID(first.address, second.address, .v3(fee: fee)))
        guard let tick, let price = TickMath.price(tick) else {
            state = .v3(nil)
            return
        }
        let spacing = try #require(Self.spacings[fee])
        let lower = (tick - width) / spacing * spacing
        let upper = (tick + width) / spacing * spacing
        range = (lower, upper)
        let net = Int128(liquidity)
        state = .v3(
            try PoolState(
                sqrtPrice: price,
                tick: tick,
                liquidity: liquidity,
                fee: fee,
                tickSpacing: spacing,
                words: -3_466...3_466,
                ticks: liquidity == 0
                    ? []
                    : [
                        InitialisedTick(tick: lower, liquidityNet: net),
                        InitialisedTick(tick: upper, liquidityNet: -net),
                    ]
            )
        )
    }

    private static let spacings: [UInt32: Int32] = [100: 1, 500: 10, 3_000: 60, 10_000: 200]

    var name: String { "\(first.symbol)/\(second.symbol) \(label ?? (isV2 ? "pair" : "pool"))" }
    var isV2: Bool { id.kind == .v2 }
    var address: Address {
        get throws {
            let id = id
            return id.address(of: isV2 ? PoolScene.v2Factory : PoolScene.v3Factory)
        }
    }

    /// Sells a token to the pool and returns what it gives of the other one, in base units.
    mutating func sell(_ token: EVMToken, _ amount: UInt256) throws -> UInt256 {
        try trade(.exactIn(amount), sold: token).out
    }

    /// Buys a token of the pool and returns what it takes of the other one, in base units.
    mutating func buy(_ token: EVMToken, _ amount: UInt256) throws -> UInt256 {
        try trade(.exactOut(amount), sold: token == first ? second : first).in
    }

    /// What a trade takes and gives, in base units.
    mutating func trade(
        _ amount: PoolAmount,
        sold: EVMToken
    ) throws -> (in: UInt256, out: UInt256) {
        let zeroForOne = id.token0 == sold.address
        switch state {
        case .v2(let pair):
            let swap = try pair.swap(amount, zeroForOne: zeroForOne)
            state = .v2(swap.after)
            return (swap.amountIn, swap.amountOut)
        case .v3(let pool):
            let pool = try #require(pool)
            let swap = try pool.swap(amount, zeroForOne: zeroForOne)
            try #require(!swap.isDry)
            state = .v3(pool.after(swap))
            return (swap.amountIn, swap.amountOut)
        }
    }

    /// How the genesis describes it.
    var genesis: JSONValue {
        var json = JSONObject()
        json["tokens"] = [.string(first.address.checksummed), .string(second.address.checksummed)]
        switch (state, id.kind) {
        case (.v2(let pair), _):
            let reserves =
                id.token0 == first.address
                ? (pair.reserve0, pair.reserve1) : (pair.reserve1, pair.reserve0)
            json["reserves"] = [
                .string(reserves.0.description), .string(reserves.1.description),
            ]
        case (.v3(let pool), .v3(let fee)):
            json["fee"] = .integer(fee)
            guard let pool, let range else { break }
            json["sqrtPrice"] = .string(pool.sqrtPrice.description)
            if liquidity > 0 {
                json["ranges"] = [
                    [
                        .string(range.lower.description), .string(range.upper.description),
                        .string(liquidity.description),
                    ]
                ]
            }
        case (.v3, .v2): break
        }
        return .object(json)
    }
}
