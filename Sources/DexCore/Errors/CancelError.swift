package import Ethereum
package import ZeroEx

/// An order cannot be cancelled, or whether one is open is unknown.
package enum CancelError: ErrorArea {
    package static func notOwn(_ hash: OrderHash, maker: Address) -> DexError {
        row(
            .refused("not-own-order"),
            "The order \(hash) was made by \(maker.checksummed), and only its maker can cancel it.",
            hint: "Choose the maker's wallet with --wallet."
        )
    }

    /// Nothing is open at the relays that answered; these did not.
    package static func unread(_ relays: [String]) -> DexError {
        row(
            .unreachable("orders-unread"),
            "No order to cancel was found, but \(relays.joined(separator: ", ")) did not answer: "
                + "orders that only \(relays.count == 1 ? "it has" : "they have") may be open.",
            hint: "Run the command again, or name the orders: dex cancel HASH",
            retryable: true
        )
    }
}
