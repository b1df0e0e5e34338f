import DexCore
import DexNetwork
import DexSettings
import DexStore
import Ethereum
import EthereumWallet
import PrivateFiles
import SandboxHost
import ZeroEx

/// Wires the live parts together.
extension CommandContext {
    /// The requirements of a command.
    enum Need: Hashable {
        case node
        case relay
        /// A relay; without one, a node and Uniswap's pools.
        case market
        /// The swap API where the network has one, with its key, which may be missing.
        ///
        /// The venues are those of the command, or nil for those of the network; if they are the
        /// book alone, no key is read.
        case swap(VenueChoice?)
    }

    // MARK: Settings and network

    /// - Throws: `DexError`, exit 3.
    func settings() throws(DexError) -> Settings { try config.read() }

    /// The network of flags, environment and file; a running sandbox's with its URLs.
    ///
    /// - Throws: `DexError`, exit 2 or 3.
    func network(_ settings: Settings) throws(DexError) -> Network {
        let name = options.network ?? environment["DEX_NETWORK"] ?? settings.networkName
        var network = try settings.network(name)
        if network.isSandbox, let sandbox = try sandbox() {
            network.run(on: sandbox, among: try settings.networks())
        }
        let relays = try addresses(options.relay, "--relay", "DEX_RELAY_URL")
        if !relays.isEmpty {
            network.relays = try Self.relays(relays, over: network.relays)
        }
        let nodes = try addresses(options.rpc, "--rpc", "DEX_RPC_URL")
        if !nodes.isEmpty { network.rpc = nodes }
        return network
    }

    /// Named relays, each once; one that the settings know keeps its feed.
    ///
    /// - Throws: `DexError`, exit 2, for more than can be merged.
    static func relays(
        _ urls: [String],
        over known: [RelayEndpoint]
    ) throws(DexError) -> [RelayEndpoint] {
        var seen: Set<String> = []
        let relays = urls.filter { seen.insert($0).inserted }.map { url in
            known.first { $0.url == url } ?? RelayEndpoint(url: url)
        }
        guard relays.count <= RelayEndpoint.maximum else {
            throw SetupError.tooManyRelays(relays.count)
        }
        return relays
    }

    /// The folder of the copy of another machine's sandbox if that runs, else of our own one.
    func sandboxFolder() throws(DexError) -> SandboxFolder {
        let home = try home()
        let copy = SandboxFolder(home.sandboxCopy)
        return copy.isInUse ? copy : SandboxFolder(home.sandbox)
    }

    /// The running sandbox, or the copy of another one; nil if none runs.
    func sandbox() throws(DexError) -> SandboxState? {
        let folder = try sandboxFolder()
        do throws(SandboxHostError) {
            return try SandboxState.read(folder)
        } catch {
            throw SandboxUseError.badState(error)
        }
    }

    /// The URLs of an option.
    ///
    /// - Throws: `DexError`, exit 2, if one is none.
    static func checked(_ urls: [String], _ option: String) throws(DexError) -> [String] {
        guard urls.allSatisfy(WebAddress.isValid) else {
            throw SetupError.badURL(source: option, isFlag: true)
        }
        return urls
    }

    /// A flag's URLs, else those of a variable, comma-separated.
    private func addresses(
        _ flags: [String],
        _ option: String,
        _ variable: String
    ) throws(DexError) -> [String] {
        if !flags.isEmpty { return try Self.checked(flags, option) }
        let texts = (environment[variable] ?? "").split(separator: ",").map { text in
            String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        for text in texts where !WebAddress.isValid(text) {
            throw SetupError.badURL(source: variable, isFlag: false)
        }
        return texts
    }

    // MARK: Session

    /// The clients of the network in use.
    ///
    /// - Throws: `DexError`: exit 3 if a required setting is missing, 4 if the sandbox does not
    ///   run.
    func session(_ needs: [Need]) throws(DexError) -> Session {
        let network = try network(try settings())
        if needs.contains(.node) {
            if network.rpc.isEmpty { throw missing("node", "rpc", network) }
            try checkQuorum(of: network)
        }
        if needs.contains(.relay), network.relays.isEmpty {
            throw missing("relay", "relay", network)
        }
        if needs.contains(.market), network.relays.isEmpty {
            if network.pools == nil { throw missing("relay", "relay", network) }
            if network.rpc.isEmpty { throw missing("node", "rpc", network) }
        }
        return try session(
            network,
            venues: needs.reduce(into: []) { venues, need in
                if need == .market { venues.insert(.pools) }
                guard case .swap(let via) = need else { return }
                let choice = via ?? network.swap?.via ?? .best
                venues.formUnion(choice.sources)
            }
        )
    }

    /// The time limit of a command, as a multiple of the longest wait for one answer.
    private static let maximumAnswers: UInt64 = 10

    /// Carries requests, bounded by --timeout: each of them, and all of a command together.
    func transport() -> CommandTransport {
        let options = transportOptions
        return CommandTransport(
            CurlTransport(options: options),
            budget,
            RequestLimits(
                milliseconds: UInt64(clamping: options.timeout) * Self.maximumAnswers,
                bytes: MemoryLimit.forAnswers
            )
        )
    }

    /// The limits of a request, from --timeout.
    var transportOptions: CurlTransport.Options {
        var transport = CurlTransport.Options()
        if let seconds = options.timeout { transport.allow(seconds: seconds) }
        return transport
    }

    /// The time limits of whole lists and reads, at least four times `--timeout`.
    private var answerLimits: AnswerLimits {
        var limits = AnswerLimits()
        if let seconds = options.timeout {
            let (time, overflow) = seconds.multipliedReportingOverflow(by: 4_000)
            limits.milliseconds = max(limits.milliseconds, overflow ? .max : time)
        }
        return limits
    }

    /// The clients of a network.
    ///
    /// - Parameter venues: those beside the book that are asked; the key of a swap API is read for it
    ///   alone.
    /// - Throws: `DexError`, exit 3.
    func session(_ network: Network, venues: Set<Venue> = []) throws(DexError) -> Session {
        let transport = transport()
        let exchange = Protocols.implementation(of: network)
        let relays = relayMembers(of: network, exchange, transport)
        let environment = liveEnvironment
        let quorumMemory = QuorumMemory()
        let nodes = chain(of: network, transport, quorumMemory, environment)
        let privateNode = network.privateRPC.map { url in
            JSONRPCChainClient(urls: [url], transport: transport, answers: answerLimits)
        }
        let chain: any ChainClient =
            privateNode.map { PrivateChainClient(nodes: nodes, endpoint: $0) } ?? nodes
        let tokens = try tokenMap(network)
        return Session(
            network: network,
            exchangeProtocol: exchange,
            chain: chain,
            relay: relays.count > 1
                ? relayGroup(relays, exchange, exchangeAddress: network.exchange)
                : relays.first?.client,
            feed: relays.count == 1 ? relays.first?.feed : nil,
            swap: venues.contains(.swap) ? try swapClient(network, transport) : nil,
            pools: venues.contains(.pools)
                ? PoolSource(network, chain: chain, tokens: tokens, now: environment.now) : nil,
            tokens: tokens,
            recoverer: Secp256k1(),
            signatures: caches.signatures(try home(), random: environment.random),
            environment: environment,
            probes: network.distinctNodes.map { url in
                HTTPNodeProbe(url: url, transport: transport) { Console.milliseconds() }
            },
            quorumMemory: quorumMemory,
            freshness: freshness,
            privateNode: privateNode,
            proofNodes: network.provesState ? members(of: network, transport) : []
        )
    }

    /// The nodes as one, whose answers are held against the network's rule of freshness.
    private func chain(
        of network: Network,
        _ transport: any HTTPTransport,
        _ memory: QuorumMemory,
        _ environment: Environment
    ) -> any ChainClient {
        let nodes = nodes(of: network, transport, memory)
        return FreshChainClient(
            nodes,
            nodes: nodes as? any NodeChoice,
            chainID: network.chainID,
            rule: network.freshnessRule,
            now: environment.now,
            elapsed: environment.elapsed,
            memory: freshness
        )
    }

    /// The nodes as one: tried in turn, or so many at once as must agree.
    private func nodes(
        of network: Network,
        _ transport: any HTTPTransport,
        _ memory: QuorumMemory
    ) -> any ChainClient {
        guard network.quorum > 1 else { return client(network.rpc, transport) }
        return QuorumChainClient(
            members(of: network, transport),
            quorum: Int(clamping: network.quorum),
            memory: memory
        )
    }

    /// The nodes of a network, each by itself.
    private func members(
        of network: Network,
        _ transport: any HTTPTransport
    ) -> [QuorumChainClient.Member] {
        zip(network.distinctNodeNames, network.distinctNodes).map { name, url in
            QuorumChainClient.Member(name: name, client: client([url], transport))
        }
    }

    private func client(_ urls: [String], _ transport: any HTTPTransport) -> JSONRPCChainClient {
        JSONRPCChainClient(urls: urls, transport: transport, answers: answerLimits)
    }

    /// Checks that there are as many nodes as must agree.
    ///
    /// - Throws: `DexError`, exit 3, `too-few-nodes`.
    func checkQuorum(of network: Network) throws(DexError) {
        let count = network.distinctNodes.count
        guard network.quorum > 1, count < network.quorum else { return }
        throw SetupError.tooFewNodes(network: network.name, quorum: network.quorum, nodes: count)
    }

    /// The relays of a network, each with its feed.
    private func relayMembers(
        of network: Network,
        _ exchange: any ExchangeProtocol,
        _ transport: any HTTPTransport
    ) -> [RelayMember] {
        let sockets = WebSocketClient(options: transportOptions)
        return zip(network.relays, network.relayNames).map { relay, name in
            let usual = RelayClients.feedURL(baseURL: relay.url, version: exchange.version)
            let url: String? =
                switch relay.feed {
                case .usual: usual
                case .at(let url): url
                case .none: nil
                }
            return RelayMember(
                name: name,
                client: RelayClients.client(
                    baseURL: relay.url,
                    exchangeProtocol: exchange,
                    transport: transport,
                    limits: answerLimits
                ),
                feed: url.map { url in
                    WebSocketFeed(url: url, client: sockets, exchangeProtocol: exchange)
                }
            )
        }
    }

    /// Several relays as one; a relay's whole answer may take as long as one answer of another.
    private func relayGroup(
        _ members: [RelayMember],
        _ exchange: any ExchangeProtocol,
        exchangeAddress: Address
    ) -> RelayGroup {
        RelayGroup(
            members,
            deadline: options.timeout.map { UInt64($0) * 1_000 } ?? Self.relayDeadline,
            clock: RelayGroup.Clock(
                elapsed: liveEnvironment.elapsed,
                sleep: liveEnvironment.sleep
            )
        ) { order in
            let check = { () throws(OrderRejection) in
                try exchange.verify(order, exchange: exchangeAddress, recoverer: Secp256k1())
            }
            do { try check() } catch { return false }
            return true
        }
    }

    /// Milliseconds for the whole answer of one of several relays, without --timeout.
    private static let relayDeadline: UInt64 = 10_000

    /// The error of a network without a `node` or `relay`.
    ///
    /// - Parameter isAll: nothing else is missing that is told of after it.
    func missing(
        _ what: String,
        _ key: String,
        _ network: Network,
        isAll: Bool = true
    ) -> DexError {
        if network.fork != nil { return SandboxUseError.isFork(lacks: what) }
        if network.isSandbox {
            let named = options.network ?? environment["DEX_NETWORK"]
            // nil: the settings cannot be read, which is another error
            if named == nil, let settings = try? settings(), settings.text(["network"]) == nil {
                return SandboxUseError.nothingSetUp
            }
            return SandboxUseError.notRunning(so: "there is no \(what) to talk to")
        }
        return SetupError.networkLacks(what, network: network.name, key: key, isAll: isAll)
    }

    /// The bundled tokens of a network and those of its list.
    ///
    /// Entries that are left out are a warning, and so is a list that cannot be read where a command
    /// takes back what was given: nothing must keep a user from that.
    ///
    /// - Throws: `DexError`, exit 3.
    func tokenMap(_ network: Network) throws(DexError) -> TokenMap {
        func map(_ list: [UInt8]?) throws(DexError) -> TokenMap {
            try TokenMap(
                chainID: network.chainID,
                listed: network.tokenChain,
                coin: network.coin,
                userList: list
            )
        }
        let tokens: TokenMap
        do throws(DexError) {
            tokens = try map(try userList(network))
        } catch {
            guard isWithdrawal else { throw error }
            warn(late: "\(error.message) This command does without it.")
            return try map(nil)
        }
        if let warning = tokens.leftOutWarning { warn(late: warning) }
        return tokens
    }

    private func userList(_ network: Network) throws(DexError) -> [UInt8]? {
        guard let path = network.tokenList else { return nil }
        do throws(PrivateFiles.Failure) {
            if let bytes = try PrivateFiles.read(path, as: .text) { return bytes }
        } catch {
            throw Failure.describe(error)
        }
        throw SetupError.noTokenList(path, network: network.name)
    }

    var liveEnvironment: Environment {
        let console = console
        return Environment(
            now: { Console.now() },
            elapsed: { Console.milliseconds() },
            sleep: { milliseconds in
                try await Task.sleep(for: .milliseconds(Int64(clamping: milliseconds)))
            },
            random: {
                var generator = SystemRandomNumberGenerator()
                return Bytes32(
                    limbs: (generator.next(), generator.next(), generator.next(), generator.next())
                )
            },
            progress: { console.progress($0) },
            warn: { [late] warning in
                if late.add(warning) { console.alert(warning) }
            },
            waiting: { console.show($0) },
            onReported: { [reported] in reported.add($0) }
        )
    }

    // MARK: Money

    /// The journal; the sandbox's is in its folder and is removed with the chain.
    func journal(_ network: Network) throws(DexError) -> Journal {
        let home = try home()
        return Journal(
            path: network.isSandbox
                ? try sandboxFolder().journalFile : "\(home.data)/journal.sqlite"
        )
    }

    /// What the models of own orders and transactions work with.
    ///
    /// - Throws: `DexError`, as `session`.
    func reading(_ session: Session) throws(DexError) -> ReadContext {
        ReadContext(
            session: session,
            journal: try journal(session.network),
            settings: try readSettings()
        )
    }

    /// What config.toml says of reading.
    func readSettings() throws(DexError) -> ReadSettings {
        let file = try settings()
        var reading = ReadSettings()
        if let margin = file.integer(["trade", "expiry_margin"]) { reading.expiryMargin = margin }
        if let text = file.text(["trade", "max_taker_fee"]) { try reading.takerFees.set(text) }
        return reading
    }

    /// The settings of config.toml for trades; a command's flags may allow more.
    func tradeSettings() throws(DexError) -> TradeSettings {
        let file = try settings()
        var trade = TradeSettings()
        if let text = file.text(["trade", "slippage"]) {
            trade.slippage = try TradeSettings.basisPoints(text)
        }
        if let text = file.text(["trade", "max_gas_cost"]),
            let wei = try? DecimalText.parse(text, decimals: 18)  // config.toml was checked
        {
            trade.feeCap = Wei(wei)
        }
        if let text = file.text(["trade", "priority"]),
            let priority = FeePriority(rawValue: text)
        {
            trade.fees.usual = priority
        }
        if let text = file.text(["trade", "max_taker_fee"]) { try trade.takerFees.set(text) }
        if let seconds = file.integer(["trade", "expiry_margin"]) { trade.expiryMargin = seconds }
        // nil: an unknown network is reported by what uses it.
        let usual = (try? network(file))?.confirmations
        trade.confirmations = max(1, file.integer(["trade", "confirmations"]) ?? usual ?? 1)
        if let seconds = file.integer(["trade", "receipt_timeout"]) {
            trade.receiptTimeout = seconds
        }
        return trade
    }
}

extension Network {
    /// Takes the URLs, chain id and coin of a running sandbox that offers the network's version of 0x.
    ///
    /// - Parameter known: all networks, of which a fork takes those of its live chain.
    mutating func run(on sandbox: SandboxState, among known: [Network]) {
        if let fork = sandbox.fork {
            let same = known.filter { $0.chainID == fork.chainID }
            let live = same.first { $0.protocolVersion == protocolVersion } ?? same.first
            self.fork(live, at: Fork(chainID: fork.chainID, block: fork.block))
        }
        rpc = [sandbox.rpc]
        chainID = sandbox.chainID
        coin = sandbox.coin
        guard sandbox.fork == nil else { return }
        relay = sandbox.relay(protocolVersion)
        swap = sandbox.swap.map { SwapSettings(api: $0, via: swap?.via ?? .best) }
    }
}
