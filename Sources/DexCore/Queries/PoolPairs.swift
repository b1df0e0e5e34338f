import Ethereum
import Uniswap
import ZeroEx

/// The pairs that are traded at Uniswap's pools on a chain where no relay lists any.
///
/// They are pairs of the chain's hubs, its wrapped coin among them; with a short list of known
/// tokens, also those with the wrapped coin and the first hub.
struct PoolPairs {
    let session: Session
    let deployment: UniswapDeployment

    /// More known tokens are not asked for: each is ten questions.
    private static let maximumTokens = 40

    /// Pairs that have a pool, each once and in its usual direction.
    ///
    /// - Throws: `DexError`: not reachable.
    func load() async throws(DexError) -> PairsState {
        let candidates = candidates
        var batch = ReadBatch()
        let pools = candidates.map { pair in
            PoolCandidates.kinds.compactMap { PoolID(pair.0, pair.1, $0) }
        }
        let question = PoolConfirmation.ask(pools.joined(), deployment, at: .latest, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let existing = try answers.confirmed(question)
        let found = zip(candidates, pools).filter { !existing.isDisjoint(with: $0.1) }.map(\.0)
        let addresses = Set(found.flatMap { [$0.0, $0.1] })
        let tokens = try await TokenResolver(session: session).tokens(at: addresses.sorted())
        let ranking = QuoteRank(session: session)
        return PairsState(
            relay: "",
            source: .pools,
            rows: found.map { a, b in
                PairsState.Row(
                    pair: ranking.pair(tokens[a] ?? .unknown(a), tokens[b] ?? .unknown(b)),
                    details: RelayTokenPair(tokenA: Self.side(a), tokenB: Self.side(b)),
                    isKnown: session.tokens.known(a) != nil && session.tokens.known(b) != nil
                )
            }
        )
    }

    private var candidates: [(Address, Address)] {
        let hubs = deployment.wrappedAndHubs
        var pairs: [(Address, Address)] = []
        for (index, hub) in hubs.enumerated() {
            pairs += hubs.dropFirst(index + 1).map { (hub, $0) }
        }
        let known = session.tokens.search(nil).map(\.address)
            .filter { !hubs.contains($0) && $0 != Token.nativeCoinAddress }
        guard known.count <= Self.maximumTokens else { return pairs }
        return pairs + known.flatMap { token in hubs.prefix(2).map { (token, $0) } }
    }

    /// No relay bounds an amount.
    private static func side(_ token: Address) -> RelayTokenPair.Side {
        RelayTokenPair.Side(token: token, minimum: nil, maximum: nil, precision: nil)
    }
}
