import DexCore
import DexNetwork
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import ZeroEx

/// The number of sequential requests of a dry-run `market-buy`, in a small and in a large book, and
/// what they become if two nodes must agree.
struct RoundTripBenchmark {
    private static let limit = 4
    /// The delay of a request as a multiple of a plan's computing time.
    ///
    /// Otherwise computing would count as a trip on a busy machine.
    private static let delayBesideComputing = 4

    static func run(binary: String) async throws -> [Measurement] {
        var measurements: [Measurement] = []
        for orders in [400, BookBenchmark.orderCount] {
            let sandbox = try BenchmarkSandbox(binary: binary, orders: orders)
            for version in ProtocolVersion.allCases {
                let count = try await roundTrips(sandbox, version)
                measurements.append(
                    Measurement(
                        name: "market-buy --dry-run, \(orders) \(version) orders: trips / \(limit)",
                        figure: "\(count.roundTrips) (\(count.requests) requests)",
                        ratio: Double(count.roundTrips) / Double(limit),
                        limit: 1
                    )
                )
            }
            for version in ProtocolVersion.allCases where orders == 400 {
                measurements.append(try await quorum(sandbox, version))
            }
            try sandbox.stop()
        }
        return measurements
    }

    private static func roundTrips(
        _ sandbox: BenchmarkSandbox,
        _ protocolVersion: ProtocolVersion
    ) async throws -> (requests: Int, roundTrips: Int) {
        let network = try sandbox.network(protocolVersion)
        let plain = DelayingTransport(CurlTransport(), delay: .zero)
        let computing = try await plan(sandbox, network, plain)
        let delay = max(.seconds(1), computing * delayBesideComputing)
        let delaying = DelayingTransport(CurlTransport(), delay: delay)
        let wall = try await plan(sandbox, network, delaying)
        return (delaying.requests, Int(wall / delay))
    }

    /// The reads of each of two nodes that must agree, against those of one node alone: counted.
    ///
    /// The reads of a node follow each other as those of one node do, so equal numbers are equal
    /// round trips.
    private static func quorum(
        _ sandbox: BenchmarkSandbox,
        _ protocolVersion: ProtocolVersion
    ) async throws -> Measurement {
        let network = try sandbox.network(protocolVersion)
        let transport = DelayingTransport(CurlTransport(), delay: .zero)
        func node() -> CountingNode {
            CountingNode(JSONRPCChainClient(urls: network.rpc, transport: transport))
        }
        let (alone, one, other) = (node(), node(), node())
        _ = try await plan(sandbox, network, transport, chain: alone)
        let pair = QuorumChainClient(
            [
                QuorumChainClient.Member(name: "one", client: one),
                QuorumChainClient.Member(name: "other", client: other),
            ],
            quorum: 2
        )
        _ = try await plan(sandbox, network, transport, chain: pair)
        let maximum = max(one.reads, other.reads)
        return Measurement(
            name: "market-buy --dry-run, quorum 2, \(protocolVersion): reads / of one node",
            figure: "\(maximum) (\(alone.reads) of one node)",
            ratio: Double(maximum) / Double(alone.reads),
            limit: 1
        )
    }

    /// The time of a plan.
    ///
    /// - Parameter chain: nil is the network's node.
    private static func plan(
        _ sandbox: BenchmarkSandbox,
        _ network: Network,
        _ transport: DelayingTransport,
        chain: (any ChainClient)? = nil
    ) async throws -> Duration {
        let version = Protocols.implementation(of: network)
        let session = Session(
            network: network,
            exchangeProtocol: version,
            chain: chain ?? JSONRPCChainClient(urls: network.rpc, transport: transport),
            relay: RelayClients.client(
                baseURL: network.relay ?? "",
                exchangeProtocol: version,
                transport: transport
            ),
            tokens: try TokenMap(chainID: network.chainID),
            recoverer: Secp256k1(),
            environment: Environment(
                now: { 0 },
                sleep: { _ in },
                random: { .zero },
                progress: { _ in },
                onReported: { $0.write() }
            )
        )
        let model = MarketOrderModel(
            session: session,
            journal: Journal(path: "\(sandbox.home)/bench.sqlite"),
            settings: TradeSettings()
        )
        let alice = try sandbox.address(of: "alice")
        return try await ContinuousClock().measure {
            _ = try await model.plan(
                MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "500"),
                account: alice
            )
        }
    }
}

/// A node whose reads are counted.
private final class CountingNode: ChainClient {
    private let client: JSONRPCChainClient
    private let count = Mutex(0)

    init(_ client: JSONRPCChainClient) {
        self.client = client
    }

    var reads: Int { count.withLock { $0 } }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        count.withLock { $0 += 1 }
        return try await client.read(reads)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await client.send(raw: raw)
    }
}
