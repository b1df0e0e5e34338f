package import DexCore
package import DexRelay
package import Ethereum
package import Logging
package import ZeroEx

/// A relay's server over its open store, made from its settings.
package struct HostedRelay: Sendable {
    package let server: RelayServer
    /// The configuration of each market, which SIGHUP replaces.
    package let live: [ProtocolVersion: LiveConfiguration]
    /// In the books at the start.
    package let orders: Int
    private let store: any OrderStore

    /// Opens the store and fills the books.
    ///
    /// - Throws: `DexError`.
    package static func open(
        _ settings: RelaySettings,
        contracts: [ProtocolVersion: ExchangeContracts],
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        environment: Environment,
        logger: Logger
    ) async throws(DexError) -> HostedRelay {
        var terms: [RelayMarket.Terms] = []
        var live: [ProtocolVersion: LiveConfiguration] = [:]
        for network in settings.networks {
            let version = network.protocolVersion
            guard let found = contracts[version] else { continue }
            let configuration = LiveConfiguration(
                try settings.configuration(version, contracts: found)
            )
            live[version] = configuration
            terms.append(
                RelayMarket.Terms(
                    configuration: configuration,
                    exchangeProtocol: Protocols.implementation(of: network)
                )
            )
        }
        guard let first = terms.first else {
            throw settings.file.problem(["protocols"], "no exchange of the settings was read")
        }
        guard settings.policy == nil else {
            throw settings.file.problem(
                ["policy", "command"],
                "this build of dex runs no policy programs, so no order could be decided",
                hint: "Remove [policy] from the file."
            )
        }
        let store = try await StoreOpening.open(settings, logger)
        let server = RelayServer(
            first,
            Array(terms.dropFirst()),
            chain: chain,
            recoverer: recoverer,
            store: store,
            now: environment.now,
            logger: logger
        )
        do throws(OrderStoreError) {
            let orders = try await server.restore()
            return HostedRelay(server: server, live: live, orders: orders, store: store)
        } catch {
            await close(store, logger)
            throw DexError(RelayHostError(error, at: settings.store))
        }
    }

    /// From now on it says that it is not ready.
    func drain() {}

    /// Writes what is pending and closes the store.
    package func close(_ logger: Logger) async {
        await Self.close(store, logger)
    }

    private static func close(_ store: any OrderStore, _ logger: Logger) async {
        do throws(OrderStoreError) {
            try await store.close()
        } catch {
            logger.warning("\(error)")
        }
    }
}
