import DexCore
import DexRelay
import DexSandbox
package import Ethereum
import EthereumWallet
package import Explorer
package import ZeroEx

/// The explorer of a sandbox's chain, which may also be a copy of another sandbox's.
package enum SandboxExplorer {
    /// The explorer of a chain and its relay's markets, both in this process.
    ///
    /// - Throws: as `explorer(chain:)`.
    static func explorer(
        of chain: SandboxChain,
        _ markets: some Sequence<(SandboxDeployment, RelayMarket)>,
        _ settings: SandboxSettings,
        name: String = "dex sandbox",
        now: @escaping @Sendable () -> UInt64
    ) throws -> Explorer {
        try explorer(
            chain: chain,
            relays: Dictionary(
                markets.map { venue, market in
                    let pairs = SandboxMarket.pairs
                    return (venue.network, RelayBookClient(market: market, pairs: pairs, now: now))
                }
            ) { first, _ in first },
            accounts: try settings.accounts().all,
            chainID: settings.chainID,
            coin: settings.coin,
            name: name,
            now: now
        )
    }

    /// An explorer over a chain and sources of orders.
    ///
    /// - Parameters:
    ///   - relays: by network; a network without one is shown without orders.
    ///   - accounts: the accounts that have names.
    ///   - chainID: the chain's own, which v4's orders name.
    ///   - coin: the coin that pays for gas.
    ///   - name: stands at the top of each page.
    ///   - now: seconds since 1970.
    /// - Throws: `DexError`, exit 1, if an embedded file is damaged.
    package static func explorer(
        chain: any ChainClient,
        relays: [String: any RelayClient],
        accounts: [SandboxAccounts.Account],
        chainID: UInt64 = SandboxTokens.chainID,
        coin: CoinSymbol = .ether,
        name: String = "dex sandbox",
        now: @escaping @Sendable () -> UInt64
    ) throws -> Explorer {
        let sessions = try NetworkCatalog.bundled().filter(\.isSandbox).map { bundled in
            var network = bundled
            network.chainID = chainID
            network.coin = coin
            return Session(
                network: network,
                exchangeProtocol: Protocols.implementation(of: network),
                chain: chain,
                relay: relays[network.name],
                tokens: try TokenMap(
                    chainID: chainID,
                    listed: network.tokenChain,
                    coin: network.coin
                ),
                recoverer: Secp256k1(),
                environment: Environment(
                    now: now,
                    sleep: { milliseconds in
                        try await ContinuousClock()
                            .sleep(for: .milliseconds(Int64(clamping: milliseconds)))
                    },
                    // Nothing random is made by what only reads.
                    random: { .zero },
                    progress: { _ in },
                    onReported: { _ in }
                )
            )
        }
        guard let main = sessions.first else {
            throw NetworkError.damagedList(problem: "it has no sandbox")
        }
        let known = KnownAddresses(
            accounts.map { .init(name: $0.name, address: $0.address, source: .sandbox) }
        )
        return Explorer(
            ChainScope(main, others: Array(sessions.dropFirst()), known: known),
            name: name,
            note: "A simulated chain (id \(chainID)) with worthless keys and tokens."
        )
    }
}
