package import Ethereum

/// The known tokens, for `dex tokens`.
package struct TokensState: Sendable {
    package struct Row: Sendable {
        package let token: Token
        /// Ambiguous symbol, superseded contract and the like, in words.
        package let warnings: [String]
    }

    package let network: String
    package let query: String?
    package var rows: [Row]
}
