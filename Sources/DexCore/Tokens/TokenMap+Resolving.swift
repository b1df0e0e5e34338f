package import Ethereum

extension TokenMap {
    /// The token of a symbol or address.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-token` with the candidates where a symbol stands
    ///   for several tokens, looks like another or names a contract that was replaced;
    ///   `unknown-token` for anything that is not in the map, an address too; `bad-address`.
    package func resolve(_ text: String) throws(DexError) -> Token {
        if let address = try Self.address(text) {
            if let token = known(address) { return token }
            throw DexError(
                .usage,
                code: "unknown-token",
                message: "The token \(address.checksummed) is not in the token map of chain "
                    + "\(chainID).",
                hint: "Add it with a token list (`tokens` in config.toml)."
            )
        }
        let candidates = alike(text)
        let fold = SymbolShape.fold(text)
        let exact = candidates.filter { fold != nil && SymbolShape.fold($0.token.symbol) == fold }
        guard !exact.isEmpty else { throw unknown(text) }
        let current = candidates.filter { !$0.flags.contains(.superseded) }
        if let only = current.first, current.count == 1,
            SymbolShape.fold(only.token.symbol) == fold
        {
            if only.isUsers { try refuseLookAlike(only) }
            return only.token
        }
        throw ambiguous(text, candidates: candidates, exact: exact, current: current)
    }

    /// A text that is written like an address; nil for anything else, such as `0xBTC`.
    static func address(_ text: String) throws(DexError) -> Address? {
        guard text.utf8.count == 42, text.utf8.starts(with: "0x".utf8) else { return nil }
        do {
            return try Address(text)
        } catch {
            throw DexError(error)
        }
    }

    /// A user's own token does not resolve by a symbol that can be taken for a bundled one.
    private func refuseLookAlike(_ listed: ListedToken) throws(DexError) {
        let bundled = lookAlikes(listed.token.symbol).filter { !$0.isUsers }
        guard !bundled.isEmpty else { return }
        throw DexError(
            .usage,
            code: "ambiguous-token",
            message: "\"\(listed.token.symbol)\" of your token list looks like another token's "
                + "symbol on chain \(chainID).",
            hint: Self.hint(listing: [listed] + bundled)
        )
    }

    private func ambiguous(
        _ text: String,
        candidates: [ListedToken],
        exact: [ListedToken],
        current: [ListedToken]
    ) -> DexError {
        let message: String
        if current.isEmpty, exact.count == 1 {
            message =
                "\"\(text)\" names a contract on chain \(chainID) that was replaced or is out "
                + "of use."
        } else if current.isEmpty {
            message =
                "\"\(text)\" names \(exact.count) contracts on chain \(chainID), all replaced "
                + "or out of use."
        } else if exact.count == candidates.count {
            message = "\"\(text)\" is the symbol of \(exact.count) tokens on chain \(chainID)."
        } else {
            message = "\"\(text)\" can be taken for another token's symbol on chain \(chainID)."
        }
        return DexError(
            .usage,
            code: "ambiguous-token",
            message: message,
            hint: Self.hint(listing: candidates)
        )
    }

    private func unknown(_ text: String) -> DexError {
        let shown = Self.shown(text)
        let message = "There is no token \"\(shown)\" in the token map of chain \(chainID)."
        if SymbolShape.fold(text) == "ETH" || SymbolShape.fold(text) == "ETHER" {
            return DexError(
                .usage,
                code: "unknown-token",
                message: message,
                hint: "Ether itself is not traded on 0x; its wrapped form is WETH."
            )
        }
        let similar = lookAlikes(text)
        return DexError(
            .usage,
            code: "unknown-token",
            message: message,
            hint: similar.isEmpty
                ? "`dex tokens` lists what is known; a token that is not is named by its address."
                : "It looks like the following; type the symbol anew, or give the address:\n"
                    + Self.list(similar)
        )
    }

    private static func hint(listing candidates: [ListedToken]) -> String {
        "Give the address of the one you mean:\n" + list(candidates)
    }

    private static func list(_ candidates: [ListedToken]) -> String {
        var lines = candidates.prefix(10).map { candidate in
            "  \(candidate.token.address.checksummed) \(candidate.token.symbol) "
                + "(\(candidate.token.name))"
                + (candidate.flags.contains(.superseded) ? ", replaced or out of use" : "")
                + (candidate.isUsers ? ", from your token list" : "")
        }
        if candidates.count > 10 { lines.append("  and \(candidates.count - 10) more") }
        return lines.joined(separator: "\n")
    }
}
