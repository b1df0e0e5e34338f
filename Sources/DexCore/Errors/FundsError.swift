package import Ethereum

/// A balance that is too low for the request.
package enum FundsError: ErrorArea {
    case tooLittle(Token, needed: UInt256, owned: UInt256, reason: String, network: Network)
    case lessThanSent(Currency, balance: UInt256, amount: UInt256)
    case nothingToPayWith(Token, wanted: UInt256, network: Network)
    /// There is nothing to take a part of.
    case nothingToSpend(Token)
    case unfundedOrder(String, lacking: UInt256, token: Token, network: Network)

    package var report: ErrorReport {
        switch self {
        case .tooLittle(let token, let needed, let owned, let reason, let network):
            ErrorReport(
                .refused,
                "insufficient-balance",
                "The account needs \(TokenAmount(raw: needed, token: token).value) \(PlainText.name(token.symbol)) "
                    + "\(reason) and has \(TokenAmount(raw: owned, token: token).value).",
                hint: network.wrapping(needed - min(owned, needed), of: token)
                    .map {
                        "Wrap some \(network.coin.noun) first: `\($0)`. Or trade a smaller amount."
                    }
                    ?? "Trade a smaller amount, or get some \(PlainText.name(token.symbol)) first."
            )
        case .lessThanSent(let paid, let balance, let amount):
            ErrorReport(
                .refused,
                "insufficient-balance",
                "The account has \(paid.text(balance)), less than the \(paid.text(amount)).",
                hint: "Choose a smaller amount."
            )
        case .nothingToPayWith(let token, let wanted, let network):
            ErrorReport(
                .refused,
                "insufficient-balance",
                "The account has no "
                    + "\(PlainText.name(token.symbol)) to pay with.",
                hint: network.wrapping(wanted, of: token)
                    .map {
                        "Wrap some \(network.coin.noun) first: `\($0)` pays for all of the order."
                    }
            )
        case .nothingToSpend(let token):
            ErrorReport(
                .refused,
                "insufficient-balance",
                "The account has no \(PlainText.name(token.symbol)) that it could spend.",
                hint: "See what it has: `dex balance`."
            )
        case .unfundedOrder(let message, let lacking, let token, let network):
            ErrorReport(
                .refused,
                "insufficient-balance",
                message + ".",
                hint: (network.wrapping(lacking, of: token)
                    .map { "Wrap some \(network.coin.noun) first: `\($0)`. Or place" } ?? "Place")
                    + " a smaller order, cancel others (`dex cancel`), or allow it with "
                    + "--allow-unfunded."
            )
        }
    }
}
