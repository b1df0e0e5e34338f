public import Ethereum

/// Uniswap's contracts on one chain, and the tokens that most of its pools have.
public struct UniswapDeployment: Hashable, Sendable {
    public var chainID: UInt64
    public var v2Factory: Address
    /// UniswapV2Router02, for trades at v2 pairs where `router` reaches none; nil on chains without
    /// one.
    public var v2Router: Address?
    public var v3Factory: Address
    /// QuoterV2, or the view-only quoter with its functions.
    public var quoter: Address
    /// SwapRouter02: the contract that tokens are approved for and trades are sent to.
    public var router: Address
    /// The router's `WETH9()`; nil where the chain has no coin that it can wrap.
    public var wrapped: Address?
    /// Tokens that a path of two pools may go over, the wrapped coin not among them.
    public var hubs: [Address]

    public init(
        chainID: UInt64,
        v2Factory: Address,
        v2Router: Address?,
        v3Factory: Address,
        quoter: Address,
        router: Address,
        wrapped: Address?,
        hubs: [Address]
    ) {
        self.chainID = chainID
        self.v2Factory = v2Factory
        self.v2Router = v2Router
        self.v3Factory = v3Factory
        self.quoter = quoter
        self.router = router
        self.wrapped = wrapped
        self.hubs = hubs
    }

    /// The factory that creates pools of a kind.
    public func factory(of kind: PoolKind) -> Address { kind == .v2 ? v2Factory : v3Factory }

    public func address(of pool: PoolID) -> Address { pool.address(of: factory(of: pool.kind)) }

    /// The fees of v3 pools that are looked for, in millionths: Uniswap's own tiers.
    public static let fees: [UInt32] = [100, 500, 3_000, 10_000]
}
