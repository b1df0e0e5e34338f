package import DexCore

/// The keys of config.toml; any other key is an error.
package enum SettingsSchema {
    /// Keys at the top.
    static let top: [(key: String, kind: SettingKind)] = [
        ("network", .name),
        ("wallet", .account),
        ("keystores", .paths),
    ]

    /// Keys of `[networks.NAME]`.
    static let network: [(key: String, kind: SettingKind)] = [
        ("chain_id", .integer),
        ("rpc", .urls),
        ("quorum", .quorum),
        ("proofs", .flag),
        ("private_rpc", .url),
        ("relay", .relays),
        ("feed", .feeds),
        ("protocol", .protocolVersion),
        ("signature", .orderSigning),
        ("exchange", .address),
        ("weth", .address),
        ("coin", .coin),
        ("tokens", .text),
        ("block_time", .seconds),
        ("freshness", .integer),
    ]

    /// Keys of `[networks.NAME.swap]`.
    static let swap: [(key: String, kind: SettingKind)] = [
        ("api", .keyedURL),
        ("key_file", .text),
        ("via", .venue),
    ]

    /// Keys of `[signers.NAME]`.
    static let signer: [(key: String, kind: SettingKind)] = [
        ("address", .address),
        ("rpc", .url),
        ("command", .words),
        ("message_method", .messageMethod),
        ("timeout", .integer),
    ]

    /// Keys of `[trade]`.
    static let trade: [(key: String, kind: SettingKind)] = [
        ("slippage", .percent),
        ("max_gas_cost", .ether),
        ("max_taker_fee", .takerFee),
        ("priority", .priority),
        ("expiry_margin", .integer),
        ("confirmations", .integer),
        ("receipt_timeout", .integer),
        ("pair", .pair),
    ]

    /// Keys of `[watch]`.
    static let watch: [(key: String, kind: SettingKind)] = [
        ("interval", .integer),
        ("expiry_notice", .integer),
        ("sinks", .sinks),
        ("webhook", .url),
        ("webhook_secret_file", .text),
        ("command", .words),
        ("command_timeout", .integer),
        ("wallets", .accounts),
        ("events", .events),
        ("webhook_payload", .payload),
        ("webhook_template", .template),
        ("command_payload", .payload),
        ("command_template", .template),
        ("desktop_payload", .payload),
        ("desktop_template", .template),
        ("terminal_template", .template),
    ]

    /// The kind of the key at a path; nil if there is no such key.
    static func kind(of path: [String]) -> SettingKind? {
        switch path.count {
        case 1: find(path[0], in: top)
        case 2 where path[0] == "trade": find(path[1], in: trade)
        case 2 where path[0] == "watch": find(path[1], in: watch)
        case 2 where path[0] == addresses && KnownAddresses.isName(path[1]): .address
        case 2 where path[0] == aliases && SettingKind.isName(path[1]): .command
        case 3 where path[0] == "networks" && SettingKind.isName(path[1]):
            find(path[2], in: network)
        case 4 where isSwap(path.dropLast()):
            find(path[3], in: swap)
        case 3 where path[0] == "signers" && SettingKind.isName(path[1]):
            find(path[2], in: signer)
        default: nil
        }
    }

    /// The kind of the key at a path.
    ///
    /// - Throws: `DexError`, exit 2, if there is no such key.
    package static func known(_ path: [String]) throws(DexError) -> SettingKind {
        if let kind = kind(of: path) { return kind }
        throw SettingsError.unknownKey(keys: path, known: allKeys)
    }

    /// The path of a table.
    static func isTable(_ path: [String]) -> Bool {
        switch path.count {
        case 1:
            ["networks", "signers", "trade", "watch", addresses, aliases].contains(path[0])
        case 2: ["networks", "signers"].contains(path[0]) && SettingKind.isName(path[1])
        case 3: isSwap(path[...])
        default: false
        }
    }

    /// The table of the address book, `[addresses]`.
    package static let addresses = "addresses"
    /// The table of the user's own commands, `[aliases]`.
    package static let aliases = "aliases"

    /// The path of a network's `swap`.
    private static func isSwap(_ path: ArraySlice<String>) -> Bool {
        path.count == 3 && path[0] == "networks" && SettingKind.isName(path[1])
            && path[2] == "swap"
    }

    /// All keys, for messages and completions.
    package static var allKeys: [String] {
        top.map(\.key) + trade.map { "trade.\($0.key)" }
            + watch.map { "watch.\($0.key)" }
            + network.map { "networks.NAME.\($0.key)" }
            + swap.map { "networks.NAME.swap.\($0.key)" }
            + signer.map { "signers.NAME.\($0.key)" }
            + ["\(addresses).NAME", "\(aliases).NAME"]
    }

    private static func find(
        _ key: String,
        in keys: [(key: String, kind: SettingKind)]
    ) -> SettingKind? {
        keys.first { $0.key == key }?.kind
    }
}
