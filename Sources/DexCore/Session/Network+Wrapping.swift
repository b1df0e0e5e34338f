import Ethereum

extension Network {
    /// The command that wraps ether for a lack of wrapped ether; nil for other tokens.
    ///
    /// For 60000000000000000 base units of WETH it is `dex wrap 0.06`.
    ///
    /// - Parameter raw: the missing base units.
    func wrapping(_ raw: UInt256, of token: Token) -> String? {
        token.address == weth ? "dex wrap \(TokenAmount(raw: raw, token: token).value)" : nil
    }
}
