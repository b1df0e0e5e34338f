import DexSandbox
import DexSigning
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Limit orders whose backing is proven by two nodes.
@Suite("What a limit order rests on is proven before it is signed")
struct FundingProofTests {
    private let market: LiveMarket
    private let second: TamperedNode
    private let log = MemoryAuditLog()

    init() throws {
        market = try LiveMarket()
        second = TamperedNode(market.chain)
        market.relay.set { state in
            state.fees = .success(TestMarket.fees(maker: "0.1", taker: "0.2"))
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
    }

    private func context(proofs: Bool = true) throws -> OperationContext {
        var session = try market.session()
        session.network.proofs = proofs
        session.proofNodes = zip(ProofStage.names, [market.node, second]).map { name, client in
            QuorumChainClient.Member(name: name, client: client)
        }
        return OperationContext(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private var request: LimitRequest {
        LimitRequest(
            side: .buy,
            pair: "ZRX/WETH",
            amount: "100",
            price: "0.0025",
            expiry: .after(86_400),
            posts: true
        )
    }

    private var signer: AuthorizedSigner {
        market.authorized(LocalKey(market.trader), log: log)
    }

    private func place(
        proofs: Bool = true,
        between: () async throws -> Void = {}
    ) async throws -> LimitOutcome {
        let model = LimitOrderModel(try context(proofs: proofs))
        let plan = try await model.plan(request, account: market.trader.address)
        try await between()
        return try await model.execute(plan, signer: signer)
    }

    /// The order is refused before anything is signed.
    private func refused(_ between: () async throws -> Void = {}) async throws -> DexError? {
        let error = await refusal { try await place(between: between) }
        #expect(market.relay.posted.isEmpty)
        #expect(try log.lines(since: 0).isEmpty)
        return error
    }

    @Test("balances, allowances and the account, in at most two round trips more; none without it")
    func honest() async throws {
        #expect(try await place(proofs: false).proof == nil)
        #expect(second.rounds.isEmpty)
        let plain = market.node.rounds.count
        market.node.forgetRounds()
        let outcome = try await place()
        #expect(outcome.exit == .done)
        let proof = try #require(outcome.proof)
        #expect(proof.isComplete, "\(proof)")
        #expect(proof.nodes == ProofStage.names)
        // A balance and an allowance of each of the two tokens.
        #expect(proof.words >= 4 && proof.accounts >= 3, "\(proof)")
        let more = market.node.rounds.count - plain
        #expect((1...2).contains(more), "\(more)")
        #expect(market.clock.messages.contains(proof.sentences[0]))
    }

    @Test("a lie about each of its words is named, and nothing is signed")
    func words() async throws {
        _ = try await place()
        var words: [(Address, Bytes32)] = []
        for case .proof(let address, let slots, _) in market.node.rounds.joined() {
            words += slots.map { (address, $0) }
        }
        #expect(words.count >= 4)
        for (address, slot) in words {
            let stage = try FundingProofTests()
            stage.market.node.answer { read, answer in
                guard case .storage(address, slot, _) = read else { return answer }
                return .success(.word(UInt256(99)))
            }
            let error = try await stage.refused()
            #expect(error?.code == "node-lied", "\(String(describing: error))")
            let named = error?.message.contains("the word at \(slot) of \(address) is ") == true
            #expect(named, "\(error?.message ?? "")")
        }
    }

    @Test("a node that answers a balance or an allowance otherwise than the proven code does")
    func answers() async throws {
        let trader = market.trader.address
        for (data, words) in [
            (ERC20.balanceOf(trader), "the balance of \(trader) at \(TestMarket.weth)"),
            (
                ERC20.allowance(owner: trader, spender: TestMarket.proxy),
                "the allowance of \(TestMarket.proxy) by \(trader) at \(TestMarket.weth)"
            ),
        ] {
            let stage = try FundingProofTests()
            stage.market.node.answer { read, answer in
                guard case .call(let call, _) = read, call.to == TestMarket.weth,
                    call.data == data
                else { return answer }
                return .success(.bytes(UInt256(TestMarket.units("7777")).word.bytes))
            }
            let error = try await stage.refused()
            #expect(error?.code == "node-lied", "\(String(describing: error))")
            let message = error?.message ?? ""
            let said = "https://a.example says that \(words) is 7777 "
            #expect(message.hasPrefix(said), "\(message)")
        }
    }

    @Test("what the account spent meanwhile is no lie: the order is refused all the same")
    func spent() async throws {
        let error = try await refused {
            try await market.drain(market.trader, TestMarket.weth)
        }
        #expect(error?.code == "order-unbacked", "\(String(describing: error))")
        #expect(error?.message.contains("balance of WETH is proven to be 0") == true)
        #expect(error?.retryable == true)
    }

    @Test("nodes without the methods leave it unproven, and stop nothing")
    func noMethods() async throws {
        market.node.hideAccessLists()
        let unread = try #require(try await place().proof)
        #expect(unread.failure?.contains("eth_createAccessList") == true, "\(unread)")
        let stage = try FundingProofTests()
        stage.market.node.hideProofs()
        stage.second.hideProofs()
        let unproven = try #require(try await stage.place().proof)
        #expect(unproven.failure?.contains("the method does not exist") == true, "\(unproven)")
    }

    @Test("an approval before the order is proven by its own run, and the allowance after it")
    func approved() async throws {
        let stage = try FundingProofTests()
        try await stage.market.send(
            from: stage.market.trader,
            to: TestMarket.weth,
            ERC20.approve(spender: TestMarket.proxy, amount: .zero)
        )
        let model = LimitOrderModel(try stage.context())
        let plan = try await model.plan(stage.request, account: stage.market.trader.address)
        #expect(plan.content.steps.count == 1)
        let shown = try #require(try await PlanRunner(model.context).proven(plan).proof)
        #expect(shown.isComplete, "\(shown)")
        let outcome = try await model.execute(plan, signer: stage.signer)
        #expect(outcome.transactions.last?.simulation?.proof?.isComplete == true)
        #expect(outcome.proof?.isComplete == true, "\(String(describing: outcome.proof))")
    }

    @Test("a ladder is proven once, with what all of its orders need")
    func ladder() async throws {
        let model = LadderModel(try context())
        let plan = try await model.plan(
            LadderRequest(order: request, to: "0.002", count: 3),
            account: market.trader.address
        )
        #expect(try await PlanRunner(model.context).proven(plan).proof?.isComplete == true)
        market.node.forgetRounds()
        let outcome = try await model.execute(plan, signer: signer)
        #expect(outcome.exit == .done && outcome.placed.count == 3)
        #expect(outcome.proof?.isComplete == true)
        #expect(outcome.placed.dropFirst().allSatisfy { $0.proof == nil })
        let proofs = market.node.rounds.count { $0.contains { $0.isProof } }
        #expect(proofs == 1)
    }
}
