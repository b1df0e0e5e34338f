import DexCore
import DexNetwork
import DexSettings
import DexStore
import DexTerminal
import Ethereum
import EthereumWallet
import PrivateFiles
import SandboxHost
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
        watch.kinds = file.list(["watch", "events"]).map {
            Set($0.compactMap(WatchEvent.Kind.init(rawValue:)))
        }
        return watch
    }

    /// The accounts to watch: those of `--wallet`, else of the environment, else of the settings.
    ///
    /// - Throws: `DexError`, exit 5, or `WalletError`.
    func watchedAccounts(_ network: Network) async throws -> [Account] {
        if options.wallets.count > 1 {
            return try await accounts(network, named: options.wallets)
        }
        let isNamed =
            options.wallet != nil || environment["DEX_WALLET"] != nil
            || environment["DEX_PRIVATE_KEY"] != nil
        guard !isNamed, let names = try settings().list(["watch", "wallets"]) else {
            return [try await account(network)]
        }
        return try await accounts(network, named: names)
    }

    /// How a sink is told of an event, by its settings.
    ///
    /// - Throws: `DexError`, exit 3, if its template names what its payload withholds.
    private func form(_ name: WatchSinkName, _ file: Settings) throws(DexError) -> WatchForm {
        var form = WatchForm()
        if let text = file.text(["watch", "\(name.rawValue)_payload"]),
            let payload = WatchPayload(rawValue: text)
        {
            form.payload = payload
        }
        let key = "\(name.rawValue)_template"
        if let text = file.text(["watch", key]) {
            // The settings were refused if it is none.
            form.template = try? WatchTemplate(text)
        }
        if let field = form.withheld {
            throw WatchSetupError.withheld(field: field.rawValue, key: key)
        }
        return form
    }

    private func seconds(_ key: String, in file: Settings) throws(DexError) -> UInt64? {
        guard let seconds = file.integer(["watch", key]) else { return nil }
        guard (1...86_400).contains(seconds) else {
            throw WatchSetupError.badSeconds(seconds, key: key)
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
            throw WatchSetupError.noSink
        }
        return sinks
    }

    private func sink(_ name: WatchSinkName, _ file: Settings) throws -> (any WatchSink)? {
        switch name {
        case .terminal:
            return TerminalSink(context: self, template: try form(name, file).template)
        case .desktop:
            let sink = DesktopSink(environment, form: try form(name, file))
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
                timeout: try seconds("command_timeout", in: file) ?? 10,
                form: try form(name, file)
            )
        case .webhook:
            guard let url = file.text(["watch", "webhook"]) else {
                throw missing("webhook", "https://host/path")
            }
            var transport = CurlTransport.Options()
            transport.allow(seconds: options.timeout ?? 10)
            transport.maximumBody = 64 << 10
            return WebhookSink(
                webhook: Webhook(
                    url: url,
                    secret: try webhookSecret(file),
                    transport: CurlTransport(options: transport)
                ),
                form: try form(name, file)
            )
        }
    }

    private func missing(_ key: String, _ example: String) -> DexError {
        WatchSetupError.notSet(key, example: example)
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
                throw WatchSetupError.emptySecret(source: source)
            }
            return Webhook.Secret(UnsafeRawBufferPointer(rebasing: line))
        }
    }

    /// Prevents a second watcher of an account, which would report everything twice.
    ///
    /// - Returns: nil while another process watches it.
    /// - Throws: `DexError`, exit 3.
    func watchLock(_ network: Network, _ account: Address) throws(DexError) -> ExclusiveLock? {
        let folder = network.isSandbox ? try sandboxFolder().path : try home().data
        let path = "\(folder)/watch-\(network.chainID)-\(account.lowercaseHex).lock"
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.makeFolder(folder)
            return try ExclusiveLock(path)
        } catch {
            throw DexError(error)
        }
    }

    /// Reports a status of watching itself.
    ///
    /// - Parameter account: the account that it is about, if several are watched.
    func tell(_ status: WatchStatus, of account: Account? = nil) {
        let start = account.map { "\($0.name ?? $0.address.checksummed): " } ?? ""
        let sentence = start + WatchText.sentence(status)
        let isWarning = WatchText.isWarning(status)
        guard options.isJSON else {
            // An old state is said whatever the options.
            if case .stale = status { return console.alert(sentence) }
            if isWarning { console.warn(sentence) } else { console.note(sentence) }
            return
        }
        _ = emit(
            CommandReport(
                data: WatchJSON.status(status, of: account?.address),
                warnings: isWarning ? [sentence] : []
            )
        )
    }
}
