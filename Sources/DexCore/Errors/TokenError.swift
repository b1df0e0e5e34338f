package import Ethereum

/// A token, pair or token list that cannot be used as named.
package enum TokenError: ErrorArea {
    package static let concerns: ErrorConcerns = .pair

    package static func badList(problem: String) -> DexError {
        row(
            .configuration("bad-token-list"),
            "Your token list is not valid: \(problem).",
            hint:
                "The format is https://github.com/Uniswap/token-lists; the file is `tokens` in "
                + "the network's part of config.toml."
        )
    }

    package static func unlisted(_ address: Address, chainID: UInt64) -> DexError {
        row(
            .usage("unknown-token"),
            "The token \(address.checksummed) is not in the token map of chain \(chainID).",
            hint: "Add it: dex tokens add \(address.checksummed)"
        )
    }

    package static func looksAlike(
        symbol: String,
        chainID: UInt64,
        candidates: [ListedToken]
    ) -> DexError {
        row(
            .usage("ambiguous-token"),
            "\"\(symbol)\" of your token list looks like another token's "
                + "symbol on chain \(chainID).",
            hint: Self.hint(listing: candidates)
        )
    }

    /// `meant` is the pair that the text probably means.
    package static func malformedPair(text: String, meant: String?) -> DexError {
        row(
            .usage("malformed-pair"),
            "\(PlainText.quoted(text, limit: 100)) is not a pair.",
            hint: (meant.map { "Did you mean \($0)? " } ?? "")
                + "Write BASE/QUOTE with symbols or addresses, such as ZRX/WETH."
        )
    }

    package static func sameToken(pair: String, _ token: Address) -> DexError {
        row(
            .usage("same-token"),
            "Both sides of \(PlainText.quoted(pair, limit: 100)) are the token "
                + "\(token.checksummed).",
            hint: "A pair has two different tokens, such as ZRX/WETH."
        )
    }

    package static func otherDecimals(
        symbol: String,
        _ address: Address,
        listed: UInt8,
        chain: UInt256
    ) -> DexError {
        row(
            .refused("decimals-mismatch"),
            "\(PlainText.name(symbol)) has \(listed) decimals in the token map but "
                + "\(chain) on chain.",
            hint: "Check the contract \(address.checksummed) and the network; amounts would "
                + "be wrong."
        )
    }

    package static func notAToken(_ address: Address) -> DexError {
        row(
            .refused("not-a-token"),
            "The contract \(address.checksummed) does not answer as a token.",
            hint: "Check the address and --network."
        )
    }

    /// A symbol that matches several tokens, looks like another one or names replaced contracts.
    ///
    /// `exact` have the same symbol.
    package static func ambiguous(
        _ text: String,
        chainID: UInt64,
        exact: Int,
        hasCurrent: Bool,
        candidates: [ListedToken]
    ) -> DexError {
        row(
            .usage("ambiguous-token"),
            Self.ambiguity(text, chainID, exact, hasCurrent, of: candidates.count),
            hint: Self.hint(listing: candidates)
        )
    }

    /// `question` asks for the symbol that was probably meant.
    package static func unknown(
        _ text: String,
        chainID: UInt64,
        coin: CoinSymbol,
        similar: [ListedToken],
        question: String?
    ) -> DexError {
        row(
            .usage("unknown-token"),
            "There is no token \(PlainText.quoted(text, limit: 100)) in the token map of chain "
                + "\(chainID).",
            hint: SymbolShape.fold(text) == coin.text
                ? "\(coin) is the chain's coin, and no token. 0x's orders trade its wrapped form"
                    + (coin == .ether ? ", WETH." : ".")
                : similar.isEmpty
                    ? (question.map { "\($0) " } ?? "")
                        + "`dex tokens` lists what is known; a token that is not is named by its "
                        + "address."
                    : "It looks like the following; type the symbol anew, or give the "
                        + "address:\n" + Self.list(similar)
        )
    }

    /// An address that stands for the coin, or for nothing, and is no contract's.
    package static func reserved(_ address: Address, coin: CoinSymbol) -> DexError {
        row(
            .usage("unknown-token"),
            "\(address.checksummed) is "
                + (ReservedAddress(address)?.meaning ?? ReservedAddress.coin.meaning)
                + ", and no token or contract.",
            hint: "Write \(coin) for the coin. 0x's orders trade its wrapped form instead, by "
                + "its own symbol or address."
        )
    }

    /// The coin's symbol is also that of tokens on the same chain.
    package static func coinOrToken(
        _ coin: CoinSymbol,
        chainID: UInt64,
        tokens: [ListedToken]
    ) -> DexError {
        row(
            .usage("ambiguous-token"),
            "\"\(coin)\" is the coin of chain \(chainID), and the symbol of "
                + "\(tokens.count == 1 ? "a token" : "\(tokens.count) tokens") there.",
            hint: "Give \(TokenMap.coinAddress.checksummed) for the coin, or the token's "
                + "address:\n" + Self.list(tokens)
        )
    }

    /// A limit names the coin of other networks where this one's coin has none.
    package static func otherCoin(
        _ other: CoinSymbol,
        network: String,
        coin: CoinSymbol
    ) -> DexError {
        row(
            .usage("other-coin"),
            "A limit of \(other) is none of \(coin), which is the coin of the network \(network).",
            hint: "Limit \(coin) as well.",
            concerns: .otherCoin
        )
    }

    private static func ambiguity(
        _ text: String,
        _ chainID: UInt64,
        _ exact: Int,
        _ hasCurrent: Bool,
        of count: Int
    ) -> String {
        if !hasCurrent, exact == 1 {
            "\"\(text)\" names a contract on chain \(chainID) that was replaced or is out of use."
        } else if !hasCurrent {
            "\"\(text)\" names \(exact) contracts on chain \(chainID), all replaced or out of use."
        } else if exact == count {
            "\"\(text)\" is the symbol of \(exact) tokens on chain \(chainID)."
        } else {
            "\"\(text)\" can be taken for another token's symbol on chain \(chainID)."
        }
    }

    private static func hint(listing candidates: [ListedToken]) -> String {
        "Give the address of the one you mean:\n" + list(candidates)
    }

    static func list(_ candidates: [ListedToken]) -> String {
        var lines = candidates.prefix(10).map { candidate in
            "  \(candidate.token.address.checksummed) \(PlainText.name(candidate.token.symbol)) "
                + "(\(candidate.token.name))"
                + (candidate.flags.contains(.superseded) ? ", replaced or out of use" : "")
                + (candidate.isUsers ? ", from your token list" : "")
        }
        if candidates.count > 10 { lines.append("  and \(candidates.count - 10) more") }
        return lines.joined(separator: "\n")
    }
}
