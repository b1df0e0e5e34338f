package import Ethereum

package enum Currency: Hashable, Sendable {
    case ether
    case token(Token)

    /// External text.
    package var symbol: String {
        switch self {
        case .ether: CoinSymbol.current.text
        case .token(let token): token.symbol
        }
    }

    /// nil if unknown: amounts are then base units.
    package var decimals: UInt8? {
        switch self {
        case .ether: 18
        case .token(let token): token.decimals
        }
    }

    /// nil for ether.
    package var token: Token? {
        if case .token(let token) = self { token } else { nil }
    }

    /// An amount for a sentence, with the symbol: `1.5 ZRX`.
    func text(_ raw: UInt256) -> String {
        let symbol = PlainText.clean(symbol, limit: 20)
        guard let decimals else { return "\(raw) base units of \(symbol)" }
        return "\(DecimalText.format(raw, decimals: decimals)) \(symbol)"
    }
}
