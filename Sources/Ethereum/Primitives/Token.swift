/// The known facts of an ERC-20 token.
public struct Token: Hashable, Sendable {
    /// The contract.
    public let address: Address
    /// The symbol; not unique.
    ///
    /// External text.
    public let symbol: String
    /// The name.
    ///
    /// External text.
    public let name: String
    /// The decimals of amounts, 0 to 255; nil if neither a list nor the chain has them.
    public let decimals: UInt8?
    /// A link to a picture; nil if there is none.
    public let logoURI: String?

    public init(
        address: Address,
        symbol: String,
        name: String,
        decimals: UInt8?,
        logoURI: String? = nil
    ) {
        self.address = address
        self.symbol = symbol
        self.name = name
        self.decimals = decimals
        self.logoURI = logoURI
    }
}

/// An amount of one token, in its base units.
///
/// 1.5 ZRX, a token of 18 decimals, is 1,500,000,000,000,000,000 base units.
public struct TokenAmount: Hashable, Sendable {
    /// Base units.
    public let raw: UInt256
    /// The token.
    public let token: Token

    /// An amount in base units.
    public init(raw: UInt256, token: Token) {
        self.raw = raw
        self.token = token
    }

    /// An amount in decimal text, such as `1.5`.
    ///
    /// - Throws: `DecimalTextError`. If the decimals are unknown, only base units are accepted.
    public init(_ text: String, of token: Token) throws(DecimalTextError) {
        self.token = token
        raw = try DecimalText.parse(text, decimals: token.decimals ?? 0)
    }

    /// The exact decimal amount; base units if the decimals are unknown.
    public var value: String {
        DecimalText.format(raw, decimals: token.decimals ?? 0)
    }
}
