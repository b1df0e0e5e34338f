package import DexCore
package import DexSigning
import Ethereum
import PrivateFiles
import TOMLKit

/// policy.toml: what may be signed, read strictly.
package struct PolicyFile: Sendable {
    package let path: String
    /// nil without a file, and so without rules.
    private let text: String?

    /// Reads the file.
    ///
    /// - Throws: `DexError`, exit 3, also if another user could have written it.
    package init(path: String) throws(DexError) {
        guard !PrivateFiles.isAlterable(path) else {
            throw PolicyFileError.alterable(path)
        }
        let content: [UInt8]?
        do throws(PrivateFiles.Failure) {
            content = try PrivateFiles.read(path, as: .text, limit: 1 << 20)
        } catch {
            guard let what = error.unreadableText else { throw DexError(error) }
            throw PolicyFileError.malformed(path, line: nil, what: what, hint: nil)
        }
        try self.init(content: content, path: path)
    }

    /// Parses the content of a file at this path.
    ///
    /// - Parameter content: nil if there is no file.
    /// - Throws: `DexError`, exit 3.
    init(content: [UInt8]?, path: String) throws(DexError) {
        self.path = path
        guard let content else {
            text = nil
            return
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw PolicyFileError.notText(path)
        }
        self.text = text
    }

    package var isThere: Bool { text != nil }

    /// It says what agents may do without a person.
    package var hasAgentLimits: Bool {
        text.map { TOMLOutline($0).line(of: ["mcp"]) != nil } ?? false
    }

    /// The rules on a network.
    ///
    /// Symbols are those of its chain's bundled map: a token list may name any address anything.
    ///
    /// - Parameter networks: those of the settings; the bundled ones are always among them.
    /// - Throws: `DexError`, exit 3, with the file, the line and the key.
    package func policy(
        _ network: Network,
        among networks: [Network]
    ) throws(DexError) -> Policy {
        guard let text else {
            var policy = Policy(source: path, coin: network.coin)
            policy.agents = .forbidden(reason: PolicyReader.noAgents)
            return policy
        }
        let reader = PolicyReader(
            path: path,
            outline: TOMLOutline(text),
            network: network,
            assets: try LimitAssets(network, among: networks),
            others: try OtherChain.chains(besides: network, among: networks)
        )
        let table = try TOMLText.table(text, reader.outline) { reader.problem(line: $0, $1) }
        return try reader.read(table)
    }
}

/// Reads the rules strictly: an unknown key is an error, since a misspelt rule protects nothing.
private struct PolicyReader {
    let path: String
    let outline: TOMLOutline
    let network: Network
    let assets: LimitAssets
    /// Other chains where the network's orders may be filled.
    let others: [OtherChain]
    /// The table in the file whose rules it reads; empty for the whole file.
    var place: [String] = []

    private static let keys = [
        "networks", "tokens", "spenders", "recipients", "typed_data", "max_fee", "max_slippage",
        "max_per_trade", "max_per_day", "mcp",
    ]
    private static let agentKeys = ["networks", "max_per_trade", "max_per_day"]
    static let noAgents = "it has no [mcp], so nothing goes without a person"

    func read(_ table: TOMLTable) throws(DexError) -> Policy {
        var policy = Policy(source: path, coin: network.coin)
        for key in table.keys.sorted() where !Self.keys.contains(key) {
            throw problem([key], "the rule \(key) is not known", hint: Self.keysHint)
        }
        policy.agents = try agents(table)
        policy.networks = try texts(table, "networks", "names of networks")
        // Symbols may have no token if nothing may be signed anyway.
        if let networks = policy.networks, !networks.contains(network.name) { return policy }
        try checkName(policy.networks)
        policy.spenders = try addresses(table, "spenders")
        policy.recipients = try addresses(table, "recipients")
        policy.typedData = try addresses(table, "typed_data")
        if let value = table["max_fee"] {
            guard let text = number(value, at: ["max_fee"]),
                let wei = try? DecimalText.parse(text, decimals: 18)  // nil: not an amount
            else { throw problem(["max_fee"], "max_fee takes \(SettingKind.ether.expectation)") }
            policy.maximumFee = Wei(wei)
        }
        if let value = table["max_slippage"] {
            guard let text = number(value, at: ["max_slippage"]),
                let percent = try? TradeSettings.basisPoints(text)  // nil: not a percentage
            else {
                throw problem(
                    ["max_slippage"],
                    "max_slippage takes \(SettingKind.percent.expectation)"
                )
            }
            policy.maximumSlippage = percent
        }
        if let list = try texts(table, "tokens", "tokens") {
            policy.tokens = []
            for text in list {
                guard let (asset, token) = try asset(text, at: ["tokens"], beside: nil) else {
                    continue
                }
                policy.tokens?.insert(asset)
                if let token { policy.tokenNames[token.address] = token }
            }
        }
        policy.perTrade = try amounts(table, "max_per_trade", &policy.tokenNames)
        policy.perDay = try amounts(table, "max_per_day", &policy.tokenNames)
        for var chain in others {
            let assets = try LimitAssets(chain)
            chain.perTrade = try amounts(table, "max_per_trade", assets, &chain.tokenNames)
            chain.perDay = try amounts(table, "max_per_day", assets, &chain.tokenNames)
            policy.otherChains.append(chain)
        }
        if case .limits(var limits) = policy.agents {
            limits.spenders = policy.spenders
            policy.agents = .limits(limits)
        }
        return policy
    }

    /// The limits of `[mcp]`: only an asset with both amounts may leave without a person.
    private func agents(_ table: TOMLTable) throws(DexError) -> AgentRule {
        guard let value = table["mcp"] else { return .forbidden(reason: Self.noAgents) }
        guard let inner = value.table else {
            throw problem(["mcp"], "mcp is not a table: [mcp] is expected")
        }
        let within = PolicyReader(
            path: path,
            outline: outline,
            network: network,
            assets: assets,
            others: others,
            place: ["mcp"]
        )
        return try within.readAgents(inner)
    }

    private func readAgents(_ table: TOMLTable) throws(DexError) -> AgentRule {
        for key in table.keys.sorted() where !Self.agentKeys.contains(key) {
            throw problem(
                [key],
                "the rule mcp.\(key) is not known",
                hint: "The rules of [mcp] are \(Self.agentKeys.joined(separator: ", "))."
            )
        }
        let networks = try texts(table, "networks", "names of networks") ?? []
        guard networks.contains(network.name) else {
            return .forbidden(
                reason: networks.isEmpty
                    ? "[mcp] names no networks"
                    : "\(network.name) is not one of \(networks.joined(separator: ", "))"
            )
        }
        try checkName(networks)
        var limits = Policy(source: path, coin: network.coin)
        limits.limitsEverything = true
        limits.perTrade = try amounts(table, "max_per_trade", &limits.tokenNames)
        limits.perDay = try amounts(table, "max_per_day", &limits.tokenNames)
        limits.keepAssetsWithBothAmounts()
        for var chain in others {
            let assets = try LimitAssets(chain)
            chain.perTrade = try amounts(table, "max_per_trade", assets, &chain.tokenNames)
            chain.perDay = try amounts(table, "max_per_day", assets, &chain.tokenNames)
            limits.otherChains.append(chain)
        }
        return .limits(limits)
    }

    private static var keysHint: String { "The rules are \(keys.joined(separator: ", "))." }

    /// The name of a bundled network means its chain, regardless of config.toml.
    private func checkName(_ networks: [String]?) throws(DexError) {
        guard networks != nil,
            let bundled = try NetworkCatalog.bundled().first(where: { $0.name == network.name }),
            bundled.chainID != network.chainID
        else { return }
        throw problem(
            ["networks"],
            "networks allows \(network.name), which is chain \(bundled.chainID), and the settings "
                + "make it chain \(network.chainID)",
            hint: "Give the other chain a name of its own: dex network add --help"
        )
    }

    // MARK: Values

    private func texts(
        _ table: TOMLTable,
        _ key: String,
        _ what: String
    ) throws(DexError) -> [String]? {
        guard let value = table[key] else { return nil }
        let expected = "\(key) takes a list of \(what), each in quotes"
        guard let array = value.array else { throw problem([key], expected) }
        var texts: [String] = []
        for element in array {
            guard let text = element.string, !text.isEmpty else { throw problem([key], expected) }
            texts.append(text)
        }
        return texts
    }

    private func addresses(_ table: TOMLTable, _ key: String) throws(DexError) -> Set<Address>? {
        guard let texts = try texts(table, key, "addresses") else { return nil }
        var addresses: Set<Address> = []
        for text in texts {
            guard let address = Address(ifParty: text) else {
                let reserved = Address(ifValid: text).flatMap { ReservedAddress($0) }
                let fault = reserved?.meaning ?? "no address"
                throw problem([key], "\(key) has \"\(shown(text))\", which is \(fault)")
            }
            addresses.insert(address)
        }
        return addresses
    }

    private func amounts(
        _ table: TOMLTable,
        _ key: String,
        _ names: inout [Address: Token]
    ) throws(DexError) -> [Asset: UInt256] {
        try amounts(table, key, nil, &names)
    }

    /// - Parameter other: the assets of another chain, where a symbol may have no token; nil for
    ///   the network's own.
    private func amounts(
        _ table: TOMLTable,
        _ key: String,
        _ other: LimitAssets?,
        _ names: inout [Address: Token]
    ) throws(DexError) -> [Asset: UInt256] {
        guard let value = table[key] else { return [:] }
        guard let inner = value.table else {
            throw problem([key], "\(key) is not a table: [\(key)] is expected")
        }
        var amounts: [Asset: UInt256] = [:]
        for name in inner.keys.sorted() {
            let place = [key, name]
            let found: (asset: Asset, token: Token?)
            if let other {
                guard let there = try? other.asset(name, beside: nil) else { continue }  // nothing
                found = there
            } else {
                guard let here = try asset(name, at: place, beside: inner.keys) else { continue }
                found = here
            }
            guard amounts[found.asset] == nil else {
                throw problem(place, "\(key) names \(shown(name)) twice")
            }
            let decimals = LimitAssets.decimals(found.asset, found.token)
            guard let text = inner[name].flatMap({ number($0, at: place) }),
                let amount = try? DecimalText.parse(text, decimals: decimals)  // nil: not an amount
            else {
                throw problem(
                    place,
                    "\(key).\(shown(name)) takes an amount with at most \(decimals) digits behind "
                        + "the point, such as \"\(decimals == 0 ? "1000" : "1.5")\""
                )
            }
            amounts[found.asset] = amount
            if let token = found.token { names[token.address] = token }
        }
        return amounts
    }

    /// A number, with or without quotes, digit for digit.
    private func number(_ value: any TOMLValueConvertible, at place: [String]) -> String? {
        value.string ?? value.int.map { String($0) }
            ?? outline.decimal(of: self.place + place, parsed: value.double)
    }

    private func asset(
        _ text: String,
        at place: [String],
        beside names: [String]?
    ) throws(DexError) -> (asset: Asset, token: Token?)? {
        do {
            return try assets.asset(text, beside: names)
        } catch {
            if error.concerns(.otherCoin), let other = CoinSymbol(text) {
                throw problem(
                    place,
                    "\(place[0]) limits \(other) and not \(assets.coin), which is the coin of the network "
                        + network.name,
                    hint: "Give \(assets.coin) a limit in [\(place[0])] too."
                )
            }
            let isReserved = Address(ifValid: text).map { TokenMap.isReserved($0) } ?? false
            throw problem(
                place,
                "\"\(shown(text))\" names no token on the network \(network.name)",
                hint: error.message + " "
                    + (isReserved ? error.hint ?? "" : "Write its address instead.")
            )
        }
    }

    private func shown(_ text: String) -> String {
        PlainText.clean(text, limit: 80)
    }

    func problem(_ key: [String], _ what: String, hint: String? = nil) -> DexError {
        problem(line: outline.line(of: place + key), what, hint: hint)
    }

    func problem(line: Int?, _ what: String, hint: String? = nil) -> DexError {
        PolicyFileError.malformed(path, line: line, what: what, hint: hint)
    }
}
