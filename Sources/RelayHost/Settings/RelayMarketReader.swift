import DexCore
import DexRelay
import Ethereum
import ZeroEx

/// Reads pairs, bounds, fees and limits of one protocol version from a relay's settings.
struct RelayMarketReader {
    let settings: RelaySettings
    let version: ProtocolVersion

    private var file: RelaySettingsFile { settings.file }
    private var tokens: RelayTokens { settings.tokens }

    /// A pair of the settings.
    struct NamedPair {
        let base: Token
        let quote: Token
        /// The name of its `[pair.NAME]`; nil if it has none.
        let section: String?

        var direction: PairDirection {
            PairDirection(makerToken: base.address, takerToken: quote.address)
        }
    }

    var carriesAny: Bool { file.text("pairs") == "any" }

    /// The listed pairs, each once.
    ///
    /// - Throws: `DexError`, exit 3.
    func pairs() throws(DexError) -> [NamedPair] {
        var pairs: [NamedPair] = []
        let sections = try sections()
        for text in file.list("pairs") ?? [] {
            let (base, quote) = try pair(text, at: ["pairs"])
            let direction = PairDirection(makerToken: base.address, takerToken: quote.address)
            guard !pairs.contains(where: { $0.direction.unordered == direction.unordered }) else {
                throw file.problem(["pairs"], "pairs has \(shown(text)) twice")
            }
            let section = sections.first { $0.value.unordered == direction.unordered }
            guard section == nil || section?.value == direction else {
                throw file.problem(
                    ["pair", section?.key ?? ""],
                    "pairs has \(shown(text)), and its table names the tokens the other way round"
                )
            }
            pairs.append(NamedPair(base: base, quote: quote, section: section?.key))
        }
        guard carriesAny || !pairs.isEmpty else {
            throw file.problem(
                ["pairs"],
                "pairs is empty, so no order would be taken",
                hint: "Name pairs, such as pairs = [\"ZRX/WETH\"], or carry all: pairs = \"any\"."
            )
        }
        for (name, direction) in sections {
            let isListed = pairs.contains { $0.direction == direction }
            guard isListed || carriesAny else {
                throw file.problem(
                    ["pair", name],
                    "there is a table for \(shown(name)), which is not in pairs"
                )
            }
            guard carriesAny, !isListed else { continue }
            let (base, quote) = try pair(name, at: ["pair", name])
            pairs.append(NamedPair(base: base, quote: quote, section: name))
        }
        return pairs
    }

    /// The whole configuration.
    ///
    /// - Throws: `DexError`, exit 3.
    func configuration(_ contracts: ExchangeContracts) throws(DexError) -> RelayConfiguration {
        let named = try pairs()
        var carried: [RelayTokenPair] = []
        for pair in named {
            carried.append(
                RelayTokenPair(
                    tokenA: try side(pair.base, pair.section, "base"),
                    tokenB: try side(pair.quote, pair.section, "quote")
                )
            )
        }
        var configuration = RelayConfiguration(
            contracts: contracts,
            pairs: carried,
            fees: try fees(named, contracts)
        )
        configuration.carriesAnyPair = carriesAny
        configuration.acceptsOrders = file.flag("accept_orders") ?? true
        if let hourly = count("requests_per_hour"), hourly > 0 {
            configuration.requestsPerHour = hourly
        }
        configuration.maximumOrders = count("orders") ?? configuration.maximumOrders
        configuration.maximumOrdersOfMaker =
            count("orders_of_maker") ?? configuration.maximumOrdersOfMaker
        configuration.auditChunk = count("audit_chunk") ?? configuration.auditChunk
        configuration.limits = try limits()
        return configuration
    }

    // MARK: Parts

    /// The tables of pairs, by their names.
    private func sections() throws(DexError) -> [String: PairDirection] {
        var sections: [String: PairDirection] = [:]
        for name in file.names(in: "pair") {
            let (base, quote) = try pair(name, at: ["pair", name])
            let direction = PairDirection(makerToken: base.address, takerToken: quote.address)
            guard !sections.values.contains(where: { $0.unordered == direction.unordered }) else {
                throw file.problem(["pair", name], "two tables describe the pair \(shown(name))")
            }
            sections[name] = direction
        }
        return sections
    }

    private func pair(
        _ text: String,
        at place: [String]
    ) throws(DexError) -> (base: Token, quote: Token) {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
            throw file.problem(place, "\(shown(text)) is no pair: BASE/QUOTE is expected")
        }
        let base = try token(sides[0], at: place)
        let quote = try token(sides[1], at: place)
        guard base.address != quote.address else {
            throw file.problem(place, "\(shown(text)) has the same token on both sides")
        }
        return (base, quote)
    }

    private func token(_ text: String, at place: [String]) throws(DexError) -> Token {
        do {
            return try tokens.token(text)
        } catch {
            throw file.problem(
                place,
                "\"\(shown(text))\" names no token on chain \(settings.chainID)",
                hint: error.message + " Write its address, or describe it: [tokens.\(shown(text))]"
            )
        }
    }

    private func side(
        _ token: Token,
        _ section: String?,
        _ prefix: String
    ) throws(DexError) -> RelayTokenPair.Side {
        func bound(_ suffix: String) throws(DexError) -> UInt256? {
            guard let section, let text = file.text("pair", section, "\(prefix)_\(suffix)") else {
                return nil
            }
            return try amount(text, of: token, at: ["pair", section, "\(prefix)_\(suffix)"])
        }
        let minimum = try bound("min")
        let maximum = try bound("max")
        if let minimum, let maximum, minimum > maximum {
            throw file.problem(
                ["pair", section ?? "", "\(prefix)_min"],
                "\(prefix)_min is above \(prefix)_max, so no order would be taken"
            )
        }
        return RelayTokenPair.Side(
            token: token.address,
            minimum: minimum,
            maximum: maximum,
            precision: nil
        )
    }

    /// Fees: v1's are amounts of its fee token, v4's a share of what the taker pays.
    private func fees(
        _ pairs: [NamedPair],
        _ contracts: ExchangeContracts
    ) throws(DexError) -> FeeSchedule {
        let recipient = file.text("fees", "recipient").flatMap { Address(ifValid: $0) }
        let standard = try rule(["fees"], contracts)
        var rules: [PairDirection: FeeSchedule.Rule] = [:]
        for pair in pairs {
            guard let section = pair.section, hasFees(["pair", section]) else { continue }
            rules[pair.direction] = try rule(["pair", section], contracts)
        }
        guard let recipient, recipient != .zero else {
            if standard != .free || rules.values.contains(where: { $0 != .free }) {
                throw file.problem(
                    ["fees"],
                    "there are fees and no recipient",
                    hint: "Name who gets them: [fees] with recipient = \"0x...\"."
                )
            }
            return .free
        }
        return FeeSchedule(recipient: recipient, standard: standard, rules: rules)
    }

    private static let feeKeys = ["maker_fee", "taker_fee", "taker_share"]

    private func hasFees(_ place: [String]) -> Bool {
        Self.feeKeys.contains { file.values[place + [$0]] != nil }
    }

    private func rule(
        _ place: [String],
        _ contracts: ExchangeContracts
    ) throws(DexError) -> FeeSchedule.Rule {
        func text(_ key: String) -> String? {
            if case .text(let text) = file.values[place + [key]] { text } else { nil }
        }
        guard let feeToken = contracts.feeToken.map(tokens.token(at:)) else {
            let share = text("taker_share").flatMap {
                RelaySettingKind.millionths($0, maximum: 100)
            }
            return FeeSchedule.Rule(makerFee: 0, takerFee: 0, takerShare: share ?? 0)
        }
        func fee(_ key: String) throws(DexError) -> UInt256 {
            guard let text = text(key) else { return 0 }
            return try amount(text, of: feeToken, at: place + [key])
        }
        return FeeSchedule.Rule(makerFee: try fee("maker_fee"), takerFee: try fee("taker_fee"))
    }

    private func limits() throws(DexError) -> RelayLimits {
        var limits = RelayLimits()
        limits.longestLife = file.integer("limits", "longest_life")
        if let text = file.text("limits", "distance_from_best"),
            let millionths = RelaySettingKind.millionths(text, maximum: 10_000)
        {
            limits.maximumBasisPointsFromBest = UInt32(clamping: millionths / 100)
        }
        if let times = file.integer("limits", "times_owned") {
            limits.maximumTimesOwned = times == 0 ? nil : times
        }
        for name in file.names(in: "least") {
            guard let text = file.text("least", name) else { continue }
            let token = try token(name, at: ["least", name])
            guard limits.minimumAmounts[token.address] == nil else {
                throw file.problem(["least", name], "least names \(shown(name)) twice")
            }
            limits.minimumAmounts[token.address] = try amount(text, of: token, at: ["least", name])
        }
        limits.fundsPatience = count("funds_patience") ?? limits.fundsPatience
        limits.postsPerSecond = count("posts_per_second")
        limits.postBurst = count("post_burst") ?? limits.postBurst
        limits.trustedProxies = (file.list("trusted_proxies") ?? []).compactMap { AddressRange($0) }
        limits.maximumConnections = count("connections") ?? limits.maximumConnections
        limits.maximumConnectionsOfAddress =
            count("connections_of_address") ?? limits.maximumConnectionsOfAddress
        limits.maximumSubscriptionsOfConnection =
            count("subscriptions") ?? limits.maximumSubscriptionsOfConnection
        limits.maximumMessageBytes = count("message_bytes") ?? limits.maximumMessageBytes
        limits.maximumUnsentBytes = count("unsent_bytes") ?? limits.maximumUnsentBytes
        return limits
    }

    private func count(_ key: String) -> Int? {
        file.integer("limits", key).map { Int(clamping: $0) }
    }

    private func amount(
        _ text: String,
        of token: Token,
        at place: [String]
    ) throws(DexError) -> UInt256 {
        if let amount = RelayTokens.amount(text, of: token) { return amount }
        let name = place.joined(separator: ".")
        guard let decimals = token.decimals else {
            throw file.problem(
                place,
                "\(shown(name)) is an amount of \(token.address.checksummed), whose decimals are "
                    + "not known",
                hint: "Describe it: dex relay token add \(token.address.checksummed)"
            )
        }
        throw file.problem(
            place,
            "\(shown(name)) takes an amount of \(shown(token.symbol)) with at most \(decimals) "
                + "digits behind the point"
        )
    }

    private func shown(_ text: String) -> String { PlainText.clean(text, limit: 90) }
}
