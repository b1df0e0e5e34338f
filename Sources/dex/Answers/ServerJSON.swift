import DexCore
import DexRelay
import DexTerminal
import Ethereum
import RelayHost
import StrictJSON
import ZeroEx

/// The lists of `dex sandbox` and `dex relay`.
enum ServerJSON {
    /// A machine that keeps a copy of a sandbox, as its node lists it.
    static let follower = Fields<JSONValue> {
        Field(json: "machine", "Its address", .text) { $0["address"] ?? .null }
            .shown(0, "COPY AT") { row, _ in .init(row["address"]?.stringValue ?? "") }
        Field(json: "name", "Of the copy", .text) { $0["copy"] ?? .null }
        Field(json: "block", "How far it is", .integer) { $0["block"] ?? .null }
            .shown(1, "BLOCK", .right) { row, _ in .init(row["block"]?.numberText ?? "?") }
        Field(json: "behind", "Blocks", .integer) { $0["behind"] ?? .null }
            .shown(2, "BEHIND", .right) { row, _ in
                let behind = row["behind"]?.numberText ?? "?"
                return .init(behind, behind == "0" ? nil : .yellow)
            }
        Field(json: "silentFor", "Seconds", .integer) { $0["silentFor"] ?? .null }
            .shown(3, "LAST HEARD", .right) { row, _ in
                .init("\(row["silentFor"]?.numberText ?? "?") s ago")
            }
    }

    /// A client with a key; never the key.
    static let client = Fields<RelayKey> {
        Field("name", "Its name") { ExactText($0.name) }
            .shown(0, "CLIENT") { key, _ in .init(key.name) }
        Field("createdAt", "Since when", as: .time, \.addedAt)
            .shown(1, "SINCE", dropOrder: 1) { key, screen in
                .init(TimeText.zoned(UInt256(key.addedAt), screen))
            }
        limit("requestsPerHour", 2, "REQUESTS/H", dropOrder: 2, \.requestsPerHour)
        limit("postsPerSecond", 3, "POSTS/S", dropOrder: 0, \.postsPerSecond)
        limit("postBurst", 4, "BURST", dropOrder: 3, \.postBurst)
        limit(
            "subscriptionsPerSecond",
            5,
            "SUBSCRIPTIONS/S",
            dropOrder: 4,
            \.subscriptionsPerSecond
        )
    }

    private static func limit(
        _ name: String,
        _ place: Int,
        _ title: String,
        dropOrder: Int,
        _ limit: @escaping @Sendable (RelayKey.Limits) -> Int?
    ) -> Field<RelayKey> {
        Field(name, "Null: as an address; 0: no limit") { limit($0.limits) }
            .shown(place, title, .right, dropOrder: dropOrder) { key, _ in
                .init(
                    limit(key.limits).map { $0 == 0 ? "no limit" : String($0) } ?? "as others"
                )
            }
    }

    /// A decision of a relay's operator, and the settings that name its tokens.
    struct Decision: Sendable {
        let entry: ModerationDecision
        let settings: RelaySettings

        fileprivate var order: OrderHash? {
            if case .order(let hash) = entry.subject { hash } else { nil }
        }
        fileprivate var maker: Address? {
            if case .maker(let maker) = entry.subject { maker } else { nil }
        }
        fileprivate var pair: PairDirection? {
            if case .pair(let pair) = entry.subject { pair } else { nil }
        }

        /// What it is about.
        func words(isShort: Bool = false) -> String {
            func symbol(_ address: Address) -> String {
                TerminalText.clean(settings.tokens.token(at: address).symbol)
            }
            return switch entry.subject {
            case .order(let hash):
                "order " + (isShort ? "\(hash.hex.prefix(10))...\(hash.hex.suffix(4))" : hash.hex)
            case .maker(let maker): "maker \(isShort ? maker.shortened : maker.checksummed)"
            case .pair(let pair): "pair \(symbol(pair.makerToken))/\(symbol(pair.takerToken))"
            }
        }
    }

    static let decision = Fields<Decision> {
        Field("decidedAt", "When", as: .time, \.entry.time)
            .shown(0, "TIME", dropOrder: 2) { row, screen in
                .init(TimeText.zoned(UInt256(row.entry.time), screen))
            }
        Field("action", "What was decided") { ExactText($0.entry.action.rawValue) }
            .shown(1, "ACTION") { row, _ in .init(row.entry.action.rawValue) }
            .shown(2, "WHAT") { row, screen in .init(row.words(isShort: !screen.isVerbose)) }
        Field(optional: "orderHash", "Of an order", \.order)
        Field(optional: "maker", "Of a maker", as: .address) {
            $0.maker.map { ExactText($0.lowercaseHex) }
        }
        Field(optional: "pairTokens", "Of a pair", as: .address) {
            $0.pair.map { [$0.makerToken, $0.takerToken].map { ExactText($0.lowercaseHex) } }
        }
        Field(optional: "reason", "Why", \.entry.reason)
            .shown(3, "REASON", dropOrder: 1, minimumWidth: 12) { row, _ in
                .init(row.entry.reason.map { TerminalText.clean($0) } ?? "")
            }
    }
}
