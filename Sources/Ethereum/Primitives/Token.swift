/// What is known of an ERC-20 token.
public struct Token: Hashable, Sendable {
    /// The contract.
    public let address: Address
    /// The symbol; not unique.
    ///
    /// Text from outside.
    public let symbol: String
    /// The name.
    ///
    /// Text from outside.
    public let name: String
    /// The decimals of human amounts, 0 to 255; nil where neither a list nor the chain tells.
    public let decimals: UInt8?
    /// A link to a picture, where one is known.
    public let logoURI: String?

    /// A token from its fields.
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
public struct TokenAmount: Hashable, Sendable {
    /// Base units.
    public let raw: UInt256
    /// The token that is counted.
    public let token: Token

    /// An amount in base units.
    public init(raw: UInt256, token: Token) {
        self.raw = raw
        self.token = token
    }

    /// An amount as people write it, such as `1.5`.
    ///
    /// - Throws: `DecimalTextError`. A token of unknown decimals takes base units only.
    public init(_ text: String, of token: Token) throws(DecimalTextError) {
        self.token = token
        raw = try DecimalText.parse(text, decimals: token.decimals ?? 0)
    }

    /// The exact decimal number in human units; base units where the decimals are unknown.
    public var value: String {
        DecimalText.format(raw, decimals: token.decimals ?? 0)
    }
}
