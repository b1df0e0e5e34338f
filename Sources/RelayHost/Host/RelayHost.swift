package import DexCore
import DexRelay
package import Ethereum
import Glibc
import HTTPServing
import Logging
import NIOCore
package import ZeroEx

/// A relay that runs from its settings until it is told to stop.
package struct RelayHost: Sendable {
    /// What a relay that serves says of itself.
    package struct Report: Sendable {
        /// The URL for programs of this machine.
        package let url: String
        package let publicURL: String?
        package let network: String
        package let chainID: UInt64
        /// Each API with its version and its exchange.
        package let markets: [Market]
        /// In the books at the start.
        package let orders: Int
        package let store: String

        package struct Market: Hashable, Sendable {
            package let version: ProtocolVersion
            package let exchange: Address
            /// The path of its API.
            package let path: String
        }
    }

    private let settings: RelaySettings
    private let chain: any ChainClient
    private let recoverer: any SignatureRecovering
    private let environment: Environment
    private let version: String
    private let log: RelayLog
    private let hangups: AsyncStream<Void>
    private let reread: @Sendable () throws(DexError) -> RelaySettings

    /// A host that is not running yet.
    ///
    /// - Parameters:
    ///   - version: of this program.
    ///   - hangups: an element when the settings are to be read again.
    ///   - reread: reads and checks the settings again.
    package init(
        settings: RelaySettings,
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        environment: Environment,
        version: String,
        log: RelayLog,
        hangups: AsyncStream<Void>,
        reread: @escaping @Sendable () throws(DexError) -> RelaySettings
    ) {
        self.settings = settings
        self.chain = chain
        self.recoverer = recoverer
        self.environment = environment
        self.version = version
        self.log = log
        self.hangups = hangups
        self.reread = reread
    }

    /// Runs until the task is cancelled; then it is not ready at once, and stops gracefully.
    ///
    /// - Parameter onReady: called once, when it serves.
    /// - Throws: `DexError` if it cannot start.
    @concurrent
    package func run(onReady: @escaping @Sendable (Report) async -> Void) async throws {
        let stop = StopRequest()
        // A task of its own: the end of the caller's begins the stop, and must not cut it short.
        let task = Task { try await serve(stop, onReady) }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            stop.make()
        }
    }

    private func serve(
        _ stop: StopRequest,
        _ onReady: @escaping @Sendable (Report) async -> Void
    ) async throws {
        let contracts = try await RelayNode(
            settings: settings,
            chain: chain,
            recoverer: recoverer,
            environment: environment
        ).contracts()
        guard !stop.isMade else { return }
        let relay = try await HostedRelay.open(
            settings,
            contracts: contracts,
            chain: chain,
            recoverer: recoverer,
            environment: environment,
            version: version,
            logger: log.logger
        )
        do {
            if !stop.isMade { try await serve(relay, contracts, stop, onReady) }
        } catch {
            await relay.close(log.logger)
            throw error
        }
        await relay.close(log.logger)
    }

    private func serve(
        _ relay: HostedRelay,
        _ contracts: [ProtocolVersion: ExchangeContracts],
        _ stop: StopRequest,
        _ onReady: @escaping @Sendable (Report) async -> Void
    ) async throws {
        let orders = relay.orders
        let application = relay.server.application(
            host: settings.listen.host,
            port: settings.listen.port,
            isLocal: settings.isLocal
        ) { port in
            await onReady(report(relay.server, contracts, orders: orders, port: port))
        }
        let current = CurrentSettings(settings)
        let serverStop = ServerStop()
        let stopSeconds = Int64(clamping: settings.stopSeconds)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    await stop.wait()
                    guard stop.isMade else { return }
                    await drain(relay, seconds: current.value.drainSeconds)
                    serverStop.make(within: .seconds(stopSeconds))
                }
                tasks.addTask {
                    let reload = SettingsReload(
                        read: reread,
                        contracts: contracts,
                        live: relay.live,
                        log: log
                    )
                    for await _ in hangups {
                        current.value = reload.reload(current.value, started: settings)
                        await relay.server.delist()
                    }
                }
                tasks.addTask { await moderate(relay) }
                tasks.addTask { await watchKeys(relay) }
                defer { tasks.cancelAll() }
                try await application.run(until: serverStop)
            }
        } catch let error as IOError {
            throw RelayHostError.listen(
                address: settings.file.text("listen") ?? RelaySettings.standardListen,
                reason: String(cString: strerror(error.errnoCode))
            )
        }
    }

    /// Applies what the operator decides while the relay runs.
    private func moderate(_ relay: HostedRelay) async {
        let apply: @Sendable () async -> Void = { await relay.server.delist() }
        if let shared = relay.moderation {
            await SharedModerationWatch(
                moderation: shared,
                live: relay.live,
                log: log,
                sleep: environment.sleep
            ).run(apply)
        } else {
            await ModerationWatch(
                file: settings.moderationFile,
                live: relay.live,
                log: log,
                sleep: environment.sleep
            ).run(apply)
        }
    }

    /// Takes over the keys of clients, and this instance's share of their limits.
    private func watchKeys(_ relay: HostedRelay) async {
        let watch = KeyWatch(keys: relay.server.keys, log: log, sleep: environment.sleep)
        guard let shared = relay.sharedKeys else { return await watch.run(settings.keyFile) }
        let instance = String(UInt64.random(in: .min ... .max), radix: 16)
        await withTaskGroup { tasks in
            tasks.addTask { await watch.run(shared) }
            tasks.addTask { await watch.beat(shared, instance: instance) }
        }
    }

    /// Load balancers see that it is not ready, and send their clients elsewhere.
    private func drain(_ relay: HostedRelay, seconds: UInt64) async {
        relay.drain()
        let logger = log.logger
        guard seconds > 0 else {
            logger.notice("The relay is stopping.")
            return
        }
        logger.notice("The relay is stopping: it serves for \(seconds) s more and is not ready.")
        do {
            try await environment.sleep(seconds.multipliedReportingOverflow(by: 1_000).partialValue)
        } catch {
            // The servers ended by themselves meanwhile.
            logger.debug("The wait before the stop was cut short.")
        }
    }

    private func report(
        _ server: RelayServer,
        _ contracts: [ProtocolVersion: ExchangeContracts],
        orders: Int,
        port: Int
    ) -> Report {
        Report(
            url: settings.listen.localURL(port: port),
            publicURL: settings.publicURL,
            network: settings.name,
            chainID: settings.chainID,
            markets: server.markets.compactMap { market in
                contracts[market.version].map {
                    Report.Market(
                        version: market.version,
                        exchange: $0.exchange,
                        path: market.basePath
                    )
                }
            },
            orders: orders,
            store: settings.store.words
        )
    }
}
