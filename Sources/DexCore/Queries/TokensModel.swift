/// `dex tokens`: the token map.
package struct TokensModel: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The matching tokens with their warnings; no request is made.
    ///
    /// - Parameter query: a part of a symbol, name or address; nil is all.
    package func load(query: String? = nil) -> TokensState {
        TokensState(
            network: session.network.name,
            query: query,
            rows: session.tokens.search(query).map { token in
                TokensState.Row(token: token, warnings: session.tokens.warnings(for: token))
            }
        )
    }
}
