package import Ethereum

/// A balance that is too low for the request.
package enum FundsError: ErrorArea {
    package static func tooLittle(
        _ token: Token,
        needed: UInt256,
        owned: UInt256,
        reason: String,
        network: Network
    ) -> DexError {
        row(
            .refused("insufficient-balance"),
            "The account needs \(TokenAmount(raw: needed, token: token).value) \(PlainText.name(token.symbol)) "
                + "\(reason) and has \(TokenAmount(raw: owned, token: token).value).",
            hint: network.wrapping(needed - min(owned, needed), of: token)
                .map {
                    "Wrap some \(network.coin.noun) first: `\($0)`. Or trade a smaller amount."
                }
                ?? "Trade a smaller amount, or get some \(PlainText.name(token.symbol)) first."
        )
    }

    package static func lessThanSent(
        _ paid: Currency,
        balance: UInt256,
        amount: UInt256
    ) -> DexError {
        row(
            .refused("insufficient-balance"),
            "The account has \(paid.text(balance)), less than the \(paid.text(amount)).",
            hint: "Choose a smaller amount."
        )
    }

    package static func nothingToPayWith(
        _ token: Token,
        wanted: UInt256,
        network: Network
    ) -> DexError {
        row(
            .refused("insufficient-balance"),
            "The account has no \(PlainText.name(token.symbol)) to pay with.",
            hint: network.wrapping(wanted, of: token)
                .map {
                    "Wrap some \(network.coin.noun) first: `\($0)` pays for all of the order."
                }
        )
    }

    /// There is nothing to take a part of.
    package static func nothingToSpend(_ token: Token) -> DexError {
        row(
            .refused("insufficient-balance"),
            "The account has no \(PlainText.name(token.symbol)) that it could spend.",
            hint: "See what it has: `dex balance`."
        )
    }

    package static func unfundedOrder(
        _ message: String,
        lacking: UInt256,
        token: Token,
        network: Network
    ) -> DexError {
        row(
            .refused("insufficient-balance"),
            message + ".",
            hint: (network.wrapping(lacking, of: token)
                .map { "Wrap some \(network.coin.noun) first: `\($0)`. Or place" } ?? "Place")
                + " a smaller order, cancel others (`dex cancel`), or allow it with "
                + "--allow-unfunded."
        )
    }
}
