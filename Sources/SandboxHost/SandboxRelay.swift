import DexRelay
import DexSandbox
import Ethereum
import EthereumWallet
import Logging
import ZeroEx

/// The relay of a sandbox, or of a copy of one.
struct SandboxRelay: Sendable {
    let settings: SandboxSettings
    /// Of this program, for its description.
    let version: String
    let now: @Sendable () -> UInt64
    let logger: Logger

    /// A relay over a chain, with its orders in a store.
    ///
    /// - Throws: `PrivateKeyError`, with a chance of 1 in 2^128.
    func server(
        _ chain: SandboxChain,
        _ store: any OrderStore
    ) throws(PrivateKeyError) -> RelayServer {
        let accounts = try settings.accounts()
        let terms = settings.venues.map { venue in
            RelayMarket.Terms(
                configuration: LiveConfiguration(
                    RelayConfiguration(
                        contracts: venue.contracts,
                        pairs: SandboxMarket.pairs,
                        fees: SandboxMarket.fees(venue, accounts)
                    )
                ),
                exchangeProtocol: venue.exchangeProtocol
            )
        }
        var relay = RelayServer(
            terms[0],
            Array(terms.dropFirst()),
            chain: chain,
            recoverer: Secp256k1(),
            store: store,
            now: now,
            logger: logger
        )
        relay.operations.name = "Relay of the dex sandbox"
        relay.operations.version = version
        relay.operations.chainID = settings.chainID
        let tokens = Dictionary(
            SandboxTokens.all.map {
                ($0.address, RelayOperations.Token(symbol: $0.symbol, decimals: Int($0.decimals)))
            },
            uniquingKeysWith: { first, _ in first }
        )
        relay.operations.tokens = { tokens }
        return relay
    }
}
