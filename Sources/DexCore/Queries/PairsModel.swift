import Ethereum
import ZeroEx

/// `dex pairs`: the relay's pairs, or those of the pools where there is no relay.
package struct PairsModel: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The relay's pairs in its order, each once and in its usual direction.
    ///
    /// Tokens outside the map are read on chain in one batch; if the node does not answer, they are
    /// shown by their address.
    ///
    /// - Throws: `DexError`: neither a relay nor pools, or the failure of what is asked.
    package func load() async throws(DexError) -> PairsState {
        if session.isOfPools, let pools = session.network.pools {
            return try await PoolPairs(session: session, deployment: pools).load()
        }
        let relay = try session.requiredRelay()
        let pairs = try await relayed(try await relay.tokenPairs(nil, nil))
        let addresses = Set(pairs.flatMap { [$0.tokenA.token, $0.tokenB.token] })
        var tokens: [Address: Token] = [:]
        do throws(DexError) {
            tokens = try await TokenResolver(session: session).tokens(at: addresses.sorted())
        } catch {
            session.environment.warn(error.message)
            for address in addresses { tokens[address] = session.tokens.known(address) }
        }
        let ranking = QuoteRank(session: session)
        var seen: Set<Set<Address>> = []
        var rows: [PairsState.Row] = []
        for details in pairs {
            let (a, b) = (details.tokenA.token, details.tokenB.token)
            guard a != b, seen.insert([a, b]).inserted else { continue }
            rows.append(
                PairsState.Row(
                    pair: ranking.pair(tokens[a] ?? .unknown(a), tokens[b] ?? .unknown(b)),
                    details: details,
                    isKnown: session.tokens.known(a) != nil && session.tokens.known(b) != nil
                )
            )
        }
        return PairsState(
            relay: session.network.relayName ?? "",
            rows: rows,
            warnings: session.leftOutRelays
        )
    }
}
