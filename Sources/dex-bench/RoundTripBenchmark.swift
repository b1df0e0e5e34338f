import DexCore
import DexNetwork
import DexStore
import Ethereum
import EthereumWallet
import ZeroEx

/// The number of sequential requests of a dry-run `market-buy`, in a small and in a large book.
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

    /// The time of a plan.
    private static func plan(
        _ sandbox: BenchmarkSandbox,
        _ network: Network,
        _ transport: DelayingTransport
    ) async throws -> Duration {
        let version = Protocols.implementation(of: network)
        let session = Session(
            network: network,
            exchangeProtocol: version,
            chain: JSONRPCChainClient(urls: network.rpc, transport: transport),
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
