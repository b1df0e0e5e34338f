import DexCore
import DexSettings
import Ethereum
import EthereumWallet
import ZeroEx

/// A setting as commands use it now, and where it comes from.
struct EffectiveSetting {
    /// As in config.toml: `trade.slippage`.
    let key: String
    /// nil if nothing holds in its place.
    let value: SettingValue?
    /// `--rpc`, `DEX_RPC_URL`, `config.toml`, `sandbox`, `DEX_PRIVATE_KEY` or `default`.
    let source: String
}

/// Finds which value of flags, environment, file and defaults holds.
struct EffectiveSettings {
    private let context: CommandContext
    private let file: Settings
    private let network: Network

    static let fileSource = "config.toml"
    static let defaultSource = "default"

    /// - Throws: `DexError`, exit 3.
    init(_ context: CommandContext) throws {
        self.context = context
        file = try context.settings()
        network = try context.network(file)
    }

    /// All that have a value without being set, and those of the file for the network in use.
    func all() throws -> [EffectiveSetting] {
        let usual = TradeSettings()
        let trade = try context.tradeSettings()
        return [
            named("network", .text(network.name), "--network", "DEX_NETWORK"),
            try wallet(),
            ofNetwork("chain_id", .integer(network.chainID), isLive: true),
            ofNetwork("exchange", .text(network.exchange.checksummed)),
            ofNetwork("protocol", .text(network.protocolVersion.rawValue)),
            ofNetwork("quorum", .integer(network.quorum)),
            ofNetwork("proofs", .flag(network.provesState)),
            list("rpc", network.rpc, "--rpc", "DEX_RPC_URL", given: context.options.rpc),
            list(
                "relay",
                network.relays.map(\.url),
                "--relay",
                "DEX_RELAY_URL",
                given: context.options.relay
            ),
            setting(["trade", "slippage"], .text(Self.percent(usual.slippage))),
            setting(["trade", "max_gas_cost"], nil),
            setting(
                ["trade", "max_taker_fee"],
                .text(DecimalText.format(usual.takerFees.amount, decimals: 18))
            ),
            setting(["trade", "priority"], .text(usual.fees.usual.rawValue)),
            setting(["trade", "expiry_margin"], .integer(usual.expiryMargin)),
            setting(["trade", "confirmations"], .integer(trade.confirmations)),
            setting(["trade", "receipt_timeout"], .integer(usual.receiptTimeout)),
            setting(["trade", "pair"], nil),
            setting(["watch", "expiry_notice"], .integer(WatchSettings().expiryNotice)),
        ]
    }

    /// One of them; nil if a key has no value but by the file.
    func find(_ key: String) throws -> EffectiveSetting? {
        try all().first { $0.key == key && $0.value != nil }
    }

    private static func percent(_ basisPoints: UInt64) -> String {
        DecimalText.format(UInt256(basisPoints), decimals: 2)
    }

    private func setting(_ path: [String], _ usual: SettingValue?) -> EffectiveSetting {
        let typed = file.file.values[path]
        return EffectiveSetting(
            key: path.joined(separator: "."),
            value: typed ?? usual,
            source: typed == nil ? Self.defaultSource : Self.fileSource
        )
    }

    private func named(
        _ key: String,
        _ value: SettingValue,
        _ flag: String,
        _ variable: String
    ) -> EffectiveSetting {
        let isFlag = context.options.network != nil
        let source =
            isFlag
            ? flag
            : context.environment[variable] != nil
                ? variable : file.text([key]) != nil ? Self.fileSource : Self.defaultSource
        return EffectiveSetting(key: key, value: value, source: source)
    }

    private func ofNetwork(
        _ key: String,
        _ value: SettingValue,
        isLive: Bool = false
    ) -> EffectiveSetting {
        EffectiveSetting(
            key: "networks.\(network.name).\(key)",
            value: value,
            source: isLive && network.isSandbox ? "sandbox" : source(key)
        )
    }

    private func source(_ key: String) -> String {
        file.file.values[["networks", network.name, key]] == nil
            ? Self.defaultSource : Self.fileSource
    }

    private func list(
        _ key: String,
        _ urls: [String],
        _ flag: String,
        _ variable: String,
        given: [String]
    ) -> EffectiveSetting {
        let place =
            !given.isEmpty
            ? flag
            : context.environment[variable] != nil
                ? variable : network.isSandbox && !urls.isEmpty ? "sandbox" : source(key)
        return EffectiveSetting(
            key: "networks.\(network.name).\(key)",
            value: urls.isEmpty ? nil : .list(urls),
            source: place
        )
    }

    private func wallet() throws -> EffectiveSetting {
        func found(_ value: String?, _ source: String) -> EffectiveSetting {
            EffectiveSetting(key: "wallet", value: value.map { .text($0) }, source: source)
        }
        if let name = context.options.wallet { return found(name, "--wallet") }
        if let name = context.environment["DEX_WALLET"] { return found(name, "DEX_WALLET") }
        if let key = try context.privateKey() {
            return found(key.address.checksummed, "DEX_PRIVATE_KEY")
        }
        if network.isSandbox { return found(CommandContext.defaultSandboxAccount, "sandbox") }
        return found(
            file.text(["wallet"]),
            file.text(["wallet"]) == nil ? Self.defaultSource : Self.fileSource
        )
    }
}
