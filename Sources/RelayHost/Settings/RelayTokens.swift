package import DexCore
import DexRelay
package import Ethereum
import ZeroEx

/// The tokens of a relay's settings: those that the file describes, then the known ones of its
/// chain.
package struct RelayTokens: Sendable {
    /// By the name in `[tokens.NAME]`.
    private let own: [String: Token]
    private let map: TokenMap

    /// - Throws: `DexError`, exit 3, for an entry that is incomplete or contradicts a known token.
    package init(_ file: RelaySettingsFile, map: TokenMap) throws(DexError) {
        var own: [String: Token] = [:]
        for name in file.names(in: "tokens") {
            let place = ["tokens", name]
            guard
                let address = file.text("tokens", name, "address").flatMap({ Address(ifParty: $0) })
            else {
                throw file.problem(place, "tokens.\(name) has no address")
            }
            let decimals = file.integer("tokens", name, "decimals").map { UInt8(clamping: $0) }
            if let known = map.known(address), let right = known.decimals, let decimals,
                right != decimals
            {
                throw file.problem(
                    place + ["decimals"],
                    "tokens.\(name) has \(decimals) decimals, and \(known.symbol) at "
                        + "\(address.checksummed) has \(right)"
                )
            }
            own[name] = Token(
                address: address,
                symbol: name,
                name: map.known(address)?.name ?? name,
                decimals: decimals ?? map.known(address)?.decimals
            )
        }
        self.own = own
        self.map = map
    }

    /// The token of a symbol or an address; an unknown address has no decimals.
    ///
    /// - Throws: `DexError`, exit 2, for a symbol that no token or several tokens have.
    package func token(_ text: String) throws(DexError) -> Token {
        if let token = own[text] { return token }
        if let address = Address(ifValid: text) {
            try map.refuseReserved(address)
            return token(at: address)
        }
        return try map.resolve(text)
    }

    /// The token at an address; an unknown one is named by its address.
    package func token(at address: Address) -> Token {
        own.values.first { $0.address == address } ?? map.known(address)
            ?? Token(
                address: address,
                symbol: address.checksummed,
                name: address.checksummed,
                decimals: nil
            )
    }

    /// The names of the tokens that have decimals, for the relay's page.
    var named: [Address: RelayOperations.Token] {
        var named: [Address: RelayOperations.Token] = [:]
        for token in map.search(nil) + own.values {
            guard let decimals = token.decimals else { continue }
            named[token.address] = RelayOperations.Token(
                symbol: token.symbol,
                decimals: Int(decimals)
            )
        }
        return named
    }

    /// A token's amount in base units.
    ///
    /// - Returns: nil if the text is not an amount of that token.
    static func amount(_ text: String, of token: Token) -> UInt256? {
        guard let decimals = token.decimals else { return nil }
        return try? DecimalText.parse(text, decimals: decimals)  // nil: too many digits
    }
}
