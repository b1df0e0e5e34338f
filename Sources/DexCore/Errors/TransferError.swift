package import Ethereum

/// A recipient that would lose what is sent, or one that is not known.
package enum TransferError: ErrorArea {
    package static func reserved(_ reserved: ReservedAddress) -> DexError {
        badRecipient(
            "\(reserved.address.checksummed) is \(reserved.meaning), and nobody's: what is sent "
                + "there is lost."
        )
    }

    /// The contract of the very token that is sent.
    package static func ownContract(_ address: Address, _ token: Token) -> DexError {
        badRecipient(
            "\(address.checksummed) is the contract of \(PlainText.name(token.symbol)) itself: "
                + "what is sent there is lost."
        )
    }

    package static func exchange(_ address: Address) -> DexError {
        badRecipient(
            "\(address.checksummed) is a contract of the exchange or of the swap API, which cannot "
                + "move what is sent to it: that is lost."
        )
    }

    package static func tokenContract(_ address: Address, _ token: Token) -> DexError {
        badRecipient(
            "\(address.checksummed) is the contract of the token \(PlainText.name(token.symbol)): "
                + "what is sent to a token's contract is lost."
        )
    }

    /// What is sent there leaves the chain.
    package static func bridge(_ address: Address) -> DexError {
        badRecipient(
            "\(address.checksummed) moves what is sent to it off this chain, to the exchange side: "
                + "dex neither shows it there nor brings it back."
        )
    }

    package static func unknownName(_ name: String, known: [String]) -> DexError {
        row(
            .usage("unknown-address"),
            "No address is called \(PlainText.quoted(name, limit: 64)).",
            hint: Suggestion.behind(
                name,
                among: known,
                "See the names: dex address list. Add one: dex address add NAME ADDRESS"
            )
        )
    }

    /// A name of different addresses.
    package static func ambiguousName(
        _ name: String,
        _ entries: [KnownAddresses.Entry]
    ) -> DexError {
        let places = entries.map { "\($0.address.checksummed) (\($0.source.rawValue))" }
        return row(
            .usage("ambiguous-address"),
            "\(PlainText.quoted(name, limit: 64)) names different addresses: "
                + "\(places.joined(separator: ", ")).",
            hint: "Give the address, or remove the name: dex address remove NAME"
        )
    }

    private static func badRecipient(_ message: String) -> DexError {
        row(.refused("bad-recipient"), message, hint: "Give the address of an account.")
    }
}
