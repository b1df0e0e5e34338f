import EVM
import Ethereum

/// Proves the state that a run read, against a header that several nodes give.
///
/// It takes at most two round trips: one with the headers and the proofs, and a second one only where
/// the first shows something else than the nodes had said, or where they are not at one block. A value
/// without a proof is unproven and nothing worse; a node that says of a block's state what its header
/// refutes has lied.
struct StateProver {
    /// What was proven.
    struct Outcome {
        let proof: StateProof
        /// The proven state where it is another one than was claimed, and its block; nil if what was
        /// claimed stands.
        var settled: (state: FetchedState, block: Block)?
    }

    let session: Session
    /// The block of the claims.
    let head: Block
    /// What the nodes said before.
    let claimed: FetchedState

    private var members: [QuorumChainClient.Member] {
        session.proofNodes.isEmpty
            ? [QuorumChainClient.Member(name: "The node", client: session.chain)]
            : session.proofNodes
    }

    typealias Needs = (FetchedState, Block) -> Set<StateKey>

    /// - Parameter needs: what a run on another state and block asks for beside it.
    /// - Throws: `DexError`, exit 4: `node-lied`, `nodes-disagree`; exit 6, `stale-chain`.
    func prove(_ needs: Needs) async throws(DexError) -> Outcome {
        let keys = claimed.used
        guard !keys.isEmpty else { return Outcome(proof: .none("no state was read")) }
        let members = members
        let count = min(members.count, max(2, Int(clamping: session.network.quorum)))
        let first = await ProofRound.ask(
            Array(members.prefix(count)),
            proofs: keys,
            at: head.number
        )
        let close = first.close
        let lacking = count - close.count
        let spares = members.dropFirst(count).prefix(lacking)
        if let apart = first.apart, spares.count < lacking {
            return Outcome(proof: .none(apart))
        }
        let shared = first.shared(by: close)
        let isShared = close.allSatisfy { $0.block != nil } && first.disagreement == nil
        if isShared, spares.isEmpty, let (header, nodes) = first.header(of: close) {
            var values = ProvenValues(header, nodes: nodes)
            values.add(first.questions, close.map(\.proofs))
            // Some nodes prove their newest block alone.
            guard values.isEmpty, let shared, shared > head.number else {
                return try await outcome(values, keys, close.map(\.member), needs)
            }
        }
        let group = close.map(\.member) + spares
        guard !group.isEmpty else { return Outcome(proof: .none(first.reason)) }
        // One that was not asked before is asked about the block of the claims.
        let isFirst = isShared && !spares.isEmpty
        return try await outcome(
            group,
            keys,
            at: isFirst ? head.number : shared ?? head.number
        )
    }

    // MARK: The block of the claims

    private func outcome(
        _ proven: ProvenValues,
        _ keys: Set<StateKey>,
        _ members: [QuorumChainClient.Member],
        _ needs: Needs
    ) async throws(DexError) -> Outcome {
        var values = proven
        try checkBlock(values)
        let moved = values.contradictions(in: claimed, keys)
        guard !moved.isEmpty || values.header.hash != head.hash else {
            return Outcome(proof: values.report(keys))
        }
        let block = Block(values.header)
        // With another value it may read more, of which a part was said before.
        let known = claimed.known.union(keys)
        var probe = values
        let more = needs(probe.state(known, over: [claimed]), block).union(known)
            .subtracting(keys)
        let accounts = more.filter { if case .account = $0 { true } else { false } }
        guard !moved.isEmpty || !more.isEmpty else {
            let state = values.state(keys, over: [claimed])
            return Outcome(proof: values.report(keys), settled: (state, block))
        }
        let second = await ProofRound.ask(
            members,
            proofs: more,
            claims: moved.union(accounts),
            at: head.number
        )
        try checkClaims(second, values, moved)
        values.add(second.questions, second.views.map(\.proofs))
        let all = keys.union(more)
        let state = values.state(all, over: [claimed] + second.views.compactMap(\.claims))
        return Outcome(proof: values.report(all), settled: (state, block))
    }

    // MARK: Another block

    /// All of it once more at a block that the nodes share.
    private func outcome(
        _ members: [QuorumChainClient.Member],
        _ keys: Set<StateKey>,
        at number: UInt64
    ) async throws(DexError) -> Outcome {
        let round = await ProofRound.ask(members, proofs: keys, claims: keys, at: number)
        if let disagreement = round.disagreement {
            throw DexError(ChainError.disagreement(disagreement))
        }
        guard let (header, nodes) = round.header(of: round.views) else {
            return Outcome(proof: .none(round.reason))
        }
        var values = ProvenValues(header, nodes: nodes)
        values.add(round.questions, round.views.map(\.proofs))
        try checkClaims(round, values, keys)
        let moved = values.contradictions(in: claimed, keys)
        guard number >= head.number else {
            // What changed since then, such as an allowance just given, is no lie.
            for key in moved { values.drop(key, "it has changed since block \(number)") }
            return Outcome(proof: values.report(keys))
        }
        try checkBlock(values)
        guard !moved.isEmpty || header.hash != head.hash else {
            return Outcome(proof: values.report(keys))
        }
        let states = [claimed] + round.views.compactMap(\.claims)
        let state = values.state(keys, over: states)
        return Outcome(proof: values.report(keys), settled: (state, Block(header)))
    }

    // MARK: Lies

    /// Compares what the nodes say of a block with what its header proves.
    ///
    /// - Throws: `DexError`, exit 4, `node-lied`.
    private func checkClaims(
        _ round: ProofRound,
        _ values: ProvenValues,
        _ keys: Set<StateKey>
    ) throws(DexError) {
        for view in round.views {
            guard let claims = view.claims else { continue }
            let lies = keys.compactMap { values.contradiction($0, in: claims) }
            // The same one each time, of several.
            guard let lie = lies.min(by: { $0.subject.words < $1.subject.words }) else { continue }
            throw DexError(
                StateLie(
                    node: view.member.name,
                    subject: lie.subject,
                    block: round.number,
                    claimed: lie.claimed,
                    proven: lie.proven,
                    nodes: values.nodes.count
                )
            )
        }
    }

    /// Compares the block of the claims with its header.
    ///
    /// - Throws: `DexError`, exit 4, `node-lied`; exit 6, `stale-chain`: the header is old, and the
    ///   claim was not.
    private func checkBlock(_ values: ProvenValues) throws(DexError) {
        let block = Block(values.header)
        if block.hash == head.hash {
            let fields: [(name: String, claimed: String?, proven: String?)] = [
                ("time", "\(head.timestamp)", "\(block.timestamp)"),
                (
                    "base fee", head.baseFeePerGas.map { "\($0.rawValue) wei" },
                    block.baseFeePerGas.map { "\($0.rawValue) wei" }
                ),
                ("producer", head.coinbase?.checksummed, block.coinbase?.checksummed),
                ("random number", head.random?.hex, block.random?.hex),
            ]
            for field in fields {
                guard let claimed = field.claimed, let proven = field.proven, claimed != proven
                else { continue }
                throw DexError(
                    StateLie(
                        node: "The node",
                        subject: .block(field.name),
                        block: block.number,
                        claimed: claimed,
                        proven: proven,
                        nodes: values.nodes.count
                    )
                )
            }
        }
        let rule = session.network.freshnessRule
        let now = session.environment.now()
        guard let limit = rule.limit, rule.isStale(block, now: now),
            !rule.isStale(head, now: now)
        else { return }
        throw DexError(
            ClockError.stale(
                StaleChain(
                    block: block.number,
                    age: FreshnessRule.age(block, now: now),
                    limit: limit,
                    nodes: values.nodes.count
                )
            )
        )
    }
}
