import Ethereum

extension Network {
    /// The command that brings an account more of a token, where that is wrapped ether.
    ///
    /// For 60000000000000000 base units of WETH it is `dex wrap 0.06`.
    ///
    /// - Parameter raw: base units that are lacking.
    func wrapping(_ raw: UInt256, of token: Token) -> String? {
        token.address == weth ? "dex wrap \(TokenAmount(raw: raw, token: token).value)" : nil
    }
}
