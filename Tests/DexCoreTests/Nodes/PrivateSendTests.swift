import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("private_rpc: signed bytes go to that endpoint alone, whatever becomes of them there")
struct PrivateSendTests {
    private static let url = "https://private.example/v1/SECRET"
    private static let shown = "https://private.example"

    /// A private mempool: it takes everything, and shows nothing until a block has it.
    private final class PrivatePool: ChainClient {
        private let chain: any ChainClient
        private let state = Mutex<[[UInt8]]>([])

        init(_ chain: any ChainClient) { self.chain = chain }

        var held: [[UInt8]] { state.withLock { $0 } }

        func read(
            _ reads: [ChainRead]
        ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
            throw .rpc(code: -32_601, message: "the method does not exist")
        }

        func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
            state.withLock { if !$0.contains(raw) { $0.append(raw) } }
            return TransactionHash(Keccak256.hash(raw))
        }

        /// A block takes what is held.
        func include() async throws {
            for raw in held { _ = try await chain.send(raw: raw) }
        }
    }

    private func market(_ holdings: LiveMarket.Holdings = .init()) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    private func endpoint(_ market: LiveMarket) -> TamperedNode {
        TamperedNode(market.chain)
    }

    private func session(_ market: LiveMarket, _ endpoint: any ChainClient) throws -> Session {
        var session = try market.session()
        session.network.privateRPC = Self.url
        session.chain = PrivateChainClient(nodes: market.node, endpoint: endpoint)
        session.privateNode = endpoint
        return session
    }

    private func model(
        _ market: LiveMarket,
        _ endpoint: any ChainClient
    ) throws -> MarketOrderModel {
        MarketOrderModel(
            session: try session(market, endpoint),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func plan(
        _ market: LiveMarket,
        _ endpoint: any ChainClient
    ) async throws -> Plan<TradePlan> {
        try await model(market, endpoint).plan(
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10", limitPrice: nil, via: nil),
            account: market.trader.address
        )
    }

    private func trade(
        _ market: LiveMarket,
        _ endpoint: any ChainClient
    ) async throws -> TradeOutcome {
        let plan = try await plan(market, endpoint)
        return try await model(market, endpoint).execute(plan, signer: market.signer)
    }

    @Test("approval and trade go to the endpoint, no public node gets a byte, and the plan says so")
    func sends() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let endpoint = endpoint(market)
        let plan = try await plan(market, endpoint)
        #expect(plan.content.gas.privateNode == Self.shown)
        let outcome = try await model(market, endpoint).execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(market.node.sent.isEmpty)
        #expect(endpoint.sent == (try market.journaled().map(\.raw)))
        #expect(endpoint.sent.count == 2)
    }

    @Test("nothing is read from the endpoint")
    func reads() async throws {
        let market = try await market()
        let endpoint = endpoint(market)
        #expect(try await trade(market, endpoint).exit == .done)
        #expect(endpoint.rounds.isEmpty)
    }

    @Test("an endpoint that refuses: exit 4 with its words, nothing is in flight or sent elsewhere")
    func refused() async throws {
        let market = try await market()
        let endpoint = endpoint(market)
        endpoint.onSend { _, _ in .lose(.notTaken(code: -32_000, message: "not allowed here")) }
        await #expect {
            _ = try await trade(market, endpoint)
        } throws: { error in
            let error = error as? DexError
            return error?.code == "send-refused" && error?.exit == .unreachable
                && error?.message.contains("the private mempool at \(Self.shown) says") == true
                && error?.message.contains("SECRET") == false
        }
        #expect(market.node.sent.isEmpty)
        #expect(try market.journaled().map(\.stage) == [.refused])
    }

    @Test(
        "an endpoint that is gone or takes nothing: exit 4, and resume sends the same bytes there"
    )
    func gone() async throws {
        let failures: [ChainError] = [
            .unreachable(url: Self.shown, reason: "no route"),
            .declined(code: -32_000, message: "busy"),
            .rpc(code: -32_603, message: "internal error"),
        ]
        for failure in failures {
            let market = try await market()
            let endpoint = endpoint(market)
            endpoint.onSend { _, _ in .lose(failure) }
            await #expect {
                _ = try await trade(market, endpoint)
            } throws: { error in
                let error = error as? DexError
                return error?.code == "private-unconfirmed" && error?.exit == .unreachable
                    && error?.message.contains(Self.shown) == true
            }
            #expect(market.node.sent.isEmpty, "\(failure)")
            let raw = try #require(try market.journaled().first?.raw)
            let before = endpoint.sent.count
            endpoint.onSend(nil)
            let resume = ResumeModel(
                session: try session(market, endpoint),
                journal: market.journal,
                settings: TradeSettings()
            )
            _ = try await resume.execute(try await resume.plan())
            #expect(endpoint.sent.dropFirst(before).allSatisfy { $0 == raw })
            #expect(endpoint.sent.count > before)
            #expect(market.node.sent.isEmpty, "\(failure)")
            let owned = try await market.balance(TestMarket.zrx, of: market.trader.address)
            #expect(owned >= TestMarket.units("10"))
        }
    }

    @Test("while the endpoint has it no node shows it: it waits, and is not lost; then it is mined")
    func hidden() async throws {
        let market = try await market()
        let pool = PrivatePool(market.node)
        let outcome = try await trade(market, pool)
        #expect(outcome.exit == .notMinedYet)
        let sent = try #require(outcome.transactions.last)
        #expect(sent.stage == .pooled)
        #expect(sent.reason?.contains("private mempool at \(Self.shown)") == true)
        #expect(market.node.sent.isEmpty)
        let session = try session(market, pool)
        let status = StatusModel(session: session, journal: market.journal)
        guard
            case .transaction(let waiting) = try await status.load(
                sent.hash.word,
                confirmations: 1
            )
        else {
            Issue.record("no transaction")
            return
        }
        #expect(waiting.stage == .pooled)
        #expect(waiting.notes.contains { $0.contains("private mempool") })
        #expect(market.node.sent.isEmpty)
        try await pool.include()
        guard
            case .transaction(let mined) = try await status.load(sent.hash.word, confirmations: 1)
        else {
            Issue.record("no transaction")
            return
        }
        #expect(mined.stage == .confirmed)
        #expect(pool.held.count == 1)
    }

    @Test("a faster one in its place goes to the endpoint as well")
    func replaced() async throws {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let endpoint = endpoint(market)
        let outcome = try await trade(market, endpoint)
        #expect(outcome.exit == .notMinedYet)
        var hash = try #require(outcome.transactions.last?.hash)
        let model = ReplacementModel(
            session: try session(market, endpoint),
            journal: market.journal,
            settings: TradeSettings()
        )
        for kind in [ReplacementPlan.Kind.speedup, .cancel] {
            let planned = try await model.plan(
                ReplacementRequest(kind, of: hash),
                account: market.trader.address
            )
            #expect(planned.content.gas.privateNode == Self.shown)
            let before = endpoint.sent.count
            _ = try await model.execute(planned, signer: market.signer)
            #expect(endpoint.sent.count > before, "\(kind)")
            // The next one takes the place of this one.
            hash = try #require(try market.journaled().last?.hash)
        }
        #expect(market.node.sent.isEmpty)
    }

    @Test("the checkup names the endpoint and its chain; without one there is no row")
    func doctor() async throws {
        let market = try await market()
        #expect(await PrivateNodeCheck(session: try market.session()).row() == nil)
        let row = await PrivateNodeCheck(session: try session(market, endpoint(market))).row()
        #expect(row?.mark == .ok)
        #expect(row?.found.contains("\(Self.shown) alone; it is on chain 1337") == true)
        let silent = PrivateNodeCheck(session: try session(market, PrivatePool(market.node)))
        #expect(await silent.row()?.found.contains("does not tell its chain") == true)
        let broken = endpoint(market)
        broken.onRead { _, _ throws(ChainError) in throw .unreachable(url: "x", reason: "gone") }
        let lost = await PrivateNodeCheck(session: try session(market, broken)).row()
        #expect(lost?.mark == .fail && lost?.kind == .unreachable)
        var other = try session(market, endpoint(market))
        other.network.chainID = 5
        #expect(await PrivateNodeCheck(session: other).row()?.mark == .fail)
    }
}
