import Ethereum

/// Compares decimals of the token map with those of the contracts, for screens.
///
/// Amounts of a token whose contract contradicts the map are shown in base units, and marked:
/// otherwise they would be wrong by a power of ten. Commands that trade refuse it
/// (`Token.confirmed`).
struct DecimalsAudit {
    /// Sentences about the tokens that were contradicted, or could not be compared.
    private(set) var warnings: [String] = []

    /// The token as its amounts may be shown.
    ///
    /// - Parameter chain: what `decimals()` returned; nil if it returned nothing.
    mutating func token(_ token: Token, onChain chain: UInt256?) -> Token {
        guard let listed = token.decimals else {
            return chain.flatMap(\.uint64).flatMap { UInt8(exactly: $0) }.map(token.with) ?? token
        }
        let symbol = PlainText.name(token.symbol)
        guard let chain else {
            warnings.append(
                "The decimals of \(symbol) could not be read; the token map's, \(listed), are used."
            )
            return token
        }
        guard chain != UInt256(UInt64(listed)) else { return token }
        warnings.append(
            "\(symbol) has \(listed) decimals in the token map but \(chain) on chain: its amounts "
                + "are in base units. Check the contract \(token.address.checksummed)."
        )
        return token.with(decimals: nil)
    }
}

extension Token {
    /// The same token with other decimals; nil if they are unknown.
    func with(decimals: UInt8?) -> Token {
        Token(
            address: address,
            symbol: symbol,
            name: name,
            decimals: decimals,
            logoURI: logoURI
        )
    }
}
