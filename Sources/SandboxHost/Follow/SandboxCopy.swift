import DexRelay
import DexSandbox
package import Ethereum
import EthereumWallet
import Explorer
import Glibc
import HTTPServing
import HTTPTypes
package import Logging
import NIOCore
import StrictJSON
import Synchronization

/// A verified copy of another machine's sandbox: its chain, executed here block by block, and its
/// orders, with a node and a relay that serve them.
package struct SandboxCopy: Sendable {
    package struct Options: Sendable {
        package var folder: SandboxFolder
        package var listen = ListenAddress.loopback
        /// 0 takes a free port.
        package var rpcPort = 0
        package var relayPort = 0
        /// The other machine's node, as it was given.
        package var leader: String
        /// The hash that block 0 has to have; nil trusts the first answer.
        package var genesis: BlockHash?
        /// The time between two questions for blocks.
        package var interval = Duration.milliseconds(500)
        /// Of this program, for the relay's description.
        package var version = ""

        package init(folder: SandboxFolder, leader: String) {
            self.folder = folder
            self.leader = leader
        }
    }

    /// A copy that answers.
    package struct Report: Sendable {
        package let state: SandboxState
        package let status: CopyStatus
    }

    let options: Options
    let leader: any LeaderConnection
    /// Refuses settings that this machine must not take part in.
    let check: @Sendable (SandboxSettings) throws -> Void
    let now: @Sendable () -> UInt64
    let logger: Logger

    /// A copy that is not running yet.
    ///
    /// - Parameters:
    ///   - check: throws for a chain whose signatures would count elsewhere.
    ///   - now: seconds since 1970.
    package init(
        options: Options,
        leader: any LeaderConnection,
        check: @escaping @Sendable (SandboxSettings) throws -> Void,
        now: @escaping @Sendable () -> UInt64 = Sandbox.systemTime,
        logger: Logger = Logger(label: "dex.sandbox.copy") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.options = options
        self.leader = leader
        self.check = check
        self.now = now
        self.logger = logger
    }

    /// The node that a folder's copy followed last; nil if there is no copy.
    ///
    /// - Throws: `SandboxHostError`.
    package static func leader(of folder: SandboxFolder) throws(SandboxHostError) -> String? {
        guard let bytes = try SandboxFolder.read(folder.leaderFile) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    /// Runs until the task is cancelled; then everything is closed and state.json is removed.
    ///
    /// - Parameters:
    ///   - onChange: gets the status whenever its condition has become another one.
    ///   - onReady: called once, when both servers answer and state.json exists.
    /// - Returns: its last status, which tells whether something did not verify.
    /// - Throws: `SandboxHostError`, `SandboxError`, `OrderStoreError`, `CopyRefusal`,
    ///   `LeaderSilence` if there is no copy yet and the other machine does not answer, or what
    ///   `check` and `onReady` throw.
    @concurrent
    package func run(
        onChange: @escaping @Sendable (CopyStatus) -> Void = { _ in },
        onReady: @escaping @Sendable (Report) async throws -> Void
    ) async throws -> CopyStatus {
        let folder = options.folder
        let lock = try folder.begin()
        defer { lock.release() }
        let (settings, genesis) = try await origin()
        try SandboxFolder.replace(folder.leaderFile, with: Array("\(options.leader)\n".utf8))
        let chain = try chain(genesis)
        let store = try SQLiteOrderStore(path: folder.relayFile)
        return try await store.closing(logger) {
            try await run(chain, store, settings, onChange, onReady)
        }
    }

    private func chain(_ genesis: Genesis) throws(SandboxError) -> SandboxChain {
        try SandboxChain(
            genesis: genesis,
            configuration: ChainConfiguration(
                storePath: options.folder.chainFile,
                isCopy: true,
                mining: .manual,
                now: now,
                recoverer: Secp256k1()
            )
        )
    }

    /// How the chain began: what the folder has, else what the other machine says and its hash
    /// confirms.
    private func origin() async throws -> (SandboxSettings, Genesis) {
        if let kept = try SandboxSettings.kept(in: options.folder) {
            let genesis = try Self.genesis(kept)
            if let wanted = options.genesis, wanted != genesis.hash {
                throw CopyRefusal.otherGenesis(found: genesis.hash, expected: wanted)
            }
            try check(kept)
            return (kept, genesis)
        }
        let origin = try await CopyOrigin.fetch(from: leader)
        if let wanted = options.genesis, wanted != origin.genesis {
            throw CopyRefusal.otherGenesis(found: origin.genesis, expected: wanted)
        }
        try check(origin.settings)
        let genesis = try Self.genesis(origin.settings)
        guard genesis.hash == origin.genesis else {
            throw CopyRefusal.otherGenesis(found: origin.genesis, expected: genesis.hash)
        }
        try origin.settings.write(to: options.folder)
        return (origin.settings, genesis)
    }

    private static func genesis(_ settings: SandboxSettings) throws -> Genesis {
        let genesis = try settings.genesis(settings.accounts())
        try genesis.validate()
        return genesis
    }

    private func run(
        _ chain: SandboxChain,
        _ store: any OrderStore,
        _ settings: SandboxSettings,
        _ onChange: @escaping @Sendable (CopyStatus) -> Void,
        _ onReady: @escaping @Sendable (Report) async throws -> Void
    ) async throws -> CopyStatus {
        let folder = options.folder
        let venues = settings.venues
        let relay = try SandboxRelay(
            settings: settings,
            version: options.version,
            now: now,
            logger: logger
        ).server(chain, store)
        try await relay.restore()
        let head = await chain.latestBlock
        let state = CopyState(
            CopyStatus(block: head.number, timestamp: head.timestamp),
            onChange: onChange
        )
        let forwarder = TransactionForwarder(chain: chain, leader: leader)
        let follower = ChainFollower(
            chain: chain,
            leader: leader,
            name: Self.name(of: folder),
            state: state,
            now: now
        )
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let (returns, isBack) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let relayPort = LeaderRoutes.RelayPort()
        let orders = OrderCopy(relay: relay, venues: venues, leader: leader, clock: now)
        let pages = ExplorerRoutes(
            try SandboxExplorer.explorer(
                of: chain,
                zip(venues, relay.markets),
                settings,
                name: "dex sandbox, a verified copy",
                now: now
            )
        )
        let listen = options.listen
        let chainServer = SandboxServers.Server(name: "chain", port: options.rpcPort) { onReady in
            try await ChainServer(
                chain: chain,
                host: listen.text,
                port: options.rpcPort,
                hosts: listen.hosts,
                access: .copy,
                filter: CopyNodeFilter(
                    chain: chain,
                    forwarder: forwarder,
                    state: state,
                    now: now,
                    wake: { wake.yield() }
                ),
                pages: { request in
                    if let reason = state.value.stop { return CopyNodeFilter.unavailable(reason) }
                    return await pages.respond(to: request)
                },
                logger: logger
            ).run(onReady: onReady)
        }
        let relayServer = SandboxServers.Server(name: "relay", port: options.relayPort) { onReady in
            let application = relay.application(
                host: listen.text,
                port: options.relayPort,
                isLocal: true,
                hosts: listen.hosts,
                refusal: {
                    state.value.stop.map {
                        RequestRefusal(status: .serviceUnavailable, reason: $0)
                    }
                },
                filter: CopyRelayFilter(
                    leader: leader,
                    relayPort: relayPort,
                    state: state,
                    hosts: listen.hosts,
                    wake: { wake.yield() }
                ),
                onRunning: onReady
            )
            try await application.run()
        }
        try await SandboxServers(listen: listen, folder: folder).run(
            [chainServer, relayServer],
            beside: [
                { try await follow(follower, orders, relayPort, wakes) { isBack.yield() } },
                { for await _ in returns { try await Self.forwardWaiting(forwarder) } },
                {
                    while true {
                        try await ContinuousClock().sleep(for: options.interval)
                        wake.yield()
                    }
                },
            ]
        ) { ports in
            var described = try SandboxState(
                listen,
                ports: (ports[0], ports[1]),
                zip(venues, relay.markets),
                settings,
                genesis: await chain.genesisHash,
                startedAt: now()
            )
            described.leader = options.leader
            try described.write(to: folder)
            try await onReady(Report(state: described, status: state.value))
        }
        return state.value
    }
}
