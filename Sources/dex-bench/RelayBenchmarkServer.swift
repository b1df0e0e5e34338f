import CProcess
import DexRelay
import Ethereum
import EthereumWallet
import Glibc
import Logging
import ZeroEx

/// A relay in a process of its own, so that its processor time is its own.
///
/// It keeps its orders in SQLite as a hosted relay does; its chain is a `BenchmarkChain`.
enum RelayBenchmarkServer {
    /// The first argument of the process.
    static let role = "--serve-relay"

    static let zrx = Address(truncating: UInt256(0xA1).word)
    static let weth = Address(truncating: UInt256(0xA2).word)
    static let contracts = ExchangeContracts(
        exchange: Address(truncating: UInt256(0xE1).word),
        transferContract: Address(truncating: UInt256(0xE2).word),
        feeToken: zrx
    )

    /// Serves until the process is killed; the port is written to `port` in the folder.
    static func run(folder: String) async throws {
        dex_memory_serve_many(CommandLine.unsafeArgv)
        func side(_ token: Address) -> RelayTokenPair.Side {
            RelayTokenPair.Side(token: token, minimum: nil, maximum: nil, precision: nil)
        }
        var configuration = RelayConfiguration(
            contracts: contracts,
            pairs: [RelayTokenPair(tokenA: side(zrx), tokenB: side(weth))],
            maximumOrdersOfMaker: 100_000
        )
        configuration.limits.maximumConnectionsOfAddress = 4_096
        let chain = BenchmarkChain(folder: folder)
        let relay = RelayServer(
            RelayMarket.Terms(
                configuration: LiveConfiguration(configuration),
                exchangeProtocol: ZeroExV1()
            ),
            chain: chain,
            recoverer: Secp256k1(),
            store: try SQLiteOrderStore(path: "\(folder)/relay.sqlite"),
            now: { UInt64(clamping: time(nil)) },
            logger: Logger(label: "bench.relay") { _ in SwiftLogNoOpLogHandler() }
        )
        chain.follow(relay.intake.book)
        try await relay.restore()
        let application = relay.application(port: 0) { port in
            Notice.write("\(port)", to: "\(folder)/port")
        }
        try await application.run()
    }
}
