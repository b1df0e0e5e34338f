import EVM
import Ethereum

/// Proves the state that a run read, against a header that several nodes give.
///
/// It takes at most two round trips: one with the headers and the proofs, and a second one only where
/// the first shows something else than the nodes had said, or where they are not at one block. A value
/// without a proof is unproven and nothing worse; a node that says of a block's state what its header
/// refutes has lied. What one node alone says of a block that no other has decides nothing.
struct StateProver {
    /// What was proven.
    struct Outcome {
        var proof: StateProof
        /// The proven state where it is another one than was claimed; nil if what was claimed stands.
        var settled: Settled?
        /// What a node said of a later block than those that the others have; nil if it did not.
        var lone: LoneClaim?
    }

    /// A proven state, of one block.
    struct Settled {
        let state: FetchedState
        let block: Block
        let values: ProvenValues
        /// The nodes that gave the proofs.
        let members: [QuorumChainClient.Member]
        /// What is reported as proven.
        let keys: Set<StateKey>
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

    /// How many nodes are asked.
    private var count: Int { min(members.count, max(2, Int(clamping: session.network.quorum))) }

    typealias Needs = (FetchedState, Block) -> Set<StateKey>

    /// - Parameter needs: what a run on another state and block asks for beside it.
    /// - Throws: `DexError`, exit 4: `node-lied`, `nodes-disagree`; exit 6, `stale-chain`.
    func prove(_ needs: Needs) async throws(DexError) -> Outcome {
        let keys = claimed.used
        guard !keys.isEmpty else { return Outcome(proof: .none("no state was read")) }
        let rounds = await ProofRound.ask(
            Array(members.prefix(count)),
            proofs: keys,
            at: [head.number]
        )
        guard let first = rounds.first else { return Outcome(proof: .none("no block was read")) }
        let usable = first.views.filter(\.isUsable)
        let close = first.close
        let present = present(first)
        let lacking = count - close.count
        let spares = members.dropFirst(count).prefix(lacking)
        if present.count < usable.count, spares.count < lacking {
            return Outcome(proof: .none(first.newest))
        }
        let isShared = usable.allSatisfy { $0.block != nil } && first.disagreement == nil
        let shared = first.shared(by: close)
        if isShared, spares.isEmpty, let (header, nodes) = first.header(of: usable) {
            var values = ProvenValues(header, nodes: nodes)
            values.add(first.questions, usable.map(\.proofs))
            // Some nodes prove their newest block alone.
            guard values.isEmpty, let shared, shared > head.number else {
                return try await outcome(values, keys, usable.map(\.member), needs)
            }
        }
        let group = present.map(\.member) + spares
        guard !group.isEmpty else { return Outcome(proof: .none(first.reason)) }
        // One that lags may have the block of the claims by now. A block that one node alone has
        // shows nothing, so it is proven at one that all of them have.
        let blocks = Set([head.number, shared, first.shared(by: present)].compactMap { $0 })
        // With another value a run may read more of what was said before.
        return try await outcome(
            group,
            keys.union(claimed.known),
            at: blocks.sorted(by: >),
            after: first
        )
    }

    /// The views that are of the present: by the time of their newest block, or on a chain that makes
    /// blocks only on demand by how far they are behind the newest of all.
    private func present(_ round: ProofRound) -> [ProofRound.View] {
        let rule = session.network.freshnessRule
        guard rule.limit != nil else { return round.close }
        let now = session.environment.now()
        return round.views.filter { view in
            guard let newest = view.newest else { return view.block != nil }
            return view.block != nil || !rule.isStale(Block(newest), now: now)
        }
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
            return settled(&values, keys, over: [claimed], members)
        }
        let rounds = await ProofRound.ask(
            members,
            proofs: more,
            claims: moved.union(accounts),
            at: [head.number]
        )
        var claims = [claimed]
        for second in rounds {
            try checkClaims(second, values, moved)
            values.add(second.questions, second.views.map(\.proofs))
            claims += second.views.compactMap(\.claims)
        }
        return settled(&values, keys.union(more), over: claims, members)
    }

    private func settled(
        _ values: inout ProvenValues,
        _ keys: Set<StateKey>,
        over claims: [FetchedState],
        _ members: [QuorumChainClient.Member]
    ) -> Outcome {
        let state = values.state(keys, over: claims)
        return Outcome(
            proof: values.report(keys),
            settled: Settled(
                state: state,
                block: Block(values.header),
                values: values,
                members: members,
                keys: keys
            )
        )
    }

    // MARK: Another block

    /// All of it once more at the newest of some blocks that enough nodes have.
    ///
    /// - Parameters:
    ///   - numbers: the newest first.
    ///   - first: the round before.
    private func outcome(
        _ members: [QuorumChainClient.Member],
        _ keys: Set<StateKey>,
        at numbers: [UInt64],
        after first: ProofRound
    ) async throws(DexError) -> Outcome {
        let rounds = await ProofRound.ask(members, proofs: keys, claims: keys, at: numbers)
        func having(_ round: ProofRound) -> Int {
            min(count, round.views.count { $0.block != nil })
        }
        guard let maximum = rounds.map(having).max(),
            let round = rounds.first(where: { having($0) == maximum })
        else { return Outcome(proof: .none(first.reason)) }
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
        guard round.number >= head.number else {
            return older(&values, keys, moved, round, after: first)
        }
        try checkBlock(values)
        guard !moved.isEmpty || header.hash != head.hash else {
            return Outcome(proof: values.report(keys))
        }
        return settled(&values, keys, over: [claimed] + round.views.compactMap(\.claims), members)
    }

    /// The proven state of a block before that of the claims.
    ///
    /// What changed since then, such as an allowance just given, is no lie; but one node alone says
    /// it, so the run is made again on what is proven.
    private func older(
        _ values: inout ProvenValues,
        _ keys: Set<StateKey>,
        _ moved: Set<StateKey>,
        _ round: ProofRound,
        after first: ProofRound
    ) -> Outcome {
        let lies = moved.compactMap { values.contradiction($0, in: claimed) }
        // The same one each time, of several.
        guard let lie = lies.min(by: { $0.subject.words < $1.subject.words }) else {
            return Outcome(proof: values.report(keys))
        }
        let views = first.views + round.views
        let node = views.first { ProofRound.has(head.number, $0) }?.member.name ?? "The node"
        for key in moved {
            switch key {
            case .account(let address), .word(_, let address):
                let reason = "\(node) alone says that it changed after block \(round.number)"
                values.lack(address, 1, reason)
            case .code, .blockHash: break
            }
        }
        let claims = round.views.compactMap(\.claims) + [claimed]
        var outcome = settled(&values, keys, over: claims, round.views.map(\.member))
        outcome.lone = LoneClaim(
            StateLie(
                node: node,
                subject: lie.subject,
                block: head.number,
                claimed: lie.claimed,
                proven: lie.proven,
                nodes: values.nodes.count
            ),
            proven: round.number
        )
        return outcome
    }

    // MARK: What is read late

    /// Proves what a run read only on the proven state.
    ///
    /// - Returns: what is proven with it.
    /// - Throws: `DexError`, exit 4, `node-lied`.
    func late(_ keys: Set<StateKey>, _ settled: Settled) async throws(DexError) -> StateProof {
        let rounds = await ProofRound.ask(
            settled.members,
            proofs: keys,
            at: [settled.block.number]
        )
        var values = settled.values
        for round in rounds {
            values.add(round.questions, round.views.map(\.proofs))
        }
        let lies = keys.compactMap { values.contradiction($0, in: settled.state) }
        if let lie = lies.min(by: { $0.subject.words < $1.subject.words }) {
            throw DexError(
                StateLie(
                    node: "The node",
                    subject: lie.subject,
                    block: settled.block.number,
                    claimed: lie.claimed,
                    proven: lie.proven,
                    nodes: values.nodes.count
                )
            )
        }
        return values.report(settled.keys.union(keys))
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
        throw ClockError.stale(
            StaleChain(
                block: block.number,
                age: FreshnessRule.age(block, now: now),
                limit: limit,
                nodes: values.nodes.count
            )
        )
    }
}
