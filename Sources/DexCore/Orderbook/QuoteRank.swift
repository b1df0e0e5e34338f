import Ethereum

/// The usual quote token of two: a stable coin, else wrapped ether, else neither.
struct QuoteRank {
    let network: Network
    let tokens: TokenMap

    /// Symbols of coins with a fixed currency value; they count only for the map's contracts.
    private static let stableSymbols: Set<String> = [
        "DAI", "SAI", "USDC", "USDT", "TUSD", "USDP", "PAX", "GUSD", "BUSD", "LUSD", "FRAX",
    ]

    init(session: Session) {
        network = session.network
        tokens = session.tokens
    }

    /// The pair with its quote token second.
    ///
    /// If neither is preferred, the lower address is the base, so two tokens always give the same
    /// pair.
    func pair(_ one: Token, _ other: Token) -> Pair {
        let (a, b) = (rank(one), rank(other))
        if a == b {
            return one.address < other.address
                ? Pair(base: one, quote: other) : Pair(base: other, quote: one)
        }
        return a < b ? Pair(base: one, quote: other) : Pair(base: other, quote: one)
    }

    /// A coin of the map with a fixed currency value.
    func isStable(_ token: Address) -> Bool {
        tokens.known(token).map { Self.stableSymbols.contains($0.symbol) } ?? false
    }

    private func rank(_ token: Token) -> Int {
        if token.isNativeCoin || token.address == network.weth { return 1 }
        return isStable(token.address) ? 2 : 0
    }
}
