import DexCore
import DexNetwork
import DexSettings
import DexTerminal
import Ethereum
import EthereumWallet
import PrivateFiles
import StrictJSON

/// Wires `dex watch`.
extension CommandContext {
    private static let secretVariable = "DEX_WEBHOOK_SECRET"
    private static let secretKey = ["watch", "webhook_secret_file"]

    /// The settings of config.toml for watching.
    ///
    /// - Throws: `DexError`, exit 3.
    func watchSettings() throws(DexError) -> WatchSettings {
        let file = try settings()
        var watch = WatchSettings()
        watch.interval = try seconds("interval", in: file).map { $0 * 1_000 }
        if let seconds = file.integer(["watch", "expiry_notice"]) { watch.expiryNotice = seconds }
        return watch
    }

    private func seconds(_ key: String, in file: Settings) throws(DexError) -> UInt64? {
        guard let seconds = file.integer(["watch", key]) else { return nil }
        guard (1...86_400).contains(seconds) else {
            throw DexError(WatchSetupError.badSeconds(seconds, key: key))
        }
        return seconds
    }

    // MARK: Sinks

    /// The receivers of events.
    ///
    /// - Parameter asked: the sinks in the flags; if empty, those of config.toml, else the terminal
    ///   and those with settings there.
    /// - Throws: `DexError`, exit 3 or 5.
    func sinks(_ asked: [WatchSinkName]) throws -> [any WatchSink] {
        let file = try settings()
        var names = asked
        if names.isEmpty {
            names = file.list(["watch", "sinks"])?.compactMap(WatchSinkName.init(rawValue:)) ?? []
        }
        if names.isEmpty {
            names = [.terminal]
            if file.list(["watch", "command"]) != nil { names.append(.command) }
            if file.text(["watch", "webhook"]) != nil { names.append(.webhook) }
        }
        let sinks = try WatchSinkName.allCases.filter(names.contains).compactMap {
            try sink($0, file)
        }
        // Events noted without a receiver would never be reported.
        guard !sinks.isEmpty else {
            throw DexError(WatchSetupError.noSink)
        }
        return sinks
    }

    private func sink(_ name: WatchSinkName, _ file: Settings) throws -> (any WatchSink)? {
        switch name {
        case .terminal: return TerminalSink(context: self)
        case .desktop:
            let sink = DesktopSink(environment)
            if sink == nil {
                console.warn("There is no notify-send, so nothing is shown on the desktop.")
            }
            return sink
        case .command:
            guard let command = file.list(["watch", "command"]) else {
                throw missing("command", "/path/to/program")
            }
            return CommandSink(
                command: command,
                timeout: try seconds("command_timeout", in: file) ?? 10
            )
        case .webhook:
            guard let url = file.text(["watch", "webhook"]) else {
                throw missing("webhook", "https://host/path")
            }
            var transport = CurlTransport.Options()
            transport.timeout = 1_000 * (options.timeout ?? 10)
            transport.connectTimeout = min(transport.connectTimeout, transport.timeout)
            transport.maximumBody = 64 << 10
            return WebhookSink(
                webhook: Webhook(
                    url: url,
                    secret: try webhookSecret(file),
                    transport: CurlTransport(options: transport)
                )
            )
        }
    }

    private func missing(_ key: String, _ example: String) -> DexError {
        DexError(WatchSetupError.notSet(key, example: example))
    }

    /// The signing key of the environment, else the first line of a file; nil without one.
    private func webhookSecret(_ file: Settings) throws -> Webhook.Secret? {
        if let text = environment[Self.secretVariable] {
            return Array(text.utf8).withUnsafeBytes { Webhook.Secret($0) }
        }
        guard let path = file.text(Self.secretKey) else { return nil }
        let source = Self.secretKey.joined(separator: ".")
        let content = try secretFile(file.absolute(path), source)
        return try content.withBytes { bytes in
            let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
            guard !line.isEmpty else {
                throw DexError(WatchSetupError.emptySecret(source: source))
            }
            return Webhook.Secret(UnsafeRawBufferPointer(rebasing: line))
        }
    }

    /// Prevents a second watcher of an account, which would report everything twice.
    ///
    /// - Throws: `DexError`, exit 6, `already-watching`.
    func watchLock(_ network: Network, _ account: Address) throws -> ExclusiveLock {
        let folder = network.isSandbox ? try home().sandbox : try home().data
        try PrivateFiles.makeFolder(folder)
        let path = "\(folder)/watch-\(network.chainID)-\(account.lowercaseHex).lock"
        guard let lock = try ExclusiveLock(path) else {
            throw DexError(WatchSetupError.alreadyWatching(account))
        }
        return lock
    }

    /// Reports a status of watching itself.
    func tell(_ status: WatchStatus) {
        let sentence = WatchText.sentence(status)
        let isWarning = WatchText.isWarning(status)
        guard options.isJSON else {
            if isWarning { console.warn(sentence) } else { console.note(sentence) }
            return
        }
        _ = emit(
            CommandReport(
                data: WatchJSON.status(status),
                warnings: isWarning ? [sentence] : []
            )
        )
    }
}
