import DexCore
import DexRelay
import DexSettings
import Ethereum
import ZeroEx

/// The kind of value that a key of relay.toml takes.
package enum RelaySettingKind: Hashable, Sendable {
    case listen
    case webAddress
    case webAddresses
    case network
    /// A short text for people.
    case title
    case count(ClosedRange<UInt64>)
    case protocols
    case pairs
    case flag
    case store
    case path
    case addressRanges
    case choice([String])
    /// A contract's address.
    case address
    /// An account's address, or the zero address for none.
    case recipient
    /// A percentage with at most four decimals, up to a number of percent.
    case percent(maximum: UInt64)
    /// An amount of a token, in human units.
    case amount
    case command

    /// The expected value, in words for a message.
    package var expectation: String {
        switch self {
        case .listen: "an IP address and a port, such as \"127.0.0.1:8080\" or \"[::]:8080\""
        case .webAddress: "an http:// or https:// URL"
        case .webAddresses: "a list of http:// or https:// URLs"
        case .network: "the name of a network (dex network list)"
        case .title: "a text of 1 to 60 printable characters"
        case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .protocols: "a list of \"v1\", \"v4\" or both, each once"
        case .pairs: "\"any\", or a list of pairs, such as [\"ZRX/WETH\"]"
        case .flag: "true or false"
        case .store: "\"sqlite:PATH\", or \"postgres://USER@HOST:PORT/DATABASE\" without a password"
        case .path: "the path of a file"
        case .addressRanges: "a list of IP addresses or ranges, such as [\"10.0.0.0/8\"]"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .address: "an address: 0x and 40 hexadecimal digits with a right checksum"
        case .recipient: Self.address.expectation + ", or the zero address for none"
        case .percent(let maximum):
            "a percentage from 0 to \(maximum) with at most four decimals, such as \"0.1\""
        case .amount: "an amount of the token, such as \"0.05\""
        case .command:
            "a program and its arguments as a list, the program by its path from /"
        }
    }

    /// The value is one that this kind of key takes.
    package func accepts(_ value: RelaySettingValue) -> Bool {
        switch (self, value) {
        case (.listen, .text(let text)): ListenAddress(text) != nil
        case (.webAddress, .text(let text)): WebAddress.isValid(text)
        case (.webAddresses, .list(let texts)):
            !texts.isEmpty && texts.allSatisfy(WebAddress.isValid)
        case (.network, .text(let text)): SettingKind.isName(text)
        case (.title, .text(let text)):
            !text.isEmpty && text.count <= 60 && PlainText.clean(text, limit: 60) == text
        case (.count(let range), .integer(let number)): range.contains(number)
        case (.protocols, .list(let texts)):
            !texts.isEmpty && Set(texts).count == texts.count
                && texts.allSatisfy { ProtocolVersion(rawValue: $0) != nil }
        case (.pairs, .text(let text)): text == "any"
        case (.pairs, .list(let texts)): texts.allSatisfy(Self.isPair)
        case (.flag, .flag): true
        case (.store, .text(let text)): StorePlace(text) != nil
        case (.path, .text(let text)): !text.isEmpty && !text.utf8.contains(0)
        case (.addressRanges, .list(let texts)):
            texts.allSatisfy { AddressRange($0) != nil }
        case (.choice(let words), .text(let text)): words.contains(text)
        case (.address, .text(let text)): Address(ifParty: text) != nil
        case (.recipient, .text(let text)):
            Address(ifParty: text) != nil || Address(ifValid: text) == .zero
        case (.percent(let maximum), .text(let text)):
            Self.millionths(text, maximum: maximum) != nil
        case (.amount, .text(let text)): Self.isAmount(text)
        case (.command, .list(let words)):
            words.first?.hasPrefix("/") == true && words.allSatisfy { !$0.utf8.contains(0) }
        default: false
        }
    }

    /// The address that nobody can have, if the refused value is one.
    package func refusal(of value: RelaySettingValue?) -> String {
        switch (self, value) {
        case (.address, .text(let text)), (.recipient, .text(let text)):
            Address(ifValid: text).flatMap { ReservedAddress($0) }
                .map { ", and this is \($0.meaning)" } ?? ""
        default: ""
        }
    }

    /// A percentage such as `0.1` or `0.1%` in millionths; nil for anything else.
    package static func millionths(_ text: String, maximum: UInt64) -> UInt64? {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let value = try? DecimalText.parse(digits, decimals: 4),  // nil: not a number
            let number = value.uint64, number <= maximum * 10_000
        else { return nil }
        return number
    }

    /// Digits with or without a point; the token's decimals are checked where they are known.
    private static func isAmount(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && text.utf8.count <= 100
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    private static func isPair(_ text: String) -> Bool {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy { !$0.isEmpty } && sides[0] != sides[1]
    }
}

/// Where a relay listens: an IP address and a port.
package struct ListenAddress: Hashable, Sendable {
    package let host: String
    /// 0 takes a free one.
    package let port: Int

    /// Reads `127.0.0.1:8080` or `[::1]:8080`; nil for anything else.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = String(host.dropFirst().dropLast()) }
        guard !host.contains("/"), let range = AddressRange(host),
            isBracketed == host.contains(":")
        else { return nil }
        _ = range
        self.host = host
        self.port = Int(port)
    }

    /// Only programs of this machine can connect.
    package var isLoopback: Bool {
        host == "::1" || AddressRange("127.0.0.0/8")?.contains(host) == true
    }

    /// Every address of this machine.
    package var isAny: Bool { host == "0.0.0.0" || host == "::" }

    /// The URL for programs of this machine.
    package func localURL(port: Int) -> String {
        let name = isAny ? (host == "::" ? "::1" : "127.0.0.1") : host
        return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
    }
}

/// Where a relay keeps its orders.
package enum StorePlace: Hashable, Sendable {
    case sqlite(path: String)
    /// The URL has no password.
    case postgres(url: String)

    /// Several instances can have it.
    var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgres: true
        }
    }

    /// Reads `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
            self = .sqlite(path: path)
            return
        }
        let schemes = ["postgres://", "postgresql://"]
        guard let scheme = schemes.first(where: text.hasPrefix),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        // A colon in the user's part begins a password, and this file is no place for one.
        guard parts.count <= 2, parts.count == 1 || !parts[0].contains(":"),
            !text.contains("password=")
        else { return nil }
        self = .postgres(url: text)
    }

    /// The place in a message.
    package var words: String {
        switch self {
        case .sqlite(let path): path
        // It has no password; what follows ? names files.
        case .postgres(let url): PlainText.clean(String(url.prefix { $0 != "?" }), limit: 200)
        }
    }
}
