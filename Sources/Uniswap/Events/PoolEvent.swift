public import Ethereum

/// An event of a pool or of a factory.
///
/// Byte-equal forks emit the same events: who emitted one is known only by the log's address, which
/// must be `PoolID.address(of:)` of Uniswap's factory, or that factory.
///
/// Source: IUniswapV3PoolEvents, IUniswapV3Factory, IUniswapV2Pair, IUniswapV2Factory.
public enum PoolEvent: Hashable, Sendable {
    case swap(PoolSwap)
    /// A pair's reserves, base units of token 0 and token 1; a swap of the pair emits it just
    /// before its own event.
    case sync(UInt128, UInt128)
    /// The first price of a v3 pool: the square root of token 1 per token 0, in units of 2^-96.
    case initialize(sqrtPrice: UInt256, tick: Int32)
    /// Liquidity came into a v3 pool.
    case mint(LiquidityChange)
    /// Liquidity left a v3 pool; the tokens are collected later.
    case burn(LiquidityChange)
    /// A factory created a pool.
    case created(PoolCreation)

    /// The first topics of the events.
    public enum Topic {
        public static let swapV3 = Keccak256.hash(
            "Swap(address,address,int256,int256,uint160,uint128,int24)".utf8
        )
        public static let swapV2 = Keccak256.hash(
            "Swap(address,uint256,uint256,uint256,uint256,address)".utf8
        )
        public static let sync = Keccak256.hash("Sync(uint112,uint112)".utf8)
        public static let poolCreated = Keccak256.hash(
            "PoolCreated(address,address,uint24,int24,address)".utf8
        )
        public static let pairCreated = Keccak256.hash(
            "PairCreated(address,address,address,uint256)".utf8
        )
        public static let initialize = Keccak256.hash("Initialize(uint160,int24)".utf8)
        public static let mint = Keccak256.hash(
            "Mint(address,address,int24,int24,uint128,uint256,uint256)".utf8
        )
        public static let burn = Keccak256.hash(
            "Burn(address,int24,int24,uint128,uint256,uint256)".utf8
        )
    }

    /// The event of a log; nil for any other, or one that is not exactly encoded.
    public init?(_ log: Log) {
        guard let topic = log.topics.first else { return nil }
        let event: PoolEvent? =
            switch topic {
            case Topic.swapV3: PoolSwap(v3: log).map { .swap($0) }
            case Topic.swapV2: PoolSwap(v2: log).map { .swap($0) }
            case Topic.sync: Self.sync(log)
            case Topic.initialize: Self.initialize(log)
            case Topic.mint: LiquidityChange(mint: log).map { .mint($0) }
            case Topic.burn: LiquidityChange(burn: log).map { .burn($0) }
            case Topic.poolCreated: PoolCreation(v3: log).map { .created($0) }
            case Topic.pairCreated: PoolCreation(v2: log).map { .created($0) }
            default: nil
            }
        guard let event else { return nil }
        self = event
    }

    private static func sync(_ log: Log) -> PoolEvent? {
        guard var arguments = CallArguments(log, indexed: [], [.uint(112), .uint(112)]),
            let reserve0 = arguments.number()?.uint128, let reserve1 = arguments.number()?.uint128
        else { return nil }
        return .sync(reserve0, reserve1)
    }

    private static func initialize(_ log: Log) -> PoolEvent? {
        guard var arguments = CallArguments(log, indexed: [], [.uint(160), .int(24)]),
            let price = arguments.sqrtPrice(), let tick = arguments.tick()
        else { return nil }
        return .initialize(sqrtPrice: price, tick: tick)
    }
}

/// A change of the liquidity of a v3 pool between two ticks.
public struct LiquidityChange: Hashable, Sendable {
    public var owner: Address
    public var lowerTick: Int32
    public var upperTick: Int32
    public var liquidity: UInt128
    /// Base units of token 0.
    public var amount0: UInt256
    /// Base units of token 1.
    public var amount1: UInt256

    private static let indexed: [ABIType] = [.address, .int(24), .int(24)]
    private static let amounts: [ABIType] = [.uint(128), .uint(256), .uint(256)]

    init?(mint log: Log) {
        // The sender stands first in the data; it may act for the owner.
        self.init(CallArguments(log, indexed: Self.indexed, [.address] + Self.amounts), true)
    }

    init?(burn log: Log) {
        self.init(CallArguments(log, indexed: Self.indexed, Self.amounts), false)
    }

    private init?(_ arguments: CallArguments?, _ hasSender: Bool) {
        guard var arguments, let owner = arguments.address(), let lower = arguments.tick(),
            let upper = arguments.tick(), !hasSender || arguments.address() != nil,
            let liquidity = arguments.number()?.uint128, let amount0 = arguments.number(),
            let amount1 = arguments.number(), lower < upper
        else { return nil }
        self.owner = owner
        lowerTick = lower
        upperTick = upper
        self.liquidity = liquidity
        self.amount0 = amount0
        self.amount1 = amount1
    }
}

/// A pool that a factory created: the log's address.
public struct PoolCreation: Hashable, Sendable {
    public var pool: PoolID
    public var address: Address
    /// Between the ticks that liquidity may have; nil for a pair.
    public var tickSpacing: Int32?

    init?(v3 log: Log) {
        guard
            var arguments = CallArguments(
                log,
                indexed: [.address, .address, .uint(24)],
                [.int(24), .address]
            ),
            let token0 = arguments.address(), let token1 = arguments.address(),
            let fee = arguments.number()?.uint64, let fee = UInt32(exactly: fee),
            let spacing = arguments.tick(), spacing > 0, let address = arguments.address(),
            let pool = PoolID(token0, token1, .v3(fee: fee)), pool.token0 == token0
        else { return nil }
        self.pool = pool
        self.address = address
        tickSpacing = spacing
    }

    init?(v2 log: Log) {
        guard
            var arguments = CallArguments(
                log,
                indexed: [.address, .address],
                [.address, .uint(256)]
            ),
            let token0 = arguments.address(), let token1 = arguments.address(),
            let address = arguments.address(), let pool = PoolID(token0, token1, .v2),
            pool.token0 == token0
        else { return nil }
        self.pool = pool
        self.address = address
        tickSpacing = nil
    }

    /// Whether the factory that emitted the log makes this pool at this address.
    public func isGenuine(by factory: Address) -> Bool { pool.address(of: factory) == address }
}

extension CallArguments {
    /// The arguments of an event, the indexed ones first; nil unless they are encoded exactly.
    init?(_ log: Log, indexed: [ABIType], _ types: [ABIType]) {
        guard log.topics.count == indexed.count + 1 else { return nil }
        // All types have one word, wherever it stands.
        let words = log.topics.dropFirst().flatMap(\.bytes) + log.data
        self.init(words[...], as: indexed + types)
    }

    /// A tick; nil beyond those that have a price.
    mutating func tick() -> Int32? {
        guard let bits = signed() else { return nil }
        // The decoder has checked that 24 bits and the sign are all.
        let tick = Int32(truncatingIfNeeded: bits.w0)
        return TickMath.ticks.contains(tick) ? tick : nil
    }

    /// A square root of a price; nil beyond those that a pool can have.
    mutating func sqrtPrice() -> UInt256? {
        guard let price = number(), TickMath.prices.contains(price) else { return nil }
        return price
    }
}
