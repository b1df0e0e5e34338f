public import Ethereum

/// What one side of a trade is.
public enum RouterAsset: Hashable, Sendable {
    /// The chain's own coin; the pools hold it wrapped.
    case native
    case token(Address)

    /// The token that the pools have for it; nil for a coin that the router cannot wrap.
    func token(wrapped: Address?) -> Address? {
        switch self {
        case .native: wrapped
        case .token(let token): token
        }
    }
}

/// What the user has agreed to: the limits of a call before it is signed.
public struct RouterTerms: Hashable, Sendable {
    /// Sells, and gets what is bought.
    public var account: Address
    public var sold: RouterAsset
    public var bought: RouterAsset
    /// The router's `WETH9()`; nil where it cannot wrap the chain's coin.
    public var wrapped: Address?
    /// The most that the call may take; base units of what is sold.
    public var maximum: UInt256
    /// The least that must arrive; base units of what is bought.
    public var minimum: UInt256
    /// Seconds since 1970; the deadline is later.
    public var now: UInt64
    /// Seconds since 1970.
    public var latestDeadline: UInt64
    /// The router's `factoryV2()` is the chain's v2 factory, so that it reaches v2 pairs.
    public var allowsV2: Bool

    public init(
        account: Address,
        sold: RouterAsset,
        bought: RouterAsset,
        wrapped: Address?,
        maximum: UInt256,
        minimum: UInt256,
        now: UInt64,
        latestDeadline: UInt64,
        allowsV2: Bool
    ) {
        self.account = account
        self.sold = sold
        self.bought = bought
        self.wrapped = wrapped
        self.maximum = maximum
        self.minimum = minimum
        self.now = now
        self.latestDeadline = latestDeadline
        self.allowsV2 = allowsV2
    }
}

/// A part of a trade, before it is known where its output goes.
public struct RouterLeg: Hashable, Sendable {
    public var path: PoolPath
    /// The amount that is fixed; base units.
    public var amount: PoolAmount
    /// The least out of an exact amount in, the most in for an exact amount out; base units.
    public var bound: UInt256

    public init(path: PoolPath, amount: PoolAmount, bound: UInt256) {
        self.path = path
        self.amount = amount
        self.bound = bound
    }
}
