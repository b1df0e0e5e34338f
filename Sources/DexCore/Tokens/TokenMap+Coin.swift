package import Ethereum
import ZeroEx

/// Names of the chain's own coin, which no contract is.
///
/// Other programs write it as a token with the address 0xEeee…EEeE, and some with the zero address.
/// The first names the coin wherever the coin can be named; the other is refused everywhere, since
/// it also stands for nothing at all. Neither is ever a token.
extension TokenMap {
    /// The address that stands for the coin, in place of a contract.
    package static let coinAddress = Token.nativeCoinAddress

    /// Whether no contract can have this address: it stands for the coin, or for nothing.
    package static func isReserved(_ address: Address) -> Bool {
        ReservedAddress(address) != nil
    }

    /// Whether a word names the coin: its symbol in any letter case, or `coinAddress`.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-token` if a token of the chain has the coin's symbol
    ///   too, with both addresses; `unknown-token` for the zero address; `bad-address`.
    package func namesCoin(_ word: some StringProtocol) throws(DexError) -> Bool {
        if let address = try Self.address(String(word)) {
            guard address != .zero else { throw TokenError.reserved(address, coin: coin) }
            return address == Self.coinAddress
        }
        guard word.uppercased() == coin.text else { return false }
        let same = alike(coin.text).filter { SymbolShape.fold($0.token.symbol) == coin.text }
        guard same.isEmpty else {
            throw TokenError.coinOrToken(coin, chainID: chainID, tokens: same)
        }
        return true
    }

    /// Refuses an address that is no contract's where a token is named.
    ///
    /// - Throws: `DexError`, exit 2, `unknown-token`.
    package func refuseReserved(_ address: Address) throws(DexError) {
        guard !Self.isReserved(address) else {
            throw TokenError.reserved(address, coin: coin)
        }
    }

    /// An exchange may take a transfer of an address without code for done.
    static func checkTokens(of order: any SignedOrder) throws(OrderRejection) {
        for address in [order.makerToken, order.takerToken] where isReserved(address) {
            throw .reservedToken(address)
        }
    }
}
