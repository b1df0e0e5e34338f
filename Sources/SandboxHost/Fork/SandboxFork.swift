import DexSandbox
package import Ethereum
import EthereumWallet
import Glibc
import HTTPServing
import HTTPTypes
package import Logging
import NIOCore
import ZeroEx

/// A fork of a live chain: its contracts, pools and balances at one block, on a chain of this machine.
///
/// It has a node, and no relay, market or swap API of its own.
package struct SandboxFork: Sendable {
    package struct Options: Sendable {
        package var folder: SandboxFolder
        /// The live chain's node; nil goes on with what was fetched before.
        package var node: (any ChainClient)?
        /// What of the node's URL may be shown: scheme, host and port.
        package var origin: String?
        /// The block to begin at; nil takes one some blocks behind the newest.
        package var block: UInt64?
        /// Of the fork; nil is not the live chain's.
        package var chainID: UInt64?
        package var coin: CoinSymbol?
        package var seed: UInt64?
        package var hasNamedAccounts: Bool?
        package var fundingRequests: [FundingRequest] = []
        /// Nothing is kept on disk.
        package var isInMemory = false
        package var listen = ListenAddress.loopback
        /// 0 takes a free port.
        package var rpcPort = 0
        /// Seconds between blocks; nil makes a block for each transaction at once.
        package var blockTime: UInt64?

        package init(folder: SandboxFolder) { self.folder = folder }
    }

    private let options: Options
    private let facts: @Sendable (_ chainID: UInt64) throws -> ForkFacts
    private let check: @Sendable (_ chainID: UInt64, _ live: UInt64) throws -> Void
    private let progress: @Sendable (String) -> Void
    private let now: @Sendable () -> UInt64
    private let logger: Logger

    /// A fork that is not running yet.
    ///
    /// - Parameters:
    ///   - facts: of the live chain by its id.
    ///   - check: throws for a chain id of the fork that signatures must not have.
    ///   - progress: shows what takes time.
    ///   - now: seconds since 1970.
    package init(
        options: Options,
        facts: @escaping @Sendable (_ chainID: UInt64) throws -> ForkFacts,
        check: @escaping @Sendable (_ chainID: UInt64, _ live: UInt64) throws -> Void,
        progress: @escaping @Sendable (String) -> Void = { _ in },
        now: @escaping @Sendable () -> UInt64 = Sandbox.systemTime,
        logger: Logger = Logger(label: "dex.sandbox.fork") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.options = options
        self.facts = facts
        self.check = check
        self.progress = progress
        self.now = now
        self.logger = logger
    }

    /// What an account with a name has at first.
    static let etherOfTrader = UInt256(100) * UInt256(1_000_000_000_000_000_000)

    /// Runs until the task is cancelled; then everything is closed and state.json is removed.
    ///
    /// - Parameter onReady: called once, when the node answers and state.json exists.
    /// - Throws: `SandboxHostError`, `SandboxError`, `ForkError`, or what `facts`, `check` and `onReady`
    ///   throw.
    @concurrent
    package func run(
        onReady: @escaping @Sendable (SandboxState) async throws -> Void
    ) async throws {
        let folder = options.folder
        let lock = try folder.begin()
        defer { lock.release() }
        let kept = try kept()
        let (settings, upstream) = try await origin(kept)
        let facts = try facts(settings.point.chainID)
        if kept == nil, !options.isInMemory { try settings.write(to: folder) }
        let chain: SandboxChain
        do {
            chain = try await begin(settings, upstream, facts, isNew: kept == nil)
        } catch {
            // A beginning that failed is none: the next one may be at another block.
            if kept == nil { try folder.removeFork() }
            throw error
        }
        try await serve(chain, settings, onReady)
    }

    /// What the folder keeps of a fork.
    private func kept() throws(SandboxHostError) -> ForkSettings? {
        let folder = options.folder
        let kept = try ForkSettings.kept(in: folder)
        let keepsChain = try folder.keepsChain()
        if kept == nil, keepsChain { throw .ownKept(folder: folder.path) }
        guard options.isInMemory else { return kept }
        guard !keepsChain else { throw .keptHere(folder: folder.path) }
        try folder.removeJournal()
        return nil
    }

    /// Where the fork begins, and the node that has its state.
    private func origin(
        _ kept: ForkSettings?
    ) async throws -> (ForkSettings, ForkUpstream?) {
        if let kept {
            try compare(kept)
            guard let node = options.node else { return (kept, nil) }
            progress("Asking the live chain's node for block \(kept.point.block.number)")
            return (kept, try await .resume(node, at: kept.point))
        }
        guard let node = options.node else { throw SandboxHostError.noFork }
        progress("Asking the live chain's node")
        let upstream = try await ForkUpstream.begin(node, at: options.block, now: now())
        let live = upstream.point.chainID
        let chainID = options.chainID ?? ForkSettings.usualChainID(of: live)
        try check(chainID, live)
        let settings = ForkSettings(
            chainID: chainID,
            point: upstream.point,
            coin: try options.coin ?? facts(live).coin,
            seed: options.seed ?? SandboxSettings.standardSeed,
            hasNamedAccounts: options.hasNamedAccounts ?? true
        )
        return (settings, upstream)
    }

    /// - Throws: `SandboxHostError` for options with which another fork would begin.
    private func compare(_ kept: ForkSettings) throws(SandboxHostError) {
        try options.folder.compare([
            ("block", options.block.map { "\($0)" }, "\(kept.point.block.number)"),
            ("chain-id", options.chainID.map { "\($0)" }, "\(kept.chainID)"),
            ("coin", options.coin?.text, kept.coin.text),
            ("seed", options.seed.map { "\($0)" }, "\(kept.seed)"),
            (
                "accounts", options.hasNamedAccounts.map(SandboxFolder.accounts),
                SandboxFolder.accounts(areNamed: kept.hasNamedAccounts)
            ),
        ])
    }

    /// Opens the chain and gives its accounts what they are to have.
    private func begin(
        _ settings: ForkSettings,
        _ upstream: ForkUpstream?,
        _ facts: ForkFacts,
        isNew: Bool
    ) async throws -> SandboxChain {
        let now = now
        let chain = try SandboxChain(
            fork: Fork(point: settings.point, upstream: upstream, chainID: settings.chainID),
            configuration: ChainConfiguration(
                storePath: options.isInMemory ? nil : options.folder.chainFile,
                mining: options.blockTime.map { .interval(seconds: $0) } ?? .instant,
                now: now,
                recoverer: Secp256k1()
            )
        )
        if isNew {
            progress("Fetching the accounts")
            try await chain.prepare()
            let traders = try settings.accounts().traders.map(\.address)
            try await chain.fund(
                traders.map { .init(account: $0, token: nil, amount: Self.etherOfTrader) },
                wrapped: nil,
                plain: traders
            )
        }
        guard !options.fundingRequests.isEmpty else { return chain }
        var fundings: [ForkFunding] = []
        for request in options.fundingRequests {
            progress("Finding the balance of \(request.token ?? facts.coin.text)")
            fundings.append(try await funding(request, facts, chain))
        }
        try await chain.fund(fundings, wrapped: facts.wrapped)
        return chain
    }

    private func funding(
        _ request: FundingRequest,
        _ facts: ForkFacts,
        _ chain: SandboxChain
    ) async throws -> ForkFunding {
        let token = try request.token.flatMap { $0 == facts.coin.text ? nil : try facts.token($0) }
        var decimals: UInt8 = 18
        if let token {
            let answer = try await decimalsOf(token, chain)
            guard let found = UInt256(bigEndian: answer), found <= 77, answer.count == 32 else {
                throw SandboxError.badFunding(
                    "\(token.checksummed) is no token: it does not say its decimals."
                )
            }
            decimals = UInt8(found.w0)
        }
        do throws(DecimalTextError) {
            let amount = try DecimalText.parse(request.amount, decimals: decimals)
            return ForkFunding(account: request.account, token: token, amount: amount)
        } catch {
            throw SandboxError.badFunding(
                "--fund does not take the amount \(request.amount): \(error)."
            )
        }
    }

    private func decimalsOf(
        _ token: Address,
        _ chain: SandboxChain
    ) async throws -> [UInt8] {
        do throws(ChainError) {
            return try await chain.call(CallRequest(to: token, data: ERC20.decimals))
        } catch {
            guard error.isContractFailure else { throw error }
            return []
        }
    }

    private func serve(
        _ chain: SandboxChain,
        _ settings: ForkSettings,
        _ onReady: @escaping @Sendable (SandboxState) async throws -> Void
    ) async throws {
        let folder = options.folder
        let (listen, point) = (options.listen, settings.point)
        let server = SandboxServers.Server(name: "chain", port: options.rpcPort) { onReady in
            try await ChainServer(
                chain: chain,
                host: listen.text,
                port: options.rpcPort,
                hosts: listen.hosts,
                pages: { request in Self.page(point, at: request.path) },
                logger: logger
            ).run(onReady: onReady)
        }
        try await SandboxServers(listen: listen, folder: folder).run([server]) { ports in
            var state = SandboxState(
                listen,
                rpc: ports[0],
                networks: SandboxDeployment.all().map { SandboxState.Offer($0, relay: nil) },
                chainID: settings.chainID,
                coin: settings.coin,
                genesis: point.block.hash,
                seed: settings.seed,
                startedAt: now(),
                accounts: try settings.accounts().traders
            )
            state.fork = SandboxState.Fork(
                chainID: point.chainID,
                block: point.block.number,
                origin: options.origin
            )
            try state.write(to: folder)
            try await onReady(state)
        }
    }

    /// What a browser, or a machine that wants to follow, is told.
    private static func page(_ point: ForkPoint, at path: String) -> Response {
        guard path != LeaderRoutes.genesisPath else {
            return Response(json: ByteBuffer(string: #"{"fork":\#(point.chainID)}"#))
        }
        return Response(
            path == "/" ? .ok : .notFound,
            type: "text/plain; charset=utf-8",
            ByteBuffer(
                string: "This is the node of a fork of chain \(point.chainID) at block "
                    + "\(point.block.number): POST JSON-RPC here. A fork has a node alone: no explorer, "
                    + "relay, market, swap API or faults, and no other machine can follow it. In a "
                    + "terminal: dex block latest\n"
            )
        )
    }
}
