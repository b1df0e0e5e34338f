package import Ethereum

/// A coin or a token: what an amount is of.
package enum Currency: Hashable, Sendable {
    /// The coin of a network.
    case coin(CoinSymbol)
    case token(Token)

    /// - Parameter token: of a chain's coin, `Token.nativeCoin`.
    init(_ token: Token) {
        let coin = token.isNativeCoin ? CoinSymbol(token.symbol) : nil
        self = coin.map { .coin($0) } ?? .token(token)
    }

    /// External text.
    package var symbol: String {
        switch self {
        case .coin(let coin): coin.text
        case .token(let token): token.symbol
        }
    }

    /// nil if unknown: amounts are then base units.
    package var decimals: UInt8? {
        switch self {
        case .coin: 18
        case .token(let token): token.decimals
        }
    }

    /// nil for a coin.
    package var token: Token? {
        if case .token(let token) = self { token } else { nil }
    }

    /// The same coin or contract, whatever name and decimals a list gives it.
    func isSame(as other: Currency) -> Bool { token?.address == other.token?.address }

    /// An amount for a sentence, with the symbol: `1.5 ZRX`.
    func text(_ raw: UInt256) -> String {
        let symbol = PlainText.name(symbol)
        guard let decimals else { return "\(raw) base units of \(symbol)" }
        return "\(DecimalText.format(raw, decimals: decimals)) \(symbol)"
    }
}
