package import Ethereum

/// A token contract of the simulated chain.
package struct TokenDefinition: Hashable, Sendable {
    package let address: Address
    package let symbol: String
    package let name: String
    package let decimals: UInt8
    package let kind: TokenKind
    package let queryCost: TokenQueryCost

    /// A token; the default query cost is that of its kind.
    package init(
        address: Address,
        symbol: String,
        name: String,
        decimals: UInt8,
        kind: TokenKind = .plain,
        queryCost: TokenQueryCost? = nil
    ) {
        self.address = address
        self.symbol = symbol
        self.name = name
        self.decimals = decimals
        self.kind = kind
        self.queryCost = queryCost ?? kind.queryCost
    }

    /// The operator of the chain can let it keep a part of each transfer.
    var canStartFee: Bool { kind == .plain }
}

/// The behaviour in which token contracts differ.
package enum TokenKind: UInt8, Hashable, Sendable, CaseIterable {
    /// Reverts on failure; an unlimited allowance is never reduced.
    case plain = 0
    /// Like ZRXToken: returns false on failure; an unlimited allowance is never reduced.
    case zrx = 1
    /// Like WETH9: reverts on failure, wraps ether; an unlimited allowance is never reduced.
    case weth = 2
    /// transferFrom returns nothing and emits nothing; every allowance is reduced.
    case silent = 3
    /// Like USDT: it returns nothing, and approve cannot change a non-zero amount to another one
    /// without zero in between.
    case usdt = 4
    /// Like a plain token, but 1 % of every transfer, rounded down, does not arrive.
    case taxed = 5

    /// The query cost of such a contract, as measured on the genuine ones.
    package var queryCost: TokenQueryCost {
        switch self {
        case .plain, .silent, .taxed: TokenQueryCost(balanceOf: 745, allowance: 1072)
        case .zrx: TokenQueryCost(balanceOf: 469, allowance: 660)
        case .weth: TokenQueryCost(balanceOf: 464, allowance: 650)
        case .usdt:
            TokenQueryCost(balanceOf: 828, allowance: 1153, extraSlots: [UInt256(10).word])
        }
    }
}

/// The cost of a token's `balanceOf` and `allowance`.
///
/// The exchange gives each such query 4,999 gas. A query costs its computing, a storage read for
/// each extra slot (2,100 cold, 100 warm), a delegated call if there is an implementation
/// (2,600 cold, 100 warm) and the read of the balance or allowance itself. If a token's queries
/// need more, the functions that skip orders cannot fill it, unless an access list warms the
/// extra slots and the implementation.
package struct TokenQueryCost: Hashable, Sendable {
    /// The computing of `balanceOf`, without any storage read.
    package let balanceOf: UInt64
    /// The computing of `allowance`, without any storage read.
    package let allowance: UInt64
    /// Further slots of the token that every call reads: a pause flag, the implementation's slot.
    package let extraSlots: [Bytes32]
    /// The contract that an upgradeable token delegates to.
    package let implementation: Address?

    package init(
        balanceOf: UInt64,
        allowance: UInt64,
        extraSlots: [Bytes32] = [],
        implementation: Address? = nil
    ) {
        self.balanceOf = balanceOf
        self.allowance = allowance
        self.extraSlots = extraSlots
        self.implementation = implementation
    }
}
