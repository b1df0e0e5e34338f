package import DexCore
package import Ethereum
package import ZeroEx

/// What a relay reads of its chain before it starts.
package struct RelayNode: Sendable {
    private let settings: RelaySettings
    let chain: any ChainClient
    let recoverer: any SignatureRecovering
    private let environment: Environment

    package init(
        settings: RelaySettings,
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        environment: Environment
    ) {
        self.settings = settings
        self.chain = chain
        self.recoverer = recoverer
        self.environment = environment
    }

    /// The contracts of each version, after checks of the chain, the exchanges and their hashes.
    ///
    /// - Throws: `DexError`: exit 3 for another chain or no exchange, 4 if no node answers, 6 for
    ///   an exchange that cannot trade.
    package func contracts() async throws(DexError) -> [ProtocolVersion: ExchangeContracts] {
        var contracts: [ProtocolVersion: ExchangeContracts] = [:]
        for network in settings.networks {
            contracts[network.protocolVersion] = try await findings(network).contracts
        }
        return contracts
    }

    /// What one exchange's node says.
    ///
    /// - Throws: `DexError`, as `contracts`.
    package func findings(_ network: Network) async throws(DexError) -> NetworkProbe.Findings {
        try await NetworkProbe(session: session(network)).findings()
    }

    /// A token's data from its contract.
    ///
    /// - Throws: `DexError`, exit 4, if no node answers.
    package func token(at address: Address) async throws(DexError) -> Token? {
        let resolver = TokenResolver(session: session(settings.networks[0]))
        return try await resolver.tokens(at: [address])[address]
    }

    private func session(_ network: Network) -> Session {
        Session(
            network: network,
            exchangeProtocol: Protocols.implementation(of: network),
            chain: chain,
            relay: nil,
            tokens: TokenMap(),
            recoverer: recoverer,
            environment: environment
        )
    }
}
