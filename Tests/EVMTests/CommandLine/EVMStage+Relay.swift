import DexRelay
import DexTestSupport
import Ethereum
import EthereumWallet
import HTTPServing
import Logging
import ZeroEx

/// The relay of a stage, which reads the stage's chain.
extension EVMStage {
    static func relay(_ scene: Scene, node: EVMNode) throws -> RelayServer {
        var pairs: [RelayTokenPair] = []
        for (index, a) in scene.tokens.enumerated() {
            for b in scene.tokens[(index + 1)...] {
                func side(_ token: EVMToken) -> RelayTokenPair.Side {
                    .init(token: token.address, minimum: 1, maximum: nil, precision: 18)
                }
                pairs.append(RelayTokenPair(tokenA: side(a), tokenB: side(b)))
            }
        }
        return RelayServer(
            RelayMarket.Terms(
                configuration: LiveConfiguration(
                    RelayConfiguration(
                        contracts: scene.venue.contracts,
                        pairs: pairs,
                        fees: scene.fees
                    )
                ),
                exchangeProtocol: scene.venue.exchange
            ),
            chain: node.client,
            recoverer: Secp256k1(),
            store: try SQLiteOrderStore(path: nil),
            now: { Scene.now },
            logger: Logger(label: "tests.relay") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    static func serve(
        _ relay: RelayServer,
        watches: Bool,
        onRunning: @escaping @Sendable (Int) -> Void
    ) async throws {
        if watches {
            let application = relay.application(port: 0) { onRunning($0) }
            try await application.run()
        } else {
            let server = HTTPServer(
                relay.router(),
                port: 0,
                logger: Logger(label: "tests.relay") { _ in SwiftLogNoOpLogHandler() }
            )
            try await server.run { onRunning($0) }
        }
    }
}
