package import Ethereum

/// A token contract of the chain.
package struct TokenDefinition: Hashable, Sendable {
    package let address: Address
    package let symbol: String
    package let name: String
    package let decimals: UInt8
    package let kind: TokenKind
    /// The contract that an upgradeable token delegates to; nil of the other kinds.
    package let implementation: Address?

    /// - Parameters:
    ///   - symbol: at most 32 bytes, as the name.
    ///   - implementation: of an upgradeable token; by default an address of its own.
    package init(
        address: Address,
        symbol: String,
        name: String,
        decimals: UInt8,
        kind: TokenKind = .plain,
        implementation: Address? = nil
    ) {
        self.address = address
        self.symbol = symbol
        self.name = name
        self.decimals = decimals
        self.kind = kind
        self.implementation =
            kind == .upgradeable
            ? implementation
                ?? Address(truncating: Keccak256.hash("dex sandbox: \(symbol)".utf8))
            : nil
    }

    /// The operator of the chain can let it keep a part of each transfer.
    var canStartFee: Bool { kind == .plain }
}

/// The behaviour in which token contracts differ.
package enum TokenKind: Hashable, Sendable, CaseIterable {
    /// Reverts on failure; an unlimited allowance is never reduced.
    case plain
    /// Like ZRXToken: returns false on failure; an unlimited allowance is never reduced. What it says
    /// of itself is in its code.
    case zrx
    /// Like WETH9: reverts on failure, wraps ether; an unlimited allowance is never reduced.
    case weth
    /// transferFrom returns nothing and emits nothing; every allowance is reduced.
    case silent
    /// Like USDT: it returns nothing, burns all gas on failure, and approve cannot change a non-zero
    /// amount to another one without zero in between. Its queries need more than 4,999 gas.
    case usdt
    /// Like a plain token, but 1 % of every transfer, rounded down, stays with the token.
    case taxed
    /// Its queries read two more slots: more than the 4,999 gas that the exchange of v1 gives them.
    case heavy
    /// Delegates to an implementation, like USDC; its queries need more than 4,999 gas, too.
    case upgradeable

    var contract: ContractCode.Name {
        switch self {
        case .plain: .erc20
        case .zrx: .zrxToken
        case .weth: .weth9
        case .silent: .silentToken
        case .usdt: .tetherToken
        case .taxed: .feeToken
        case .heavy: .heavyToken
        case .upgradeable: .upgradeableToken
        }
    }
}
