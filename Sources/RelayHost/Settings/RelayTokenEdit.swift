package import DexCore
import DexSettings
package import Ethereum

/// Changes the tokens that a relay carries, in relay.toml.
package struct RelayTokenEdit: Sendable {
    package private(set) var file: RelaySettingsFile
    private let tokens: RelayTokens

    package init(_ settings: RelaySettings) {
        file = settings.file
        tokens = settings.tokens
    }

    /// Carries a token against another one.
    ///
    /// - Parameters:
    ///   - token: with its decimals, which are written down if the settings do not know it.
    ///   - quote: a symbol or an address of the settings.
    /// - Returns: the new pair as it is written.
    /// - Throws: `DexError`.
    package mutating func add(_ token: Token, against quote: String) throws(DexError) -> String {
        let pairs = try listed()
        let other = try tokens.token(quote)
        guard other.address != token.address else {
            throw TokenError.sameToken(pair: "\(token.symbol)/\(quote)", token.address)
        }
        let known = tokens.token(at: token.address)
        var name = known.decimals == nil ? token.address.checksummed : known.symbol
        var changes: [(path: [String], value: RelaySettingValue)] = []
        if known.decimals == nil, let decimals = token.decimals {
            name = freeName(token)
            let place = ["tokens", name]
            changes.append((place + ["address"], .text(token.address.checksummed)))
            changes.append((place + ["decimals"], .integer(UInt64(decimals))))
        }
        // A symbol that several tokens have would name none of them.
        if known.decimals != nil, address(name) != token.address {
            name = token.address.checksummed
        }
        let pair = "\(name)/\(quote)"
        for text in pairs {
            let sides = text.split(separator: "/").map(String.init)
            let addresses = Set(sides.compactMap(address))
            guard addresses != [token.address, other.address] else {
                throw RelaySettingsError.alreadyCarried(pair: text, path: file.path)
            }
        }
        try file.change(set: changes + [(["pairs"], .list(pairs + [pair]))])
        return pair
    }

    /// Carries a token no longer.
    ///
    /// - Returns: the pairs that were removed.
    /// - Throws: `DexError`.
    package mutating func remove(_ text: String) throws(DexError) -> [String] {
        let pairs = try listed()
        let token = try tokens.token(text)
        var kept: [String] = []
        var removed: [String] = []
        for pair in pairs {
            let sides = pair.split(separator: "/").map(String.init)
            let hasToken = sides.contains { address($0) == token.address }
            if hasToken { removed.append(pair) } else { kept.append(pair) }
        }
        guard !removed.isEmpty else {
            throw RelaySettingsError.notCarried(token: text, path: file.path)
        }
        guard !kept.isEmpty else {
            throw file.problem(
                ["pairs"],
                "without \(PlainText.clean(text, limit: 60)) no pair would be left",
                hint: "Add another one first: dex relay token add TOKEN"
            )
        }
        var tables: [[String]] = []
        for name in file.names(in: "pair") {
            let sides = name.split(separator: "/").map(String.init)
            if sides.contains(where: { address($0) == token.address }) {
                tables.append(["pair", name])
            }
        }
        for name in file.names(in: "tokens")
        where address(name) == token.address {
            tables.append(["tokens", name])
        }
        try file.change(set: [(["pairs"], .list(kept))], remove: tables)
        return removed
    }

    /// The address of a token of the settings.
    private func address(_ text: String) -> Address? {
        try? tokens.token(text).address  // nil: the settings do not know it
    }

    private func listed() throws(DexError) -> [String] {
        guard let pairs = file.list("pairs") else {
            throw RelaySettingsError.carriesAny(path: file.path)
        }
        return pairs
    }

    /// A name for a token's table: its symbol if that can be a key and is free.
    private func freeName(_ token: Token) -> String {
        let symbol = token.symbol
        // The contract chose its symbol: it may be that of another token.
        let isTaken = (try? tokens.token(symbol)) != nil  // nil: no such token
        guard SettingKind.isName(symbol), symbol.count <= 20, !isTaken else {
            return "T_" + token.address.lowercaseHex.dropFirst(2).prefix(8)
        }
        return symbol
    }
}
