package import Ethereum
import StrictJSON

/// The JSON of a user's own token list, changed without losing members that dex does not read.
///
/// Source: https://github.com/Uniswap/token-lists, for the members and for the version: a new major
/// number where a token is removed, a new minor one where one is added.
package struct TokenListDocument: Sendable {
    private var list: JSONObject
    private let chainID: UInt64

    /// A list without tokens.
    ///
    /// - Parameter network: part of the list's name.
    package init(network: String, chainID: UInt64) {
        self.chainID = chainID
        let name = "dex \(network)".map { letter -> Character in
            letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : " "
        }
        list = JSONObject()
        list["name"] = .string(String(String(name).prefix(30)))
        list["timestamp"] = "1970-01-01T00:00:00Z"
        list["version"] = ["major": 1, "minor": 0, "patch": 0]
        list["tokens"] = []
    }

    /// - Parameters:
    ///   - bytes: the content of a list's file.
    ///   - chainID: the chain whose tokens are changed.
    /// - Throws: `DexError`, exit 3, `bad-token-list`.
    package init(_ bytes: [UInt8], chainID: UInt64) throws(DexError) {
        self.chainID = chainID
        list = try TokenListFile.object(in: bytes)
        _ = try contents(of: list)
    }

    /// The tokens of the chain, in the order of the list.
    package var tokens: [Token] {
        get throws(DexError) { try contents(of: list).tokens }
    }

    private func contents(of list: JSONObject) throws(DexError) -> TokenListFile.Contents {
        try TokenListFile.contents(of: .object(list), chainID: chainID)
    }

    /// The chain's token of a symbol, in any letter case, or of an address.
    ///
    /// - Parameter map: names what is bundled.
    /// - Throws: `DexError`, exit 2: `bundled-token`, `unknown-token`, `ambiguous-token`,
    ///   `bad-address`; exit 3, `bad-token-list`.
    package func token(_ text: String, network: Network, map: TokenMap) throws(DexError) -> Token {
        let own = try tokens
        let address = try TokenMap.address(text)
        let found = own.filter { token in
            address.map { $0 == token.address }
                ?? (SymbolShape.fold(text) == SymbolShape.fold(token.symbol)
                    && SymbolShape.fold(text) != nil)
        }
        if found.count > 1 {
            throw TokenListError.severalInList(text, found.map(\.address))
        }
        if let token = found.first { return token }
        let bundled =
            address.map { address in map.listed(address).map { [$0] } ?? [] }
            ?? map.alike(text)
        if let token = bundled.first?.token { throw TokenListError.bundled(token) }
        throw TokenListError.notInList(text, network: network.name)
    }

    /// Adds a token at the end.
    ///
    /// - Parameter timestamp: the time of the change in the form of RFC 3339.
    /// - Throws: `DexError`, exit 3, `bad-token-list`, if the list is full or has the address.
    package mutating func add(_ token: Token, timestamp: String) throws(DexError) {
        var entries = list["tokens"]?.arrayValue ?? []
        entries.append([
            "chainId": .integer(chainID),
            "address": .string(token.address.checksummed),
            "symbol": .string(token.symbol),
            "name": .string(token.name),
            "decimals": .integer(token.decimals ?? 0),
        ])
        try change(entries, "minor", timestamp)
    }

    /// Removes the chain's token at an address.
    ///
    /// - Parameter timestamp: as of `add`.
    /// - Returns: false if the list has none, and is then unchanged.
    /// - Throws: `DexError`, exit 3.
    package mutating func remove(
        _ address: Address,
        timestamp: String
    ) throws(DexError) -> Bool {
        let entries = list["tokens"]?.arrayValue ?? []
        let rest = entries.filter { entry in
            entry["chainId"]?.numberText != String(chainID)
                || entry["address"]?.stringValue.flatMap(Address.init(ifValid:)) != address
        }
        guard rest.count < entries.count else { return false }
        try change(rest, "major", timestamp)
        return true
    }

    /// The list as UTF-8: one line for each member and each token.
    package var bytes: [UInt8] {
        var text = "{\n"
        for (index, member) in list.members.enumerated() {
            let name = JSONValue.string(member.key).text
            let end = index == list.members.count - 1 ? "\n" : ",\n"
            if member.key == "tokens", let entries = member.value.arrayValue, !entries.isEmpty {
                let rows = entries.map { "    \($0.text)" }.joined(separator: ",\n")
                text += "  \(name): [\n\(rows)\n  ]\(end)"
            } else {
                text += "  \(name): \(member.value.text)\(end)"
            }
        }
        return Array((text + "}\n").utf8)
    }

    private mutating func change(
        _ entries: [JSONValue],
        _ part: String,
        _ timestamp: String
    ) throws(DexError) {
        var changed = list
        changed["tokens"] = .array(entries)
        changed["timestamp"] = .string(timestamp)
        changed["version"] = raised(changed["version"]?.objectValue ?? JSONObject(), part)
        // What is written is what is read later.
        let leftOut = try contents(of: changed).leftOut
        if let fault = leftOut.last, leftOut.count > (try contents(of: list).leftOut.count) {
            throw TokenError.badList(problem: fault)
        }
        list = changed
    }

    /// A version with one part raised and those behind it zero.
    private func raised(_ version: JSONObject, _ part: String) -> JSONValue {
        var version = version
        let number = version[part]?.numberText.flatMap { UInt32($0) } ?? 0
        version[part] = .integer(number == .max ? number : number + 1)
        if part == "major" { version["minor"] = 0 }
        version["patch"] = 0
        return .object(version)
    }
}
