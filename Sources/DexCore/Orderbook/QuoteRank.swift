import Ethereum

/// Which of two tokens people count prices in: a stable coin, else wrapped ether, else neither.
struct QuoteRank {
    let network: Network
    let tokens: TokenMap

    /// Symbols of coins that hold to a currency; they count only as the map pins them.
    private static let stableSymbols: Set<String> = [
        "DAI", "SAI", "USDC", "USDT", "TUSD", "USDP", "PAX", "GUSD", "BUSD", "LUSD", "FRAX",
    ]

    init(session: Session) {
        network = session.network
        tokens = session.tokens
    }

    /// The pair with its quote token second; among equals the lower address is the base, so that
    /// the same two tokens are always the same pair.
    func pair(_ one: Token, _ other: Token) -> Pair {
        let (a, b) = (rank(one), rank(other))
        if a == b {
            return one.address < other.address
                ? Pair(base: one, quote: other) : Pair(base: other, quote: one)
        }
        return a < b ? Pair(base: one, quote: other) : Pair(base: other, quote: one)
    }

    private func rank(_ token: Token) -> Int {
        if token.address == network.weth { return 1 }
        guard let known = tokens.known(token.address) else { return 0 }
        return Self.stableSymbols.contains(known.symbol) ? 2 : 0
    }
}
