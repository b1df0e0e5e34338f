package import Ethereum

/// What an account of a fork is to have, as it is asked for.
package struct FundingRequest: Hashable, Sendable {
    package let account: Address
    /// In the token's own unit, such as `1.5`.
    package let amount: String
    /// A symbol or an address; nil is the coin.
    package let token: String?

    package init(account: Address, amount: String, token: String?) {
        (self.account, self.amount, self.token) = (account, amount, token)
    }
}

/// What is known of a live chain beside what its node says.
package struct ForkFacts: Sendable {
    /// The coin that pays for gas.
    package let coin: CoinSymbol
    /// The wrapped coin; nil if none is known.
    package let wrapped: Address?
    /// The contract of a token by its symbol or address.
    package let token: @Sendable (String) throws -> Address

    package init(
        coin: CoinSymbol,
        wrapped: Address?,
        token: @escaping @Sendable (String) throws -> Address
    ) {
        (self.coin, self.wrapped, self.token) = (coin, wrapped, token)
    }
}

/// What of a live chain a fork does not have; what is met of it is refused, and never guessed.
package enum ForkGap: String, Hashable, Sendable, CaseIterable {
    case precompiles
    case arbitrum
    case celo
    case hyperliquid
    case rollupFee
    case baseFee

    /// Chains whose base fee has Ethereum's parameters: Ethereum, its test networks, Gnosis, and this
    /// program's sandboxes.
    private static let ownBaseFee: Set<UInt64> = [
        1, 100, 1_337, 1_338, 17_000, 560_048, 11_155_111,
    ]

    /// Those of a chain.
    package static func of(chain: UInt64, chargesForData: Bool) -> [ForkGap] {
        var gaps: [ForkGap] = [.precompiles]
        switch chain {
        case 42_161, 42_170, 421_614: gaps.append(.arbitrum)
        case 42_220: gaps.append(.celo)
        case 998, 999: gaps.append(.hyperliquid)
        default: break
        }
        if chargesForData { gaps.append(.rollupFee) }
        if !ownBaseFee.contains(chain) { gaps.append(.baseFee) }
        return gaps
    }

    /// A sentence.
    package var words: String {
        switch self {
        case .precompiles:
            "Calls of the pairing, KZG and BLS12-381 precompiles (0x06 to 0x08, 0x0a to 0x11) are "
                + "refused."
        case .arbitrum:
            "Calls of Arbitrum's own precompiles (0x64 to 0x74) and of Stylus programs are refused, and "
                + "so is what reads the block's number, which is Ethereum's there. Gas has no L1 part."
        case .celo: "Calls of Celo's precompile for its coin (0xfd) are refused."
        case .hyperliquid: "What reads HyperEVM's order books (from 0x800 on) is refused."
        case .rollupFee:
            "Transactions pay no L1 data fee, which the live chain adds to the gas."
        case .baseFee:
            "Base fees begin at the forked block's and then follow Ethereum's rule (at most an eighth "
                + "more or less a block, by half of the gas limit), and not the live chain's own: what gas "
                + "costs here is not what it costs there."
        }
    }
}
