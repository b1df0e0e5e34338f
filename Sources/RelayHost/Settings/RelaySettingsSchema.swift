/// The keys of relay.toml; any other key is an error.
package enum RelaySettingsSchema {
    /// A key, or a family of keys.
    package struct Key: Hashable, Sendable {
        /// `*` stands for any name.
        package let path: [String]
        package let kind: RelaySettingKind
        /// SIGHUP takes a new value; that of another key waits for a restart.
        package let isReloadable: Bool

        /// `limits.orders`, `pair.NAME.base_min`.
        package var name: String {
            path.map { $0 == "*" ? "NAME" : $0 }.joined(separator: ".")
        }

        fileprivate func matches(_ other: [String]) -> Bool {
            path.count == other.count
                && zip(path, other).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    private static let many: UInt64 = 1_000_000_000

    package static let keys: [Key] = [
        fixed("listen", .listen),
        fixed("public", .webAddress),
        fixed("name", .title),
        fixed("network", .network),
        fixed("chain_id", .count(1...UInt64(Int64.max))),
        fixed("rpc", .webAddresses),
        fixed("block_time", .count(0...3_600)),
        fixed("protocols", .protocols),
        live("pairs", .pairs),
        live("accept_orders", .flag),
        fixed("store", .store),
        fixed("password_file", .path),
        live("trusted_proxies", .addressRanges),
        fixed("metrics_readers", .addressRanges),
        fixed("log", .choice(["text", "json"])),
        live("log_level", .choice(["error", "warning", "notice", "info", "debug"])),
        live("drain_seconds", .count(0...300)),
        live("stop_seconds", .count(1...600)),
        fixed("exchanges.v1", .address),
        fixed("exchanges.v4", .address),
        live("tokens.*.address", .address),
        live("tokens.*.decimals", .count(0...77)),
        live("pair.*.base_min", .amount),
        live("pair.*.base_max", .amount),
        live("pair.*.quote_min", .amount),
        live("pair.*.quote_max", .amount),
        live("pair.*.maker_fee", .amount),
        live("pair.*.taker_fee", .amount),
        live("pair.*.taker_share", .percent(maximum: 100)),
        live("least.*", .amount),
        live("fees.recipient", .recipient),
        live("fees.maker_fee", .amount),
        live("fees.taker_fee", .amount),
        live("fees.taker_share", .percent(maximum: 100)),
        live("limits.orders", .count(1...10_000_000)),
        live("limits.orders_of_maker", .count(1...10_000_000)),
        live("limits.longest_life", .count(60...many)),
        live("limits.distance_from_best", .percent(maximum: 10_000)),
        live("limits.times_owned", .count(0...1_000)),
        live("limits.funds_patience", .count(0...60_000)),
        live("limits.posts_per_second", .count(1...1_000_000)),
        live("limits.post_burst", .count(1...1_000_000)),
        live("limits.requests_per_hour", .count(0...many)),
        fixed("limits.audit_chunk", .count(1...5_000)),
        fixed("limits.connections", .count(1...1_000_000)),
        live("limits.connections_of_address", .count(1...1_000_000)),
        live("limits.subscriptions", .count(1...10_000)),
        live("limits.message_bytes", .count(256...1_048_576)),
        live("limits.unsent_bytes", .count(65_536...1_073_741_824)),
        fixed("policy.command", .command),
        fixed("policy.timeout", .count(10...60_000)),
    ]

    /// The tables; a `*` stands for any name.
    private static let tables: [[String]] = [
        ["exchanges"], ["tokens"], ["tokens", "*"], ["pair"], ["pair", "*"], ["least"], ["fees"],
        ["limits"], ["policy"],
    ]

    /// The key at a path; nil if there is none.
    package static func key(_ path: [String]) -> Key? {
        keys.first { $0.matches(path) }
    }

    static func isTable(_ path: [String]) -> Bool {
        tables.contains { table in
            table.count == path.count && zip(table, path).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    private static func fixed(_ name: String, _ kind: RelaySettingKind) -> Key {
        Key(path: name.split(separator: ".").map(String.init), kind: kind, isReloadable: false)
    }

    private static func live(_ name: String, _ kind: RelaySettingKind) -> Key {
        Key(path: name.split(separator: ".").map(String.init), kind: kind, isReloadable: true)
    }
}
