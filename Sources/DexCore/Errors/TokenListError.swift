package import Ethereum

/// A token that is not added to the user's own list, or not removed from it.
package enum TokenListError: ErrorArea {
    /// A contract that leaves functions of ERC-20 unanswered.
    package static func silent(_ address: Address, functions: [String]) -> DexError {
        row(
            .refused("not-a-token"),
            "The contract \(address.checksummed) is no ERC-20 token: it does not answer "
                + "\(functions.joined(separator: ", ")).",
            hint: "Check the address and --network."
        )
    }

    package static func tooManyDecimals(_ address: Address, _ decimals: UInt256) -> DexError {
        row(
            .refused("too-many-decimals"),
            "The contract \(address.checksummed) says that it has \(decimals) decimals; at most "
                + "\(TokenContract.maximumDecimals) are accepted."
        )
    }

    package static func listedAlready(_ listed: ListedToken) -> DexError {
        row(
            .usage("token-exists"),
            "\(listed.token.address.checksummed) is known already: "
                + "\(PlainText.name(listed.token.symbol)), "
                + (listed.isUsers ? "of your own token list." : "bundled with dex."),
            hint: listed.isUsers
                ? "To read it anew, remove it first: dex tokens remove "
                    + listed.token.address.checksummed
                : "See it: dex tokens \(listed.token.address.checksummed)"
        )
    }

    /// A contract without a symbol.
    package static func noSymbol(_ address: Address) -> DexError {
        row(
            .usage("bad-symbol"),
            "The contract \(address.checksummed) has no symbol.",
            hint: "Choose one: dex tokens add \(address.checksummed) --symbol SYMBOL"
        )
    }

    package static func badSymbol(
        _ symbol: String,
        isContracts: Bool,
        _ address: Address
    ) -> DexError {
        row(
            .usage("bad-symbol"),
            (isContracts ? "The contract's symbol " : "")
                + "\(PlainText.quoted(symbol, limit: 60)) cannot be used: 1 to 20 visible "
                + "ASCII characters without / and , are expected, and no - or @ in front.",
            hint: "Choose one: dex tokens add \(address.checksummed) --symbol SYMBOL"
        )
    }

    /// A symbol that is read as ether.
    package static func etherSymbol(_ symbol: String, _ address: Address) -> DexError {
        row(
            .usage("bad-symbol"),
            "\(PlainText.quoted(symbol, limit: 60)) means the coin, or looks like it.",
            hint: "Choose another one: dex tokens add \(address.checksummed) --symbol SYMBOL"
        )
    }

    package static func copiedSymbol(
        _ symbol: String,
        _ address: Address,
        of listed: [ListedToken]
    ) -> DexError {
        row(
            .refused("copied-symbol"),
            "\(address.checksummed) is not added as \(PlainText.name(symbol)): a "
                + "known token has that symbol, or one that looks like it.",
            hint: "It is most likely a copy. The known ones are:\n" + TokenError.list(listed)
                + "\nTo add it all the same, give it another symbol (--symbol SYMBOL), or "
                + "--allow-copy."
        )
    }

    /// A contract that is known to imitate others, as the sentence says.
    package static func knownSpoof(_ warning: String) -> DexError {
        row(
            .refused("copied-symbol"),
            PlainText.sentence(warning),
            hint: "To add it all the same: --allow-copy"
        )
    }

    /// A bundled token that is to be removed.
    package static func bundled(_ token: Token) -> DexError {
        row(
            .usage("bundled-token"),
            "\(PlainText.name(token.symbol)) (\(token.address.checksummed)) is "
                + "bundled with dex and cannot be removed.",
            hint: "Only tokens of your own list can: dex tokens shows which those are."
        )
    }

    package static func notInList(_ text: String, network: String) -> DexError {
        row(
            .usage("unknown-token"),
            "Your token list of \(network) has no \"\(TokenMap.shown(text))\".",
            hint: "See what is known: dex tokens \(ShellWord.quoted(TokenMap.shown(text)))"
        )
    }

    /// A symbol of several tokens of the list.
    package static func severalInList(_ text: String, _ addresses: [Address]) -> DexError {
        row(
            .usage("ambiguous-token"),
            "\"\(TokenMap.shown(text))\" is the symbol of \(addresses.count) tokens of your list.",
            hint: "Give the address of the one you mean:\n"
                + addresses.prefix(10).map { "  \($0.checksummed)" }.joined(separator: "\n")
        )
    }
}
