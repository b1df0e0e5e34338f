import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Trades on a simulated chain by two nodes that must agree, one of which lies.
@Suite("Nodes that must agree: trades")
struct QuorumTradeTests {
    /// A market that is asked by its own node and by a second one.
    private struct Stage {
        let market: LiveMarket
        /// The second node of the same chain.
        let other: TamperedNode
        let log = MemoryAuditLog()

        init(_ mining: ChainConfiguration.Mining = .instant) async throws {
            market = try LiveMarket(mining: mining)
            market.setBook(asks: [try await market.ask(0, "100", for: "1")])
            other = TamperedNode(market.chain)
        }

        func session(quorum: Int = 2) throws -> Session {
            var session = try market.session()
            guard quorum > 1 else { return session }
            session.chain = QuorumChainClient(
                [
                    QuorumChainClient.Member(name: "https://a.example", client: market.node),
                    QuorumChainClient.Member(name: "https://b.example", client: other),
                ],
                quorum: quorum,
                memory: session.quorumMemory
            )
            return session
        }

        func trade(quorum: Int = 2) async throws -> TradeOutcome {
            let model = MarketOrderModel(
                session: try session(quorum: quorum),
                journal: market.journal,
                settings: TradeSettings()
            )
            let plan = try await model.plan(
                MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10"),
                account: market.trader.address
            )
            let signer = market.authorized(LocalKey(market.trader), log: log)
            return try await model.execute(plan, signer: signer)
        }
    }

    @Test("a purchase asks each node as often as a single one is asked")
    func rounds() async throws {
        let single = try await Stage()
        #expect(try await single.trade(quorum: 1).exit == .done)
        #expect(single.other.rounds.isEmpty)
        let pair = try await Stage()
        #expect(try await pair.trade().exit == .done)
        #expect(pair.market.node.rounds.count == single.market.node.rounds.count)
        #expect(pair.other.rounds.count == single.market.node.rounds.count)
        // The same bytes at both.
        #expect(pair.market.node.sent.count == 1)
        #expect(pair.other.sent == pair.market.node.sent)
    }

    private typealias Lie =
        @Sendable (ChainRead, Result<ChainAnswer, ChainError>)
        -> Result<ChainAnswer, ChainError>

    private static func refused(
        _ name: String,
        codes: Set<String> = ["nodes-disagree"],
        _ lie: @escaping Lie
    ) async throws {
        let stage = try await Stage()
        stage.other.onRead { reads, answers in zip(reads, answers).map { lie($0, $1) } }
        let error = await refusal { try await stage.trade() }
        #expect(error?.exit == .unreachable, "\(name): \(String(describing: error))")
        #expect(codes.contains(error?.code ?? ""), "\(name): \(String(describing: error))")
        if error?.code == "nodes-disagree" {
            let message = error?.message ?? ""
            #expect(message.contains("https://a.example says "), "\(name)")
            #expect(message.contains("https://b.example says "), "\(name)")
        }
        #expect(stage.market.node.sent.isEmpty && stage.other.sent.isEmpty, "\(name)")
        #expect(try stage.market.journaled().isEmpty, "\(name)")
        #expect(try stage.log.lines(since: 0).isEmpty, "\(name)")
    }

    private static func changing(
        _ isIt: @escaping @Sendable (CallRequest) -> Bool,
        to value: UInt256
    ) -> Lie {
        { read, answer in
            guard case .call(let call, _) = read, isIt(call) else { return answer }
            return .success(.bytes(value.bigEndianBytes))
        }
    }

    @Test("a lie about whatever a purchase rests on: both are named, and nothing is signed")
    func lies() async throws {
        try await Self.refused("the chain id") { read, answer in
            read == .chainID ? .success(.number(1)) : answer
        }
        try await Self.refused(
            "a balance",
            Self.changing(
                {
                    $0.data.prefix(4) == ERC20.balanceOf(.zero).prefix(4)
                },
                to: 1
            )
        )
        try await Self.refused(
            "an allowance",
            Self.changing(
                {
                    $0.data.prefix(4) == ERC20.allowance(owner: .zero, spender: .zero).prefix(4)
                },
                to: 1
            )
        )
        try await Self.refused(
            "a contract or a fill state",
            Self.changing(
                {
                    $0.to == TestMarket.exchange && $0.from == nil
                },
                to: 7
            )
        )
        try await Self.refused("the simulated fill", Self.changing({ $0.from != nil }, to: 0))
        try await Self.refused("the ether") { read, answer in
            if case .balance = read { .success(.wei(Wei(1))) } else { answer }
        }
        try await Self.refused("a block") { read, answer in
            guard case .success(.block(let block?)) = answer else { return answer }
            return .success(
                .block(TestMarket.block(block.number, timestamp: block.timestamp, fork: 1))
            )
        }
        try await Self.refused("errors", codes: ["too-few-nodes", "node-error"]) { _, _ in
            .failure(.rpc(code: -32_000, message: "no"))
        }
    }

    @Test("a lie that begins with the check before the signature is refused too")
    func lateLie() async throws {
        let stage = try await Stage()
        let model = MarketOrderModel(
            session: try stage.session(),
            journal: stage.market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10"),
            account: stage.market.trader.address
        )
        stage.other.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .balance = read { .success(.wei(Wei(1))) } else { answer }
            }
        }
        let signer = stage.market.authorized(LocalKey(stage.market.trader), log: stage.log)
        let error = await refusal { try await model.execute(plan, signer: signer) }
        #expect(error?.code == "nodes-disagree")
        #expect(try stage.log.lines(since: 0).isEmpty)
        #expect(stage.market.node.sent.isEmpty)
    }

    @Test("another receipt in the same block ends the wait with 4, and the transaction is named")
    func falseReceipt() async throws {
        let stage = try await Stage()
        stage.other.onRead { _, answers in
            answers.map { answer in
                guard case .success(.receipt(let receipt?)) = answer else { return answer }
                return .success(.receipt(receipt.claiming(logs: [])))
            }
        }
        let error = await refusal { try await stage.trade() }
        #expect(error?.code == "nodes-disagree")
        let hash = try #require(try stage.market.journaled().first?.hash)
        #expect(error?.message.contains("The transaction \(hash) is sent") == true)
        #expect(error?.sent.map(\.hash) == [hash])
        // Nobody was shown an outcome, so the next command looks again.
        #expect(try stage.market.journaled().map(\.stage) == [.broadcast])
    }

    @Test("a receipt that one node hides is not told as final: 12, and who has it")
    func hiddenReceipt() async throws {
        let stage = try await Stage()
        stage.other.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                switch read {
                case .receipt: .success(.receipt(nil))
                case .transaction: .success(.transaction(nil))
                default: answer
                }
            }
        }
        let outcome = try await stage.trade()
        #expect(outcome.exit == .notMinedYet)
        let sent = try #require(outcome.transactions.last)
        #expect(sent.stage == .pooled)
        #expect(sent.reason?.contains("https://b.example has no receipt") == true)
        #expect(try stage.market.journaled().map(\.stage).contains(.replaced) == false)
    }

    @Test("a node that keeps a transaction to itself withholds nothing")
    func withheld() async throws {
        let stage = try await Stage()
        stage.market.node.onSend { _, _ in .lose(.rpc(code: -32_000, message: "already known")) }
        let outcome = try await stage.trade()
        #expect(outcome.exit == .done)
        #expect(stage.other.sent.count == 1)
    }
}

extension TransactionReceipt {
    fileprivate func claiming(logs: [Log]) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: transactionHash,
            blockNumber: blockNumber,
            blockHash: blockHash,
            from: from,
            to: to,
            succeeded: succeeded,
            gasUsed: gasUsed,
            effectiveGasPrice: effectiveGasPrice,
            logs: logs
        )
    }
}
