package import DexCore
package import DexRelay
package import Ethereum
package import Logging
package import ZeroEx

/// A relay's server over its open store, made from its settings.
package struct HostedRelay: Sendable {
    package let server: RelayServer
    /// The configuration of each market, which SIGHUP replaces.
    package let live: [ProtocolVersion: LiveConfiguration]
    /// In the books at the start.
    package let orders: Int
    /// The operator's decisions, if they stand in the store.
    let moderation: (any SharedModeration)?
    /// The keys of clients, if they stand in the store.
    let sharedKeys: (any SharedKeys)?
    private let store: any OrderStore
    private let policy: PolicyProgram?

    /// Opens the store and fills the books.
    ///
    /// - Parameter version: of this program, if the relay serves.
    /// - Throws: `DexError`.
    package static func open(
        _ settings: RelaySettings,
        contracts: [ProtocolVersion: ExchangeContracts],
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        environment: Environment,
        version: String = "",
        logger: Logger
    ) async throws(DexError) -> HostedRelay {
        var terms: [RelayMarket.Terms] = []
        var live: [ProtocolVersion: LiveConfiguration] = [:]
        for network in settings.networks {
            let version = network.protocolVersion
            guard let found = contracts[version] else { continue }
            let configuration = LiveConfiguration(
                try settings.configuration(version, contracts: found)
            )
            live[version] = configuration
            terms.append(
                RelayMarket.Terms(
                    configuration: configuration,
                    exchangeProtocol: Protocols.implementation(of: network)
                )
            )
        }
        guard let first = terms.first else {
            throw settings.file.problem(["protocols"], "no exchange of the settings was read")
        }
        let policy = settings.policy.map { command in
            policyProgram(command, environment, logger)
        }
        let filed = try settings.keyFile.keys()
        let store = try await StoreOpening.open(settings, logger)
        var server = RelayServer(
            first,
            Array(terms.dropFirst()),
            chain: chain,
            recoverer: recoverer,
            store: store,
            policy: policy,
            now: environment.now,
            logger: logger
        )
        server.operations = operations(settings, version: version, watcher: server.watcher)
        do throws(OrderStoreError) {
            if let shared = store.moderation {
                try await take(shared, settings, live, logger)
            }
            let shared = try await store.sharedKeys?.keys()
            server.keys.replace(with: shared ?? filed)
            if shared != nil, !filed.isEmpty {
                // Not taken over: one that was removed since would come back.
                logger.warning(
                    """
                    The keys of \(settings.keyFile.path) do not count, since those in the store \
                    do. Give the clients new ones: dex relay key add NAME. Then delete the file.
                    """
                )
            }
            let orders = try await server.restore()
            return HostedRelay(
                server: server,
                live: live,
                orders: orders,
                moderation: store.moderation,
                sharedKeys: store.sharedKeys,
                store: store,
                policy: policy
            )
        } catch {
            await policy?.close()
            await close(store, logger)
            throw DexError(error, at: settings.store)
        }
    }

    /// Begins with the decisions of the store, and those of a file of an earlier version.
    private static func take(
        _ shared: any SharedModeration,
        _ settings: RelaySettings,
        _ live: [ProtocolVersion: LiveConfiguration],
        _ logger: Logger
    ) async throws(OrderStoreError) {
        let added = try await shared.takeOver(settings.decisions)
        if added > 0 {
            logger.notice(
                "Decisions of \(settings.moderationFile.path) were taken into the store: \(added)."
            )
        }
        let moderation = Moderation(try await shared.decisions())
        for configuration in live.values { configuration.replace(moderation: moderation) }
    }

    /// What the relay says of itself.
    private static func operations(
        _ settings: RelaySettings,
        version: String,
        watcher: ChainWatcher
    ) -> RelayOperations {
        var operations = RelayOperations()
        if let title = settings.title { operations.name = title }
        operations.publicURL = settings.publicURL
        operations.network = settings.name
        operations.chainID = settings.chainID
        operations.version = version
        operations.metricsReaders += settings.metricsReaders
        operations.readiness = RelayReadiness(secondsPerBlock: settings.blockRhythm)
        operations.watcher = { watcher.statistics }
        let tokens = settings.tokens.named
        operations.tokens = { tokens }
        return operations
    }

    /// The operator's program, with no variable of ours but where programs are found.
    private static func policyProgram(
        _ command: RelaySettings.PolicyCommand,
        _ environment: Environment,
        _ logger: Logger
    ) -> PolicyProgram {
        var settings = PolicyProgram.Settings(
            command: command.command,
            environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"]
        )
        settings.patience = .milliseconds(Int64(clamping: command.milliseconds))
        return PolicyProgram(
            settings,
            sleep: { try await Task.sleep(for: $0) },
            uptime: environment.elapsed,
            logger: logger
        )
    }

    /// From now on it says that it is not ready.
    func drain() {
        server.operations.readiness.drain()
    }

    /// Ends the policy program, writes what is pending and closes the store.
    package func close(_ logger: Logger) async {
        await policy?.close()
        await Self.close(store, logger)
    }

    private static func close(_ store: any OrderStore, _ logger: Logger) async {
        do throws(OrderStoreError) {
            try await store.close()
        } catch {
            logger.warning("\(error)")
        }
    }
}
