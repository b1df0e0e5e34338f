package import Ethereum

/// Finds tokens by symbol or address: symbols from the map only, unknown addresses by asking their
/// contracts.
package struct TokenResolver: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// `BASE/QUOTE` with both sides a symbol or an address; one node batch where an address is not
    /// in the map, else no request.
    ///
    /// - Throws: `DexError`: `malformed-pair`, `same-token`, `unknown-token`, `ambiguous-token`
    ///   (exit 2), or the node's failure (exit 4).
    package func pair(_ text: String) async throws(DexError) -> Pair {
        fatalError("unimplemented")
    }

    /// One token by symbol or address.
    ///
    /// - Throws: as `pair`.
    package func token(_ text: String) async throws(DexError) -> Token {
        fatalError("unimplemented")
    }

    /// The tokens at these addresses, from the map, else all in one node batch. An address without
    /// a token behind it gets its shortened address as symbol and no decimals.
    ///
    /// - Throws: `DexError`, exit 4, where the node does not answer.
    package func tokens(at addresses: [Address]) async throws(DexError) -> [Address: Token] {
        fatalError("unimplemented")
    }
}
