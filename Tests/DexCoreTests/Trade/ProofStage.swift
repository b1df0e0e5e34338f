import DexSandbox
import DexSigning
import EVM
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A purchase on a simulated chain whose state is proven by two nodes, of which tests change each.
struct ProofStage {
    let market: LiveMarket
    /// `https://a.example`, which also answers all that a plan asks.
    var first: TamperedNode { market.node }
    /// `https://b.example`.
    let second: TamperedNode
    let log = MemoryAuditLog()
    private let venue: Venue

    enum Venue: CaseIterable, Sendable {
        case v1, v4, pool
    }

    static let names = ["https://a.example", "https://b.example"]

    init(_ venue: Venue = .v1) async throws {
        self.venue = venue
        market =
            switch venue {
            case .v1: try LiveMarket()
            case .v4: try LiveMarket(version: .v4)
            case .pool:
                try LiveMarket(LiveMarket.Holdings(pools: LiveMarket.PoolScene().genesis()))
            }
        second = TamperedNode(market.chain)
        if venue != .pool { market.setBook(asks: [try await market.ask(0, "100", for: "1")]) }
    }

    /// - Parameters:
    ///   - proofs: the setting.
    ///   - nodes: how many are configured.
    ///   - other: the second one; nil is `second`.
    ///   - ahead: the first one; nil is `first`.
    ///   - isSandbox: blocks come only on demand, so that no block is old.
    func session(
        proofs: Bool? = true,
        nodes: Int = 2,
        second other: (any ChainClient)? = nil,
        first ahead: (any ChainClient)? = nil,
        isSandbox: Bool = true
    ) throws -> Session {
        var session = try market.session(isSandbox: isSandbox)
        session.network.proofs = proofs
        if let ahead { session.chain = ahead }
        let clients: [any ChainClient] = [ahead ?? first, other ?? second]
        session.proofNodes = zip(Self.names, clients).prefix(nodes).map { name, client in
            QuorumChainClient.Member(name: name, client: client)
        }
        return session
    }

    /// What trades on it.
    func model(_ session: Session) -> MarketOrderModel {
        var settings = TradeSettings()
        settings.allowsUncheckedPrice = venue == .pool
        return MarketOrderModel(session: session, journal: market.journal, settings: settings)
    }

    var request: MarketRequest {
        let isPool = venue == .pool
        return MarketRequest(
            side: isPool ? .sell : .buy,
            pair: "ZRX/WETH",
            amount: "10",
            via: isPool ? .pools : .book
        )
    }

    /// What trades on it, and the plan of the trade.
    func planned(
        _ session: Session? = nil
    ) async throws -> (model: MarketOrderModel, plan: Plan<TradePlan>) {
        let model = model(try session ?? self.session())
        return (model, try await model.plan(request, account: market.trader.address))
    }

    /// - Parameter between: what happens between the plan and its signature.
    func trade(
        _ session: Session? = nil,
        between: () async throws -> Void = {}
    ) async throws -> TradeOutcome {
        let (model, plan) = try await planned(session)
        try await between()
        let signer = market.authorized(LocalKey(market.trader), log: log)
        return try await model.execute(plan, signer: signer)
    }

    /// What is proven of the purchase's state; the purchase is made.
    func proof(_ session: Session? = nil) async throws -> StateProof {
        let outcome = try await trade(session)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.count == 1)
        return try #require(outcome.transactions.last?.simulation?.proof)
    }

    /// The purchase is refused before anything is signed.
    func refused(_ name: String = "") async throws -> DexError? {
        let error = await refusal { try await trade() }
        #expect(first.sent.isEmpty && second.sent.isEmpty, "\(name)")
        #expect(try market.journaled().isEmpty, "\(name)")
        #expect(try log.lines(since: 0).isEmpty, "\(name)")
        return error
    }

    /// What the first node was asked to prove at first.
    var asked: Set<StateKey> {
        var keys: Set<StateKey> = []
        let round = first.rounds.first { $0.contains { $0.isProof } }
        for case .proof(let address, let slots, _) in round ?? [] {
            keys.insert(.account(address))
            for slot in slots { keys.insert(.word(UInt256(slot), of: address)) }
        }
        return keys
    }
}

extension TamperedNode {
    /// Changes the answer to each question.
    func answer(
        _ change:
            @escaping @Sendable (ChainRead, Result<ChainAnswer, ChainError>) ->
            Result<ChainAnswer, ChainError>
    ) {
        onRead { reads, answers in zip(reads, answers).map { change($0, $1) } }
    }

    /// Changes each proof.
    func proofs(_ change: @escaping @Sendable (AccountProof) -> AccountProof) {
        answer { _, answer in
            guard case .success(.proof(let proof)) = answer else { return answer }
            return .success(.proof(change(proof)))
        }
    }

    /// It has no eth_getProof.
    func hideProofs() {
        answer { read, answer in
            guard case .proof = read else { return answer }
            return .failure(.rpc(code: -32_601, message: "the method does not exist"))
        }
    }

    /// Changes each header.
    func headers(_ change: @escaping @Sendable (BlockHeader) -> BlockHeader) {
        answer { _, answer in
            guard case .success(.header(let header?)) = answer else { return answer }
            return .success(.header(change(header)))
        }
    }
}

/// A node that is at an earlier block.
struct LaggingNode: ChainClient {
    let wrapped: any ChainClient
    let newest: UInt64

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let asked = reads.map { read in
            read == .header(.latest) ? .header(.number(newest)) : read
        }
        return zip(asked, try await wrapped.read(asked)).map { read, answer in
            guard let number = read.blockNumber, number > newest else { return answer }
            if case .header = read { return .success(.header(nil)) }
            return .failure(.missingBlock(code: -32_000, message: "header not found"))
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await wrapped.send(raw: raw)
    }
}

/// A chain on which a block comes right after the state was read.
struct MovingChain: ChainClient {
    let wrapped: any ChainClient
    let move: @Sendable () async -> Void

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let answers = try await wrapped.read(reads)
        if reads.contains(where: { if case .storage = $0 { true } else { false } }) { await move() }
        return answers
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await wrapped.send(raw: raw)
    }
}
