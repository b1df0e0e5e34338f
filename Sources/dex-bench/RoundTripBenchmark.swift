import DexCore
import DexNetwork
import DexStore
import Ethereum
import EthereumWallet
import ZeroEx

/// How often a dry-run `market-buy` waits for an answer before it can ask on, in a small book and
/// in a large one.
struct RoundTripBenchmark {
    private static let limit = 4
    /// Far above all computing in between, which would count as a trip otherwise.
    private static let delay = Duration.seconds(1)

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
        let transport = DelayingTransport(CurlTransport(), delay: delay)
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
                afterTelling: { $0() }
            )
        )
        let model = MarketOrderModel(
            session: session,
            journal: SQLiteJournal(path: "\(sandbox.home)/bench.sqlite"),
            settings: TradeSettings()
        )
        let alice = try sandbox.address(of: "alice")
        let wall = try await ContinuousClock().measure {
            _ = try await model.plan(
                MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "500"),
                account: alice
            )
        }
        return (transport.requests, Int(wall / delay))
    }
}
