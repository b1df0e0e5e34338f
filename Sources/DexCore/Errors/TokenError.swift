package import Ethereum

/// A token, pair or token list that cannot be used as named.
package enum TokenError: ErrorArea {
    case badList(problem: String)
    case unlisted(Address, chainID: UInt64)
    case looksAlike(symbol: String, chainID: UInt64, candidates: [ListedToken])
    /// `meant` is the pair that the text probably means.
    case malformedPair(text: String, meant: String?)
    case sameToken(pair: String, Address)
    case otherDecimals(symbol: String, Address, listed: UInt8, chain: UInt256)
    case notAToken(Address)
    /// A symbol that matches several tokens, looks like another one or names replaced contracts.
    ///
    /// `exact` have the same symbol.
    case ambiguous(
        String,
        chainID: UInt64,
        exact: Int,
        hasCurrent: Bool,
        candidates: [ListedToken]
    )
    /// `question` asks for the symbol that was probably meant.
    case unknown(
        String,
        chainID: UInt64,
        coin: CoinSymbol,
        similar: [ListedToken],
        question: String?
    )
    /// An address that stands for the coin, or for nothing, and is no contract's.
    case reserved(Address, coin: CoinSymbol)
    /// The coin's symbol is also that of tokens on the same chain.
    case coinOrToken(CoinSymbol, chainID: UInt64, tokens: [ListedToken])
    /// A limit names the coin of other networks where this one's coin has none.
    case otherCoin(CoinSymbol, network: String, coin: CoinSymbol)

    package var report: ErrorReport {
        switch self {
        case .badList(let problem):
            ErrorReport(
                .configuration,
                "bad-token-list",
                "Your token list is not valid: \(problem).",
                hint:
                    "The format is https://github.com/Uniswap/token-lists; the file is `tokens` in "
                    + "the network's part of config.toml."
            )
        case .unlisted(let address, let chainID):
            ErrorReport(
                .usage,
                "unknown-token",
                "The token \(address.checksummed) is not in the token map of chain "
                    + "\(chainID).",
                hint: "Add it: dex tokens add \(address.checksummed)"
            )
        case .looksAlike(let symbol, let chainID, let candidates):
            ErrorReport(
                .usage,
                "ambiguous-token",
                "\"\(symbol)\" of your token list looks like another token's "
                    + "symbol on chain \(chainID).",
                hint: Self.hint(listing: candidates)
            )
        case .malformedPair(let text, let meant):
            ErrorReport(
                .usage,
                "malformed-pair",
                "\(PlainText.quoted(text, limit: 100)) is not a pair.",
                hint: (meant.map { "Did you mean \($0)? " } ?? "")
                    + "Write BASE/QUOTE with symbols or addresses, such as ZRX/WETH."
            )
        case .sameToken(let pair, let token):
            ErrorReport(
                .usage,
                "same-token",
                "Both sides of \(PlainText.quoted(pair, limit: 100)) are the token "
                    + "\(token.checksummed).",
                hint: "A pair has two different tokens, such as ZRX/WETH."
            )
        case .otherDecimals(let symbol, let address, let listed, let chain):
            ErrorReport(
                .refused,
                "decimals-mismatch",
                "\(PlainText.name(symbol)) has \(listed) decimals in the token map but "
                    + "\(chain) on chain.",
                hint: "Check the contract \(address.checksummed) and the network; amounts would "
                    + "be wrong."
            )
        case .notAToken(let address):
            ErrorReport(
                .refused,
                "not-a-token",
                "The contract \(address.checksummed) does not answer as a token.",
                hint: "Check the address and --network."
            )
        case .ambiguous(let text, let chainID, let exact, let hasCurrent, let candidates):
            ErrorReport(
                .usage,
                "ambiguous-token",
                Self.ambiguity(text, chainID, exact, hasCurrent, of: candidates.count),
                hint: Self.hint(listing: candidates)
            )
        case .reserved(let address, let coin):
            ErrorReport(
                .usage,
                "unknown-token",
                "\(address.checksummed) is "
                    + (ReservedAddress(address)?.meaning ?? ReservedAddress.coin.meaning)
                    + ", and no token or contract.",
                hint: "Write \(coin) for the coin. 0x's orders trade its wrapped form instead, by "
                    + "its own symbol or address."
            )
        case .coinOrToken(let coin, let chainID, let tokens):
            ErrorReport(
                .usage,
                "ambiguous-token",
                "\"\(coin)\" is the coin of chain \(chainID), and the symbol of "
                    + "\(tokens.count == 1 ? "a token" : "\(tokens.count) tokens") there.",
                hint: "Give \(TokenMap.coinAddress.checksummed) for the coin, or the token's "
                    + "address:\n" + Self.list(tokens)
            )
        case .otherCoin(let other, let network, let coin):
            ErrorReport(
                .usage,
                "other-coin",
                "A limit of \(other) is none of \(coin), which is the coin of the network "
                    + "\(network).",
                hint: "Limit \(coin) as well."
            )
        case .unknown(let text, let chainID, let coin, let similar, let question):
            ErrorReport(
                .usage,
                "unknown-token",
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
    }

    private static func ambiguity(
        _ text: String,
        _ chainID: UInt64,
        _ exact: Int,
        _ hasCurrent: Bool,
        of count: Int
    ) -> String {
        if !hasCurrent, exact == 1 {
            "\"\(text)\" names a contract on chain \(chainID) that was replaced or is out "
                + "of use."
        } else if !hasCurrent {
            "\"\(text)\" names \(exact) contracts on chain \(chainID), all replaced or out "
                + "of use."
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
