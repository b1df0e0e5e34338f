package import Ethereum

/// The known tokens of one chain: the bundled map, the user's list, and the chain's answers.
package struct TokenMap: Sendable {
    let chainID: UInt64
    /// The chain's own coin.
    package let coin: CoinSymbol
    let table: TokenTable
    /// Contracts that imitate listed tokens.
    let spoofs: TokenTable
    private(set) var users: [Address: ListedToken] = [:]
    private(set) var userKeys: [UInt64: [Address]] = [:]
    /// Contradictions between the user's list and the bundled map.
    private(set) var contradictions: [Address: String] = [:]
    private(set) var added: [Address: Token] = [:]
    /// Why entries of the user's list are left out, by their places.
    private var leftOut: [String] = []
    /// Tokens whose contracts contradict their decimals, as their amounts may be shown.
    private var marked: [Address: Token] = [:]

    package init() {
        chainID = 0
        coin = .ether
        table = TokenTable(.bytes([]), chainID: 0)
        spoofs = table
    }

    /// The bundled tokens of a chain, with a user's own list added to them.
    ///
    /// - Parameters:
    ///   - chainID: a chain without bundled tokens has only those of the user's list.
    ///   - listed: the chain of the bundled tokens, if it is another.
    ///   - coin: the chain's own coin.
    ///   - userList: the bytes of a file in the Token Lists standard.
    /// - Throws: `DexError`, exit 3, code `bad-token-list`, if the user's list is no list; entries
    ///   that are no tokens are left out.
    package init(
        chainID: UInt64,
        listed: UInt64? = nil,
        coin: CoinSymbol = .ether,
        userList: [UInt8]? = nil
    ) throws(DexError) {
        try self.init(
            chainID: chainID,
            listed: listed,
            coin: coin,
            source: .embedded,
            userList: userList
        )
    }

    init(
        chainID: UInt64,
        listed: UInt64? = nil,
        coin: CoinSymbol = .ether,
        source: TokenTable.Source,
        userList: [UInt8]?
    ) throws(DexError) {
        let own = try userList.map { bytes throws(DexError) in
            try TokenListFile.contents(of: bytes, chainID: chainID)
        }
        self.chainID = chainID
        self.coin = coin
        table = TokenTable(source, chainID: listed ?? chainID)
        spoofs = TokenTable(spoofs: source, chainID: listed ?? chainID)
        leftOut = own?.leftOut ?? []
        for token in own?.tokens ?? [] { take(token) }
    }

    /// One sentence about the entries of the user's list that are left out; nil if there are none.
    package var leftOutWarning: String? {
        guard let first = leftOut.first else { return nil }
        let entries =
            leftOut.count == 1
            ? "1 entry of your token list is left out"
            : "\(leftOut.count) entries of your token list are left out, the first of them"
        return "\(entries): \(first)."
    }

    /// A bundled token keeps its data, whatever the user's list says.
    ///
    /// Lists of other programs may have the coin as a token; it is named by its symbol.
    private mutating func take(_ token: Token) {
        guard !Self.isReserved(token.address) else { return }
        if let bundled = table.token(at: token.address)?.token {
            if bundled.decimals != token.decimals || bundled.symbol != token.symbol {
                contradictions[token.address] =
                    "Your token list calls \(token.address.checksummed) \(PlainText.name(token.symbol)) with "
                    + "\(Self.text(token.decimals)) decimals; the bundled entry, "
                    + "\(PlainText.name(bundled.symbol)) with \(Self.text(bundled.decimals)), stands."
            }
            return
        }
        users[token.address] = ListedToken(users: token)
        userKeys[SymbolShape.key(token.symbol.utf8), default: []].append(token.address)
    }

    package func known(_ address: Address) -> Token? {
        marked[address] ?? listed(address)?.token ?? added[address]
    }

    /// The known token at an address, else one without decimals.
    package func token(at address: Address) -> Token { known(address) ?? .unknown(address) }

    /// The token of the bundled map or the user's list at an address.
    func listed(_ address: Address) -> ListedToken? {
        users[address] ?? table.token(at: address)
    }

    /// The listed tokens whose symbols differ at most in letter case, punctuation and 0/O, 1/I.
    func alike(_ symbol: String) -> [ListedToken] {
        let key = SymbolShape.key(symbol.utf8)
        return table.tokens(key: key) + (userKeys[key] ?? []).compactMap { users[$0] }
    }

    /// The listed tokens whose symbols look like this one in some font or alphabet.
    func lookAlikes(_ symbol: String) -> [ListedToken] {
        guard let key = SymbolShape.lookAlikeKey(symbol.utf8) else { return [] }
        let own = users.values.filter { SymbolShape.lookAlikeKey($0.token.symbol.utf8) == key }
        return table.tokens(lookAlikeKey: key)
            + own.sorted { $0.token.address < $1.token.address }
    }

    /// The tokens whose symbol, name or address contains the query, by symbol; all for nil.
    package func search(_ query: String?) -> [Token] {
        let wanted = query.map { $0.uppercased() } ?? ""
        let tokens = table.all.map(\.token) + users.values.map(\.token) + added.values
        return
            tokens
            .filter { token in
                wanted.isEmpty || token.symbol.uppercased().contains(wanted)
                    || token.name.uppercased().contains(wanted)
                    || token.address.lowercaseHex.uppercased().contains(wanted)
            }
            .map { (key: $0.symbol.uppercased(), token: $0) }
            .sorted { ($0.key, $0.token.address) < ($1.key, $1.token.address) }
            .map(\.token)
    }

    /// The map with a token read from the chain.
    ///
    /// A bundled or listed token is never changed, and an added one never resolves by its symbol.
    package func adding(_ token: Token) -> TokenMap {
        guard listed(token.address) == nil else { return self }
        var map = self
        map.added[token.address] = token
        return map
    }

    /// The map with the decimals that a check on chain left: none where the contract contradicts it.
    ///
    /// Only for screens; symbols resolve to what they did.
    func marking(_ checked: [Address: Token]) -> TokenMap {
        var map = self
        for (address, token) in checked {
            guard let listed = listed(address)?.token, listed.decimals != token.decimals else {
                continue
            }
            map.marked[address] = token
        }
        return map
    }

    static func shown(_ text: String) -> String {
        PlainText.clean(text, limit: 100).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    static func text(_ decimals: UInt8?) -> String {
        decimals.map { String($0) } ?? "unknown"
    }
}
