import DexCore
import DexSigning
import Ethereum
import TOMLKit
import ZeroEx

/// A value of config.toml.
package enum SettingValue: Hashable, Sendable {
    case text(String)
    case integer(UInt64)
    case list([String])
    case flag(Bool)

    /// The value as TOML.
    package var literal: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .integer(let value): String(value)
        case .flag(let isOn): String(isOn)
        case .list(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
        }
    }

    /// The value in the form that users type after `dex config set`.
    package var text: String {
        switch self {
        case .text(let text): text
        case .integer(let value): String(value)
        case .flag(let isOn): String(isOn)
        case .list(let texts): texts.joined(separator: ",")
        }
    }

    /// The value with URLs cut to scheme, host and port: the rest can be a key.
    package var shown: SettingValue {
        func shown(_ text: String) -> String {
            // Only a URL contains this.
            text.contains("://") ? PlainText.origin(of: text) : text
        }
        return switch self {
        case .text(let text): .text(shown(text))
        case .integer, .flag: self
        case .list(let texts): .list(texts.map(shown))
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// The kind of value that a key of config.toml takes.
package enum SettingKind: Hashable, Sendable {
    case name
    case text
    case integer
    /// How many nodes must agree.
    case quorum
    /// true or false.
    case flag
    case url
    case urls
    /// A URL, or a list of them.
    case relays
    /// The feed of a relay, or a list of them in the order of the relays.
    case feeds
    /// A base URL that gets a key, so over TLS or on this machine only.
    case keyedURL
    case paths
    /// A program and its arguments.
    case words
    case messageMethod
    /// The receivers of `dex watch`.
    case sinks
    /// The name or address of an account.
    case account
    /// Names or addresses of accounts.
    case accounts
    /// The kinds of events that `dex watch` reports.
    case events
    /// What a sink learns of an event.
    case payload
    /// A text with fields in braces.
    case template
    case address
    case protocolVersion
    case orderSigning
    /// The symbol of a coin.
    case coin
    /// A percentage from 0 to 100 with at most two decimals.
    case percent
    case ether
    /// Seconds with at most three decimals.
    case seconds
    /// An amount of the fee token, or a percentage of an order.
    case takerFee
    case priority
    case venue
    /// BASE/QUOTE.
    case pair
    /// The words of a command line of `dex`.
    case command

    /// The expected value, in words for a message.
    package var expectation: String {
        switch self {
        case .name: "a name of letters, digits, - and _"
        case .text: "a text"
        case .integer: "a whole number"
        case .quorum: "a whole number from 1 to \(Network.maximumQuorum)"
        case .flag: "true or false"
        case .url: "an http:// or https:// URL"
        case .urls: "a list of http:// or https:// URLs"
        case .relays: "an http:// or https:// URL, or a list of different ones"
        case .feeds:
            "a ws:// or wss:// URL, \"usual\" or \"none\", or a list with one for each relay"
        case .keyedURL:
            "an https:// URL without ? and #, or an http:// one of this machine (127.0.0.1)"
        case .paths: "a list of folders"
        case .words:
            "a program and its arguments as a list, the program by its path from / or its name"
        case .messageMethod: "\"eth_sign\" or \"personal_sign\""
        case .sinks:
            "a list of \(WatchSinkName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))"
        case .accounts: "a list of different names or addresses of accounts"
        case .events:
            "a list of \(WatchSettings.kindNames.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .payload: Self.choice(WatchPayload.allCases.map(\.rawValue))
        case .template:
            "a text with fields of "
                + WatchTemplate.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
                + ", and {{ for a brace"
        case .account: "the name or the address of an account"
        case .address: "an address: 0x and 40 hexadecimal digits with a right checksum"
        case .protocolVersion: Self.choice(ProtocolVersion.allCases.map(\.rawValue))
        case .coin: "a coin's symbol of 1 to 11 letters and digits"
        case .orderSigning: Self.choice(OrderSigning.allCases.map(\.rawValue))
        case .percent: "a percentage from 0 to 100 with at most two decimals, such as \"0.5\""
        case .ether: "an amount of the coin, such as \"0.05\""
        case .seconds: "seconds above 0 with at most three decimals, such as \"0.25\""
        case .takerFee: "an amount of the fee token, such as \"10\", or a percentage such as \"1%\""
        case .priority: "\"low\", \"market\" or \"high\""
        case .venue: Self.choice(VenueChoice.allCases.map(\.rawValue))
        case .pair: "a pair such as \"ZRX/WETH\", of symbols or addresses"
        case .command: "a command of dex with its arguments, such as \"market-buy ZRX/WETH\""
        }
    }

    /// The refused value in a message, without a URL, which can have a key.
    func refusal(of value: SettingValue) -> String {
        switch self {
        case .url, .urls, .relays, .feeds, .keyedURL: return ", and this is none"
        default:
            return meaning(of: value) ?? ", not \(PlainText.quoted(value.text, limit: 200))"
        }
    }

    /// What an address in the value stands for that nobody can have; nil without one.
    func meaning(of value: SettingValue) -> String? {
        let subject = self == .accounts || self == .pair ? "one of these" : "this"
        return reserved(in: value).map { ", and \(subject) is \($0.meaning)" }
    }

    /// The first address in the value that nobody can have, where an account or a token is named.
    private func reserved(in value: SettingValue) -> ReservedAddress? {
        func kinds(_ texts: [String]) -> [ReservedAddress] {
            texts.compactMap { text in Address(ifValid: text).flatMap { ReservedAddress($0) } }
        }
        return switch (self, value) {
        case (.address, .text(let text)), (.account, .text(let text)): kinds([text]).first
        case (.accounts, .list(let texts)): kinds(texts).first
        // A pair of market orders may have the coin.
        case (.pair, .text(let text)):
            kinds(text.split(separator: "/").map(String.init)).first { $0 == .zero }
        default: nil
        }
    }

    private static func choice(_ words: [String]) -> String {
        let quoted = words.map { "\"\($0)\"" }
        return [quoted.dropLast().joined(separator: ", "), quoted.last ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " or ")
    }

    /// The value is one that this kind of key takes.
    func accepts(_ value: SettingValue) -> Bool {
        switch (self, value) {
        case (.name, .text(let text)): Self.isName(text)
        case (.text, .text(let text)): !text.isEmpty
        case (.integer, .integer): true
        case (.quorum, .integer(let count)): (1...Network.maximumQuorum).contains(count)
        case (.flag, .flag): true
        case (.url, .text(let text)): WebAddress.isValid(text)
        case (.urls, .list(let texts)): texts.allSatisfy(WebAddress.isValid)
        case (.relays, .text(let text)): WebAddress.isValid(text)
        case (.relays, .list(let texts)):
            !texts.isEmpty && texts.count <= RelayEndpoint.maximum
                && Set(texts).count == texts.count && texts.allSatisfy(WebAddress.isValid)
        case (.feeds, .text(let text)): Self.isFeed(text)
        case (.feeds, .list(let texts)): !texts.isEmpty && texts.allSatisfy(Self.isFeed)
        case (.keyedURL, .text(let text)): WebAddress.isSafeForKeys(text)
        case (.paths, .list(let texts)): texts.allSatisfy { !$0.isEmpty }
        case (.words, .list(let texts)): Self.isCommand(texts)
        case (.messageMethod, .text(let text)): MessageMethod(rawValue: text) != nil
        case (.sinks, .list(let texts)):
            !texts.isEmpty && texts.allSatisfy { WatchSinkName(rawValue: $0) != nil }
        case (.accounts, .list(let texts)):
            !texts.isEmpty && Set(texts).count == texts.count && texts.allSatisfy { !$0.isEmpty }
                && reserved(in: value) == nil
        case (.events, .list(let texts)):
            !texts.isEmpty && texts.allSatisfy(WatchSettings.kindNames.contains)
        case (.payload, .text(let text)): WatchPayload(rawValue: text) != nil
        case (.template, .text(let text)): (try? WatchTemplate(text)) != nil  // nil: no template
        case (.address, .text(let text)): Address(ifParty: text) != nil
        case (.account, .text(let text)): !text.isEmpty && reserved(in: value) == nil
        case (.protocolVersion, .text(let text)): ProtocolVersion(rawValue: text) != nil
        case (.coin, .text(let text)): CoinSymbol(text) != nil
        case (.orderSigning, .text(let text)): OrderSigning(rawValue: text) != nil
        case (.percent, .text(let text)): (try? TradeSettings.basisPoints(text)) != nil  // none
        case (.priority, .text(let text)): FeePriority(rawValue: text) != nil
        case (.venue, .text(let text)): VenueChoice(rawValue: text) != nil
        case (.pair, .text(let text)): Self.isPair(text) && reserved(in: value) == nil
        case (.command, .text(let text)): CommandWords.split(text)?.isEmpty == false
        case (.takerFee, .text(let text)): (try? TakerFeeCap(text)) != nil  // none
        case (.seconds, .text), (.seconds, .integer): Self.milliseconds(value.text) != nil
        case (.ether, .text(let text)): (try? DecimalText.parse(text, decimals: 18)) != nil  // none
        default: false
        }
    }

    /// The value of a command line text; `accepts` still decides.
    package func value(of text: String) -> SettingValue {
        switch self {
        case .integer, .quorum, .seconds: UInt64(text).map { .integer($0) } ?? .text(text)
        case .flag: Bool(text).map { .flag($0) } ?? .text(text)
        case .urls:
            .list(
                Self.listed(text)
                    ?? text.split(separator: ",").map { String($0.filter { $0 != " " }) }
            )
        case .relays, .feeds:
            Self.several(text).map { $0.count == 1 ? .text($0[0]) : .list($0) } ?? .text(text)
        case .words: .list(Self.listed(text) ?? Self.words(text))
        case .paths, .sinks, .accounts, .events:
            .list(Self.listed(text) ?? text.split(separator: ",").map(String.init))
        default: .text(text)
        }
    }

    /// A program with its arguments: as in a shell, or comma-separated where there is no space.
    private static func words(_ text: String) -> [String] {
        guard text.contains(where: \.isWhitespace), let words = CommandWords.split(text) else {
            return text.split(separator: ",").map(String.init)
        }
        return words
    }

    /// The texts of a list, which may be comma-separated; nil for none.
    private static func several(_ text: String) -> [String]? {
        let texts = listed(text) ?? text.split(separator: ",").map { $0.filter { $0 != " " } }
        return texts.isEmpty ? nil : texts
    }

    private static func isFeed(_ text: String) -> Bool {
        if ["usual", "none"].contains(text) { return true }
        let lower = text.lowercased()
        return ["ws", "wss"].contains { scheme in
            guard lower.hasPrefix("\(scheme)://") else { return false }
            return WebAddress.isValid("http" + text.dropFirst(2))
        }
    }

    /// The texts of a list in config.toml's form, `["a", "b"]`; nil for anything else.
    private static func listed(_ text: String) -> [String]? {
        guard text.hasPrefix("[") else { return nil }
        let line = "list = \(text)"
        let table = try? TOMLText.table(line, TOMLOutline(line)) { _, what in  // nil: not a list
            SettingsError.malformedFile(path: "", line: nil, what: what, hint: nil)
        }
        guard let array = table?["list"]?.array else { return nil }
        var texts: [String] = []
        for element in array {
            guard let text = element.string else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// Seconds with at most three decimals, up to a day, in milliseconds; nil for anything else.
    static func milliseconds(_ text: String) -> UInt64? {
        let parsed = try? DecimalText.parse(text, decimals: 3)  // nil: not such a number
        return parsed?.uint64.flatMap { (1...86_400_000).contains($0) ? $0 : nil }
    }

    /// A relative path would be another program in another folder.
    private static func isCommand(_ words: [String]) -> Bool {
        guard let program = words.first, !program.isEmpty else { return false }
        return (program.hasPrefix("/") || !program.contains("/"))
            && words.allSatisfy { !$0.utf8.contains(0) }
    }

    private static func isPair(_ text: String) -> Bool {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        return sides.count == 2 && text.utf8.count <= 200
            && sides.allSatisfy { side in
                !side.isEmpty && side.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            }
    }

    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.count <= 64
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }
}

/// URLs of relays and nodes.
package enum WebAddress {
    /// `http://` or `https://`, a host, and only characters of URLs.
    package static func isValid(_ text: String) -> Bool {
        let scheme = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }
        guard let scheme, text.utf8.count <= 2_000 else { return false }
        guard
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) })
        else { return false }
        let rest = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let host = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return !host.isEmpty && !host.hasPrefix(":")
    }

    /// A valid base URL that keeps a key secret on its way: https, or this machine's.
    ///
    /// It has no user, since that would be a second secret, and neither query nor fragment, since
    /// paths follow it.
    package static func isSafeForKeys(_ text: String) -> Bool {
        guard isValid(text), !text.utf8.contains(where: { "?#@".utf8.contains($0) }) else {
            return false
        }
        let lower = text.lowercased()
        guard lower.hasPrefix("http://") else { return true }
        let place = lower.dropFirst("http://".count).prefix { $0 != "/" }
        let host =
            place.hasPrefix("[")
            ? place.prefix { $0 != "]" }.dropFirst() : place.prefix { $0 != ":" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || (isNumber && parts[0] == "127")
    }
}
