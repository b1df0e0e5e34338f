import DexCore
import Ethereum
import ZeroEx

/// Profits and losses in readable text.
enum ProfitText {
    /// `-0.5 WETH`, exactly.
    static func exact(_ amount: SignedAmount, _ token: Token) -> String {
        (amount.isNegative ? "-" : "") + NumberText.amount(amount.magnitude, token)
    }

    /// At most 8 significant digits, rounded against the user.
    static func brief(_ amount: SignedAmount, _ token: Token) -> String {
        (amount.isNegative ? "-" : "")
            + NumberText.brief(amount.magnitude, token, amount.isNegative ? .up : .down)
    }

    /// `-0.0123 WETH`: 4 significant digits, rounded half up, for lists.
    static func list(_ amount: SignedAmount, _ token: Token) -> String {
        guard token.decimals != nil else { return exact(amount, token) }
        let text = Ratio(amount.magnitude, decimals: token.decimals).text(significant: 4)
        return "\(amount.isNegative ? "-" : "")\(text) \(PlainText.name(token.symbol))"
    }

    /// `-0.0123 WETH`: 5 significant digits, rounded against the user, for columns.
    static func short(_ amount: SignedAmount, _ token: Token) -> String {
        guard token.decimals != nil else { return exact(amount, token) }
        let places = NumberText.places(forLargest: amount.magnitude, of: token)
        let text = Ratio(amount.magnitude, decimals: token.decimals)
            .shortened(places: places, rounding: amount.isNegative ? .up : .down)
        return "\(amount.isNegative ? "-" : "")\(text) \(PlainText.name(token.symbol))"
    }

    static func color(_ amount: SignedAmount) -> Style.Color {
        amount.isNegative ? .red : .green
    }
}
