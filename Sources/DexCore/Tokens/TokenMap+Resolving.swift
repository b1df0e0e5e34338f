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
            throw DexError(TokenError.unlisted(address, chainID: chainID))
        }
        let candidates = alike(text)
        let fold = SymbolShape.fold(text)
        let exact = candidates.filter { fold != nil && SymbolShape.fold($0.token.symbol) == fold }
        guard !exact.isEmpty else {
            throw DexError(TokenError.unknown(text, chainID: chainID, similar: lookAlikes(text)))
        }
        let current = candidates.filter { !$0.flags.contains(.superseded) }
        if let only = current.first, current.count == 1,
            SymbolShape.fold(only.token.symbol) == fold
        {
            if only.isUsers { try refuseLookAlike(only) }
            return only.token
        }
        throw DexError(
            TokenError.ambiguous(
                text,
                chainID: chainID,
                exact: exact.count,
                hasCurrent: !current.isEmpty,
                candidates: candidates
            )
        )
    }

    /// A text that is written like an address; nil for anything else, such as `0xBTC`.
    static func address(_ text: String) throws(DexError) -> Address? {
        guard text.utf8.count == 42, text.utf8.starts(with: "0x".utf8) else { return nil }
        return try reported(AddressError.self, try Address(text))
    }

    /// A user's own token does not resolve by a symbol that can be taken for a bundled one.
    private func refuseLookAlike(_ listed: ListedToken) throws(DexError) {
        let bundled = lookAlikes(listed.token.symbol).filter { !$0.isUsers }
        guard !bundled.isEmpty else { return }
        throw DexError(
            TokenError.looksAlike(
                symbol: listed.token.symbol,
                chainID: chainID,
                candidates: [listed] + bundled
            )
        )
    }
}
