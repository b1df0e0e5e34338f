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
    /// TickLens, which reads many ticks of a v3 pool at once; nil on chains without one.
    public var lens: Address?
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
        lens: Address?,
        wrapped: Address?,
        hubs: [Address]
    ) {
        self.chainID = chainID
        self.v2Factory = v2Factory
        self.v2Router = v2Router
        self.v3Factory = v3Factory
        self.quoter = quoter
        self.router = router
        self.lens = lens
        self.wrapped = wrapped
        self.hubs = hubs
    }

    /// The wrapped coin, if there is one, and the hubs, each once.
    public var wrappedAndHubs: [Address] {
        var tokens: [Address] = []
        for token in [wrapped].compactMap(\.self) + hubs where !tokens.contains(token) {
            tokens.append(token)
        }
        return tokens
    }

    /// The factory that creates pools of a kind.
    public func factory(of kind: PoolKind) -> Address { kind == .v2 ? v2Factory : v3Factory }

    public func address(of pool: PoolID) -> Address { pool.address(of: factory(of: pool.kind)) }

    /// The fees of v3 pools that are looked for, in millionths: Uniswap's own tiers.
    public static let fees: [UInt32] = [100, 500, 3_000, 10_000]

    /// The tick spacing of those tiers; nil for another fee.
    ///
    /// Source: the v3 factory's `feeAmountTickSpacing(uint24)`.
    public static func spacing(fee: UInt32) -> Int32? {
        switch fee {
        case 100: 1
        case 500: 10
        case 3_000: 60
        case 10_000: 200
        default: nil
        }
    }
}
