package import DexCore
package import DexRelay
import Ethereum
package import Logging
package import ZeroEx

/// The settings of a hosted relay, from relay.toml and dex's networks.
package struct RelaySettings: Sendable {
    /// How its log is written.
    package enum LogForm: String, Sendable {
        case text
        case json
    }

    /// The operator's program that decides about orders.
    package struct PolicyCommand: Hashable, Sendable {
        package let command: [String]
        /// The longest time for a verdict.
        package let milliseconds: UInt64
    }

    package let file: RelaySettingsFile
    package let listen: ListenAddress
    /// The URL under which others reach the relay; nil if there is none.
    package let publicURL: String?
    /// The relay's name on its page.
    package let title: String?
    /// Who may read its metrics, beside this machine.
    package let metricsReaders: [AddressRange]
    /// A network for each version of the protocol that it carries, all of one chain, with the
    /// node's URLs; never empty.
    package let networks: [Network]
    package let store: StorePlace
    package let passwordFile: String?
    package let logForm: LogForm
    package let logLevel: Logger.Level
    /// Seconds between "not ready" and the end of the service.
    package let drainSeconds: UInt64
    /// The most seconds that a stop takes.
    package let stopSeconds: UInt64
    package let policy: PolicyCommand?
    package let tokens: RelayTokens
    /// The operator's decisions about orders, beside the file.
    package let moderationFile: ModerationFile
    /// The keys of clients, beside the file.
    package let keyFile: KeyFile
    /// Those that stood in the file when it was read, the latest last.
    package let decisions: [ModerationDecision]

    package var chainID: UInt64 { networks[0].chainID }
    package var rpc: [String] { networks[0].rpc }
    /// Whole seconds, rounded up; 0 for a chain without a rhythm.
    package var blockTime: UInt64 {
        networks[0].blockMilliseconds == 0 ? 0 : networks[0].blockSeconds
    }
    /// The usual seconds from one block to the next; nil if the chain has no rhythm.
    ///
    /// The sandbox makes a block when there is a transaction, unless it was told otherwise.
    package var blockRhythm: UInt64? {
        if networks[0].isSandbox, file.integer("block_time") == nil { return nil }
        guard blockTime > 0 else { return nil }
        // Blocks that follow within a second are counted by what is fresh on that chain: some make
        // none without transactions.
        let network = networks[0]
        guard file.integer("block_time") == nil, network.blockMilliseconds < 2_000 else {
            return blockTime
        }
        return max(blockTime, network.freshness / RelayReadiness.maximumBlocksLate)
    }
    /// Open files for every connection that it accepts, and for the rest of the process.
    package var maximumFiles: Int {
        let connections = file.integer("limits", "connections").map { Int(clamping: $0) }
        return (connections ?? RelayLimits().maximumConnections) + 1_024
    }
    /// The chain's name in dex's settings.
    package var name: String { networks[0].name }
    /// It serves only programs of this machine, and no web pages.
    package var isLocal: Bool { listen.isLoopback && publicURL == nil }

    package static let standardListen = "127.0.0.1:8080"
    package static let standardStore = "sqlite:relay.sqlite"

    /// Reads what the file says.
    ///
    /// - Parameters:
    ///   - networks: dex's networks, a running sandbox's with its URLs.
    ///   - rpc: nodes in place of the file's; empty leaves them.
    ///   - tokens: the known tokens of a network.
    /// - Throws: `DexError`, exit 3, with the file, the line and the key.
    package init(
        _ file: RelaySettingsFile,
        networks known: [Network],
        rpc: [String] = [],
        tokens: (Network) throws(DexError) -> TokenMap
    ) throws(DexError) {
        self.file = file
        guard let listen = ListenAddress(file.text("listen") ?? Self.standardListen),
            let store = StorePlace(file.text("store") ?? Self.standardStore)
        else { throw file.problem([], "listen or store cannot be read") }
        self.listen = listen
        publicURL = file.text("public")
        title = file.text("name")
        metricsReaders = (file.list("metrics_readers") ?? []).compactMap { AddressRange($0) }
        networks = try RelayNetworks(file: file, known: known, rpc: rpc).networks()
        switch store {
        case .sqlite(let path): self.store = .sqlite(path: file.absolute(path))
        case .postgres: self.store = store
        }
        passwordFile = file.text("password_file").map(file.absolute)
        if passwordFile != nil, case .sqlite = store {
            throw file.problem(
                ["password_file"],
                "password_file is for a store at postgres://, and the store is a file"
            )
        }
        logForm = LogForm(rawValue: file.text("log") ?? "text") ?? .text
        logLevel = Logger.Level(rawValue: file.text("log_level") ?? "notice") ?? .notice
        // No load balancer is before a relay that serves only its own machine.
        drainSeconds =
            file.integer("drain_seconds") ?? (listen.isLoopback && publicURL == nil ? 0 : 5)
        stopSeconds = file.integer("stop_seconds") ?? 30
        if let command = file.list("policy", "command") {
            policy = PolicyCommand(
                command: command,
                milliseconds: file.integer("policy", "timeout") ?? 1_000
            )
        } else if file.integer("policy", "timeout") != nil {
            throw file.problem(["policy", "timeout"], "policy has a timeout and no command")
        } else {
            policy = nil
        }
        self.tokens = try RelayTokens(file, map: try tokens(networks[0]))
        moderationFile = ModerationFile(settings: file.path)
        keyFile = KeyFile(settings: file.path)
        decisions = try moderationFile.entries(in: moderationFile.content())
        // Pairs, bounds and fees have to be readable before anything starts.
        for network in networks {
            _ = try RelayMarketReader(settings: self, version: network.protocolVersion).pairs()
        }
    }

    /// The password of the store.
    ///
    /// - Returns: nil if there is no password file.
    /// - Throws: `DexError`, exit 3, if others can read the file, or it has no line of text.
    package func password() throws(DexError) -> String? {
        guard let passwordFile else { return nil }
        return try PasswordFile.read(passwordFile)
    }

    /// The network of a version; nil if it is not carried.
    package func network(_ version: ProtocolVersion) -> Network? {
        networks.first { $0.protocolVersion == version }
    }

    /// A market's configuration.
    ///
    /// - Throws: `DexError`, exit 3, for a pair, a bound or a fee that cannot be.
    package func configuration(
        _ version: ProtocolVersion,
        contracts: ExchangeContracts
    ) throws(DexError) -> RelayConfiguration {
        var configuration = try RelayMarketReader(settings: self, version: version)
            .configuration(contracts)
        configuration.moderation = Moderation(decisions)
        return configuration
    }

    /// Names of changed settings that are taken only at a restart.
    package func waiting(for other: RelaySettings) -> [String] {
        let paths = Set(file.values.keys).union(other.file.values.keys)
        return paths.filter { path in
            file.values[path] != other.file.values[path]
                && RelaySettingsSchema.key(path)?.isReloadable == false
        }.map { $0.joined(separator: ".") }.sorted()
    }

    /// Names of changed settings that SIGHUP takes.
    package func changed(in other: RelaySettings) -> [String] {
        let paths = Set(file.values.keys).union(other.file.values.keys)
        return paths.filter { path in
            file.values[path] != other.file.values[path]
                && RelaySettingsSchema.key(path)?.isReloadable == true
        }.map { $0.joined(separator: ".") }.sorted()
    }
}
