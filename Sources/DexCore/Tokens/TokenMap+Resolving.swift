package import Ethereum

extension TokenMap {
    /// The token of a symbol or address.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-token` with the candidates for a symbol of several
    ///   tokens, of another's look or of a replaced contract; `unknown-token` for symbols and
    ///   addresses outside the map; `bad-address`.
    package func resolve(_ text: String) throws(DexError) -> Token {
        if let address = try Self.address(text) {
            try refuseReserved(address)
            if let token = known(address) { return token }
            throw TokenError.unlisted(address, chainID: chainID)
        }
        let candidates = alike(text)
        let fold = SymbolShape.fold(text)
        let exact = candidates.filter { fold != nil && SymbolShape.fold($0.token.symbol) == fold }
        guard !exact.isEmpty else {
            throw TokenError.unknown(
                text,
                chainID: chainID,
                coin: coin,
                similar: lookAlikes(text),
                question: question(about: text)
            )
        }
        let current = candidates.filter { !$0.flags.contains(.superseded) }
        if let only = current.first, current.count == 1,
            SymbolShape.fold(only.token.symbol) == fold
        {
            if only.isUsers { try refuseLookAlike(only) }
            return only.token
        }
        throw TokenError.ambiguous(
            text,
            chainID: chainID,
            exact: exact.count,
            hasCurrent: !current.isEmpty,
            candidates: candidates
        )
    }

    /// The address in a text; nil for anything else, such as `0xBTC`.
    static func address(_ text: String) throws(DexError) -> Address? {
        guard text.utf8.count == 42, text.lowercased().hasPrefix("0x") else { return nil }
        return try reported(AddressError.self, try Address(text))
    }

    /// A user's token does not resolve by a symbol that looks like a bundled one.
    private func refuseLookAlike(_ listed: ListedToken) throws(DexError) {
        let bundled = lookAlikes(listed.token.symbol).filter { !$0.isUsers }
        guard !bundled.isEmpty else { return }
        throw TokenError.looksAlike(
            symbol: listed.token.symbol,
            chainID: chainID,
            candidates: [listed] + bundled
        )
    }
}
