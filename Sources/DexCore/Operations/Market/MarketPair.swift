import Ethereum
import ZeroEx

/// Resolves the pair of a market order, in which the coin can be named.
struct MarketPair {
    let session: Session

    /// - Throws: as `TokenResolver.pair`.
    func pair(_ text: String) async throws(DexError) -> Pair {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        let resolver = TokenResolver(session: session)
        guard sides.count == 2, let base = sides.first, let quote = sides.last,
            try isCoin(base) != isCoin(quote)
        else { return try await resolver.pair(text) }
        let coin = Token.nativeCoin(session.network.coin)
        return try isCoin(base)
            ? Pair(base: coin, quote: try await resolver.token(String(quote)))
            : Pair(base: try await resolver.token(String(base)), quote: coin)
    }

    private func isCoin(_ text: Substring) throws(DexError) -> Bool {
        try session.tokens.namesCoin(text)
    }
}
