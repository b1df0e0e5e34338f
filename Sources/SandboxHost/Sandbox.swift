import DexRelay
import DexSandbox
import Ethereum
import EthereumWallet
import Glibc
import Hummingbird
package import Logging
import NIOCore
import ZeroEx

/// A chain and a relay in one process, on loopback, with a market and funded accounts.
package struct Sandbox: Sendable {
    /// How a sandbox runs.
    package struct Options: Sendable {
        package var folder: SandboxFolder
        /// Nothing but state.json is written; all is gone at the end.
        package var isInMemory = false
        /// 0 takes a free port.
        package var rpcPort = 0
        package var relayPort = 0
        /// nil is the folder's, or the standard one.
        package var seed: UInt64?
        /// The orders of the first pair's book; nil is the folder's, or the usual number.
        package var orders: Int?
        /// Seconds between blocks; nil makes a block for each transaction at once.
        package var blockTime: UInt64?

        package init(folder: SandboxFolder) {
            self.folder = folder
        }
    }

    /// What is told once the sandbox answers.
    package struct Report: Sendable {
        package let state: SandboxState
        /// Orders on the relay's book.
        package let orders: Int
        /// The market was made now, not found in the folder.
        package let isSeeded: Bool
    }

    private let options: Options
    private let now: @Sendable () -> UInt64
    private let logger: Logger
    private let exchangeProtocol: any ExchangeProtocol = ZeroExV1()

    /// A sandbox that does not run yet.
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

    /// Runs until the task is cancelled; then everything is closed and state.json is gone.
    ///
    /// - Parameter onReady: is called once, when both servers answer and state.json is there.
    /// - Throws: `SandboxHostError`, `SandboxError`, `RelayStoreError`, or what `onReady` throws.
    @concurrent
    package func run(
        onReady: @escaping @Sendable (Report) async throws -> Void
    ) async throws {
        let folder = options.folder
        try folder.make()
        let lock = try folder.lock()
        defer { lock.release() }
        unlink(folder.stateFile)
        let settings = try settings()
        defer { if options.isInMemory { try? folder.removeJournal() } }
        let accounts = try SandboxAccounts(seed: settings.seed)
        let chain = try openChain(settings, accounts)
        let store = try RelayStore(path: options.isInMemory ? nil : folder.relayFile)
        defer { closeStore(store) }
        let relay = relayServer(chain, store, accounts)
        let restored = try await relay.desk.restore()
        let seeded = restored == 0 ? try await seed(relay, settings, accounts) : 0
        defer { unlink(folder.stateFile) }
        let faults = FaultControl(chain: chain, board: FaultBoard(), accounts: accounts)
        try await serve(chain, relay, faults) { rpc, port in
            let state = SandboxState(
                pid: getpid(),
                rpc: rpc,
                relay: "http://127.0.0.1:\(port)/v0",
                chainID: SandboxTokens.chainID,
                seed: settings.seed,
                startedAt: now(),
                accounts: accounts.all
            )
            try state.write(to: folder)
            try await onReady(
                Report(state: state, orders: restored + seeded, isSeeded: restored == 0)
            )
        }
    }

    private func settings() throws(SandboxHostError) -> SandboxSettings {
        let folder = options.folder
        guard options.isInMemory else {
            return try SandboxSettings.load(
                folder,
                seed: options.seed,
                orders: options.orders,
                now: now()
            )
        }
        guard !folder.keepsChain else { throw .keptHere(folder: folder.path) }
        try folder.removeJournal()
        return SandboxSettings(seed: options.seed, orders: options.orders, now: now())
    }

    private func openChain(
        _ settings: SandboxSettings,
        _ accounts: SandboxAccounts
    ) throws -> SandboxChain {
        let market = SandboxMarket(
            seed: settings.seed,
            start: settings.start,
            orders: settings.orders,
            accounts: accounts
        )
        return try SandboxChain(
            genesis: market.genesis(exchangeProtocol),
            configuration: ChainConfiguration(
                storePath: options.isInMemory ? nil : options.folder.chainFile,
                mining: options.blockTime.map { .interval(seconds: $0) } ?? .instant,
                now: now,
                recoverer: Secp256k1()
            )
        )
    }

    private func relayServer(
        _ chain: SandboxChain,
        _ store: RelayStore,
        _ accounts: SandboxAccounts
    ) -> RelayServer {
        RelayServer(
            configuration: RelayConfiguration(
                contracts: SandboxTokens.contracts,
                pairs: SandboxMarket.pairs,
                fees: SandboxMarket.fees(accounts)
            ),
            exchangeProtocol: exchangeProtocol,
            chain: SandboxChainClient(chain: chain),
            recoverer: Secp256k1(),
            store: store,
            now: now,
            logger: logger
        )
    }

    /// Fills an empty book.
    ///
    /// A market whose first orders have expired is made anew from now on.
    private func seed(
        _ relay: RelayServer,
        _ settings: SandboxSettings,
        _ accounts: SandboxAccounts
    ) async throws -> Int {
        let shortestLife: UInt64 = 86_400
        let isFresh = now() < settings.start + shortestLife
        let market = SandboxMarket(
            seed: settings.seed,
            start: isFresh ? settings.start : now(),
            orders: settings.orders,
            accounts: accounts
        )
        let orders = try await market.signed(by: exchangeProtocol)
        let outcome = try await relay.desk.add(orders)
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

    private func closeStore(_ store: RelayStore) {
        do {
            try store.close()
        } catch {
            logger.warning("The relay's file was not closed: \(error)")
        }
    }

    package static let systemTime: @Sendable () -> UInt64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(max(0, time.tv_sec))
    }
}

extension Sandbox {
    private enum Ready: Sendable {
        case chain(url: String)
        case relay(port: Int)
    }

    /// Runs both servers until the task is cancelled or one of them fails.
    private func serve(
        _ chain: SandboxChain,
        _ relay: RelayServer,
        _ faults: FaultControl,
        onReady: @escaping @Sendable (_ rpc: String, _ relayPort: Int) async throws -> Void
    ) async throws {
        let (events, sender) = AsyncStream.makeStream(of: Ready.self)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await named("chain", options.rpcPort) {
                        let server = ChainServer(
                            chain: chain,
                            port: options.rpcPort,
                            middleware: FaultGate<ChainRequestContext>(
                                server: .node,
                                board: faults.board,
                                control: { try await faults.answer(&$0) },
                                watch: { try await faults.watch(&$0) }
                            ),
                            logger: logger
                        )
                        try await server.run { sender.yield(.chain(url: $0)) }
                    }
                }
                group.addTask {
                    try await named("relay", options.relayPort) {
                        let application = relay.application(
                            port: options.relayPort,
                            middleware: FaultGate<RelayRequestContext>(
                                server: .relay,
                                board: faults.board
                            )
                        ) {
                            sender.yield(.relay(port: $0))
                        }
                        try await application.run()
                    }
                }
                group.addTask {
                    var rpc: String?
                    var port: Int?
                    for await event in events {
                        switch event {
                        case .chain(let url): rpc = url
                        case .relay(let number): port = number
                        }
                        if let rpc, let port { try await onReady(rpc, port) }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is CancellationError {
            // That is how a sandbox ends.
        }
    }

    /// Runs a server; a port that cannot be had is told by its name.
    private func named(
        _ name: String,
        _ port: Int,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as IOError {
            throw SandboxHostError.portTaken(
                name: name,
                port: port,
                reason: String(cString: strerror(error.errnoCode))
            )
        }
    }
}
