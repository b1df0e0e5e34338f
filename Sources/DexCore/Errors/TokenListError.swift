package import Ethereum

/// A token that is not added to the user's own list, or not removed from it.
package enum TokenListError: ErrorArea {
    /// A contract that leaves functions of ERC-20 unanswered.
    case silent(Address, functions: [String])
    case tooManyDecimals(Address, UInt256)
    case listedAlready(ListedToken)
    /// A contract without a symbol.
    case noSymbol(Address)
    case badSymbol(String, isContracts: Bool, Address)
    /// A symbol that is read as ether.
    case etherSymbol(String, Address)
    case copiedSymbol(String, Address, of: [ListedToken])
    /// A contract that is known to imitate others, as the sentence says.
    case knownSpoof(String)
    /// A bundled token that is to be removed.
    case bundled(Token)
    case notInList(String, network: String)
    /// A symbol of several tokens of the list.
    case severalInList(String, [Address])

    package var report: ErrorReport {
        switch self {
        case .silent(let address, let functions):
            ErrorReport(
                .refused,
                "not-a-token",
                "The contract \(address.checksummed) is no ERC-20 token: it does not answer "
                    + "\(functions.joined(separator: ", ")).",
                hint: "Check the address and --network."
            )
        case .tooManyDecimals(let address, let decimals):
            ErrorReport(
                .refused,
                "too-many-decimals",
                "The contract \(address.checksummed) says that it has \(decimals) decimals; at most "
                    + "\(TokenContract.mostDecimals) are accepted."
            )
        case .listedAlready(let listed):
            ErrorReport(
                .usage,
                "token-exists",
                "\(listed.token.address.checksummed) is known already: "
                    + "\(PlainText.name(listed.token.symbol)), "
                    + (listed.isUsers ? "of your own token list." : "bundled with dex."),
                hint: listed.isUsers
                    ? "To read it anew, remove it first: dex tokens remove "
                        + listed.token.address.checksummed
                    : "See it: dex tokens \(listed.token.address.checksummed)"
            )
        case .noSymbol(let address):
            ErrorReport(
                .usage,
                "bad-symbol",
                "The contract \(address.checksummed) has no symbol.",
                hint: "Choose one: dex tokens add \(address.checksummed) --symbol SYMBOL"
            )
        case .badSymbol(let symbol, let isContracts, let address):
            ErrorReport(
                .usage,
                "bad-symbol",
                (isContracts ? "The contract's symbol " : "")
                    + "\(PlainText.quoted(symbol, limit: 60)) cannot be used: 1 to 20 visible "
                    + "ASCII characters without / and , are expected, and no - or @ in front.",
                hint: "Choose one: dex tokens add \(address.checksummed) --symbol SYMBOL"
            )
        case .etherSymbol(let symbol, let address):
            ErrorReport(
                .usage,
                "bad-symbol",
                "\(PlainText.quoted(symbol, limit: 60)) means the coin, or looks like it.",
                hint: "Choose another one: dex tokens add \(address.checksummed) --symbol SYMBOL"
            )
        case .copiedSymbol(let symbol, let address, let listed):
            ErrorReport(
                .refused,
                "copied-symbol",
                "\(address.checksummed) is not added as \(PlainText.name(symbol)): a "
                    + "known token has that symbol, or one that looks like it.",
                hint: "It is most likely a copy. The known ones are:\n" + TokenError.list(listed)
                    + "\nTo add it all the same, give it another symbol (--symbol SYMBOL), or "
                    + "--allow-copy."
            )
        case .knownSpoof(let warning):
            ErrorReport(
                .refused,
                "copied-symbol",
                PlainText.sentence(warning),
                hint: "To add it all the same: --allow-copy"
            )
        case .bundled(let token):
            ErrorReport(
                .usage,
                "bundled-token",
                "\(PlainText.name(token.symbol)) (\(token.address.checksummed)) is "
                    + "bundled with dex and cannot be removed.",
                hint: "Only tokens of your own list can: dex tokens shows which those are."
            )
        case .notInList(let text, let network):
            ErrorReport(
                .usage,
                "unknown-token",
                "Your token list of \(network) has no \"\(TokenMap.shown(text))\".",
                hint: "See what is known: dex tokens \(ShellWord.quoted(TokenMap.shown(text)))"
            )
        case .severalInList(let text, let addresses):
            ErrorReport(
                .usage,
                "ambiguous-token",
                "\"\(TokenMap.shown(text))\" is the symbol of \(addresses.count) tokens of your "
                    + "list.",
                hint: "Give the address of the one you mean:\n"
                    + addresses.prefix(10).map { "  \($0.checksummed)" }.joined(separator: "\n")
            )
        }
    }
}
