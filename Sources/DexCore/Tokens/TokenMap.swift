package import Ethereum

/// The tokens that are known on one chain: the bundled map, the user's list, and what the chain
/// itself answered.
package struct TokenMap: Sendable {
    /// A map without tokens.
    package init() {}

    /// The bundled tokens of a chain, with a user's own list added to them.
    ///
    /// - Parameters:
    ///   - chainID: a chain without bundled tokens has only those of the user's list.
    ///   - userList: the bytes of a file in the Token Lists standard.
    /// - Throws: `DexError`, exit 3, code `bad-token-list`, where the user's list is not valid.
    package init(chainID: UInt64, userList: [UInt8]? = nil) throws(DexError) {
        fatalError("unimplemented")
    }

    /// The token of a symbol or address.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-token` with the candidates where a symbol stands
    ///   for several tokens, looks like another or names a contract that was replaced;
    ///   `unknown-token` for anything that is not in the map, an address too.
    package func resolve(_ text: String) throws(DexError) -> Token {
        fatalError("unimplemented")
    }

    /// The token at an address; nil where it is not in the map.
    package func known(_ address: Address) -> Token? {
        fatalError("unimplemented")
    }

    /// The tokens whose symbol, name or address contains the query, by symbol; all for nil.
    package func search(_ query: String?) -> [Token] {
        fatalError("unimplemented")
    }

    /// What to know before trading a token, in whole sentences: ambiguous symbol, replaced
    /// contract and the like.
    package func warnings(for token: Token) -> [String] {
        fatalError("unimplemented")
    }

    /// The map with what the chain said of a token that was not in it; a bundled or listed token
    /// is never changed, and an added one never resolves by its symbol.
    package func adding(_ token: Token) -> TokenMap {
        fatalError("unimplemented")
    }
}
