import CProcess
import DexRelay
import DexSandbox
import Ethereum
import EthereumWallet
import Explorer
import Glibc
import HTTPServing
package import Logging
import NIOCore
import ZeroEx

/// A chain, a relay and a Swap API in one process, with a market and funded accounts.
package struct Sandbox: Sendable {
    /// The options of a sandbox.
    package struct Options: Sendable {
        package var folder: SandboxFolder
        /// Only state.json is written; everything is gone at the end.
        package var isInMemory = false
        /// 0 takes a free port.
        package var rpcPort = 0
        package var relayPort = 0
        package var swapPort = 0
        package var listen = ListenAddress.loopback
        /// What defines the chain; nil is the folder's, or the usual.
        package var choices = SandboxSettings.Choices()
        /// Seconds between blocks; nil makes a block for each transaction at once.
        package var blockTime: UInt64?

        /// Of this program, for the relay's description and figures.
        package var version = ""

        package init(folder: SandboxFolder) {
            self.folder = folder
        }
    }

    /// The report of a sandbox that answers.
    package struct Report: Sendable {
        package let state: SandboxState
        /// The number of orders in each network's book.
        package let orders: [Int]
        /// A market was created now, not found in the folder.
        package let isSeeded: Bool
    }

    let options: Options
    private let now: @Sendable () -> UInt64
    let logger: Logger

    /// A sandbox that is not running yet.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - logger: silent unless given.
    package init(
        options: Options,
        now: @escaping @Sendable () -> UInt64 = Self.systemTime,
        logger: Logger = Logger(label: "dex.sandbox") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.options = options
        self.now = now
        self.logger = logger
    }

    /// Runs until the task is cancelled; then everything is closed and state.json is removed.
    ///
    /// - Parameter onReady: called once, when all servers answer and state.json exists.
    /// - Throws: `SandboxHostError`, `SandboxError`, `OrderStoreError`, or what `onReady` throws.
    @concurrent
    package func run(
        onReady: @escaping @Sendable (Report) async throws -> Void
    ) async throws {
        let folder = options.folder
        let lock = try folder.begin()
        defer { lock.release() }
        let settings = try settings()
        defer {
            if options.isInMemory {
                cleanUp("The journal of the ended chain was not removed", folder.removeJournal)
            }
        }
        let accounts = try settings.accounts()
        let chain = try openChain(settings, accounts)
        let store = try SQLiteOrderStore(path: options.isInMemory ? nil : folder.relayFile)
        let relay = try SandboxRelay(
            settings: settings,
            version: options.version,
            now: now,
            logger: logger
        ).server(chain, store)
        try await store.closing(logger) {
            try await run(chain, relay, settings, accounts, onReady)
        }
    }

    /// Runs the servers over an open chain and an open store.
    private func run(
        _ chain: SandboxChain,
        _ relay: RelayServer,
        _ settings: SandboxSettings,
        _ accounts: SandboxAccounts,
        _ onReady: @escaping @Sendable (Report) async throws -> Void
    ) async throws {
        let folder = options.folder
        let venues = settings.venues
        try await relay.restore()
        var offered: [(orders: Int, isSeeded: Bool)] = []
        for (venue, market) in zip(venues, relay.markets) {
            let time = now()
            let restored = market.intake.book.read { index in
                index.shown.all.count { $0.entry.expiry > time }
            }
            let seeded =
                restored == 0 ? try await seed(market, venue, settings, accounts) : 0
            offered.append((restored + seeded, restored == 0))
        }
        let markets = offered
        let followers = FollowerTable()
        let faults = FaultControl(
            chain: chain,
            board: FaultRegistry(),
            accounts: accounts,
            venues: venues,
            chainID: settings.chainID,
            followers: { [now] in
                followers.json(newest: await chain.latestBlock.number, now: now())
            }
        )
        // No fault outlives its sandbox, but these are in the chain.
        try await faults.setRegistry(isPaused: false)
        try await faults.setTransferFee(false)
        let swap = SwapServer(
            api: SwapAPI(
                chain: chain,
                chainID: settings.chainID,
                board: faults.board,
                now: now,
                logger: logger
            ),
            board: faults.board,
            logger: logger
        )
        let copies = LeaderRoutes(
            chain: chain,
            settings: settings,
            relay: relay,
            followers: followers,
            now: now
        )
        let explorer = try SandboxExplorer.explorer(
            of: chain,
            zip(venues, relay.markets),
            settings,
            now: now
        )
        try await SandboxServers(listen: options.listen, folder: folder).run([
            chainServer(chain, faults, copies, ExplorerRoutes(explorer)),
            relayServer(relay, faults.board, copies.relayPort),
            SandboxServers.Server(name: "swap API", port: options.swapPort) { [options] in
                try await swap.server(options.listen, port: options.swapPort).run(onRunning: $0)
            },
        ]) { ports in
            let listen = options.listen
            var state = try SandboxState(
                listen,
                ports: (ports[0], ports[1]),
                zip(venues, relay.markets),
                settings,
                genesis: await chain.genesisHash,
                startedAt: now()
            )
            state.swap = listen.url(ports[2])
            try state.write(to: folder)
            try await onReady(
                Report(
                    state: state,
                    orders: markets.map(\.orders),
                    isSeeded: markets.contains(where: \.isSeeded)
                )
            )
        }
    }

    private func chainServer(
        _ chain: SandboxChain,
        _ faults: FaultControl,
        _ copies: LeaderRoutes,
        _ pages: ExplorerRoutes
    ) -> SandboxServers.Server {
        SandboxServers.Server(name: "chain", port: options.rpcPort) { onReady in
            try await ChainServer(
                chain: chain,
                host: options.listen.text,
                port: options.rpcPort,
                hosts: options.listen.hosts,
                filter: FaultFilter(
                    server: .node,
                    board: faults.board,
                    control: { try await faults.answer($0, $1) },
                    watch: { try await faults.watch($0, $1) }
                ),
                routes: { copies.add(to: &$0) },
                pages: { await pages.respond(to: $0) },
                logger: logger
            ).run(onReady: onReady)
        }
    }

    private func relayServer(
        _ relay: RelayServer,
        _ board: FaultRegistry,
        _ port: LeaderRoutes.RelayPort
    ) -> SandboxServers.Server {
        SandboxServers.Server(name: "relay", port: options.relayPort) { onReady in
            let application = relay.application(
                host: options.listen.text,
                port: options.relayPort,
                isLocal: true,
                hosts: options.listen.hosts,
                filter: FaultFilter(server: .relay, board: board)
            ) {
                port.set($0)
                onReady($0)
            }
            try await application.run()
        }
    }

    private func settings() throws(SandboxHostError) -> SandboxSettings {
        let folder = options.folder
        guard options.isInMemory else {
            return try SandboxSettings.load(
                folder,
                options.choices,
                now: now()
            )
        }
        guard try !folder.keepsChain() else { throw .keptHere(folder: folder.path) }
        try folder.removeJournal()
        return try SandboxSettings.fresh(options.choices, now: now())
    }

    private func openChain(
        _ settings: SandboxSettings,
        _ accounts: SandboxAccounts
    ) throws -> SandboxChain {
        try SandboxChain(
            genesis: settings.genesis(accounts),
            configuration: ChainConfiguration(
                storePath: options.isInMemory ? nil : options.folder.chainFile,
                mining: options.blockTime.map { .interval(seconds: $0) } ?? .instant,
                now: now,
                recoverer: Secp256k1()
            )
        )
    }

    /// Fills the empty book of a market.
    ///
    /// A market whose first orders have expired is created again, starting now.
    private func seed(
        _ relay: RelayMarket,
        _ venue: SandboxDeployment,
        _ settings: SandboxSettings,
        _ accounts: SandboxAccounts
    ) async throws -> Int {
        let shortestLife: UInt64 = 86_400
        let isFresh = now() < settings.start + shortestLife
        let market = SandboxMarket(
            venue: venue,
            seed: settings.seed,
            start: isFresh ? settings.start : now(),
            orders: settings.orders,
            accounts: accounts
        )
        let orders = try await market.signed()
        let outcome = try await relay.intake.add(orders)
        for (hash, refusals) in outcome.refused {
            logger.warning("The relay refused the market's order \(hash): \(refusals.reasons)")
        }
        guard outcome.added > 0 || orders.isEmpty else {
            throw SandboxHostError.seedingFailed(
                "the relay took none of \(orders.count) orders. Run `dex sandbox reset`."
            )
        }
        return outcome.added
    }

    private func cleanUp(_ failure: String, _ step: () throws -> Void) {
        do {
            try step()
        } catch {
            logger.warning("\(failure): \(error)")
        }
    }

    package static let systemTime: @Sendable () -> UInt64 = {
        dex_clock(CLOCK_REALTIME).seconds
    }
}
