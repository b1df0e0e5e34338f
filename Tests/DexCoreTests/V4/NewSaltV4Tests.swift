import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("A new order on a v4 network is never among those that its pair was cancelled with")
struct NewSaltV4Tests {
    private let market: LiveMarket

    init() throws {
        market = try LiveMarket(version: .v4)
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
    }

    private func model() throws -> LimitOrderModel {
        LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func plan(_ side: TradeSide = .sell) async throws -> Plan<LimitPlan> {
        try await model().plan(
            LimitRequest(
                side: side,
                pair: "ZRX/WETH",
                amount: "100",
                price: "0.0025",
                expiry: .after(86_400),
                posts: true
            ),
            account: market.trader.address
        )
    }

    private func place(_ side: TradeSide = .sell) async throws -> any SignedOrder {
        try await model().execute(try await plan(side), signer: market.signer).order
    }

    private func cancelPair() async throws -> CancelOutcome {
        let model = CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(.pair("ZRX/WETH"), account: market.trader.address)
        return try await model.execute(plan, signer: market.signer)
    }

    /// Other software of the trader's cancels all that sells ZRX for WETH below a salt.
    private func cancelElsewhere(below salt: UInt256) async throws {
        let cancel = PairCancelV4(
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            minValidSalt: salt
        )
        let hash = try await market.send(
            from: market.trader,
            to: market.network.exchange,
            ExchangeCallV4.limit(.cancelPair(cancel)).data
        )
        let client = market.chain
        #expect(try await client.read(.receipt(hash))?.succeeded == true)
    }

    private func status(_ order: any SignedOrder) async throws -> OrderStatus? {
        let calls = market.exchangeProtocol.stateCalls(
            of: [order],
            contracts: market.exchangeContracts
        )
        var batch = ReadBatch()
        let slots = batch.add(calls, at: .latest)
        let answers = try await market.node.read(batch)
        return try market.exchangeProtocol.states(
            of: [order],
            answers: try slots.map { try answers[$0].get() }
        ).first?.status
    }

    @Test("right after `cancel --pair`, in the same second, a new order is valid")
    func sameSecond() async throws {
        // Salts are random within their second: of several one is below the cancelled one.
        for _ in 0..<4 {
            let old = try await place()
            #expect(try await status(old) == .open)
            #expect(try await cancelPair().exit == .done)
            #expect(try await status(old) == .cancelled)
            let new = try await place()
            #expect(try await status(new) == .open)
        }
    }

    @Test("above a least salt of the future, which is told; and it can be cancelled again")
    func aheadOfTime() async throws {
        let minimum = UInt256(TestMarket.now + 3_600) << 192
        try await cancelElsewhere(below: minimum)
        let planned = try await plan()
        #expect(planned.content.draft.salt >= minimum)
        #expect(planned.content.warnings.contains { $0.contains("above those of this time") })
        let order = try await model().execute(planned, signer: market.signer).order
        #expect(order.hash == planned.content.orderHash)
        #expect(try await status(order) == .open)
        #expect(try await cancelPair().exit == .done)
        #expect(try await status(order) == .cancelled)
        // The other side of the pair is another pair to the exchange.
        let bid = try await place(.buy)
        #expect(bid.salt >> 192 < UInt256(TestMarket.now + 3_600))
        #expect(try await status(bid) == .open)
    }

    @Test("the greatest salt of all is still left where everything below was cancelled")
    func greatest() async throws {
        try await cancelElsewhere(below: .max)
        let order = try await place()
        #expect(order.salt == .max)
        #expect(try await status(order) == .open)
    }

    @Test("an order that was cancelled between plan and signature is not signed: exit 6")
    func meanwhile() async throws {
        let planned = try await plan()
        try await cancelElsewhere(below: planned.content.draft.salt + 1)
        let error = await refusal { try await model().execute(planned, signer: market.signer) }
        #expect(error?.code == "pair-cancelled")
        #expect(error?.exit == .refused)
        #expect(market.relay.posted.isEmpty)
        #expect(
            try market.journal.orders(
                chainID: 1337,
                exchange: market.network.exchange,
                maker: market.trader.address
            ).isEmpty
        )
        #expect(try await status(try await place()) == .open, "the next one is")
    }

    /// Answers what is asked about the salt, and nothing else.
    private func answerSaltChecks(_ answer: Result<ChainAnswer, ChainError>) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, real in
                guard case .call(let request, _) = read,
                    case .limit(.cancelPair)? = try? ExchangeCallV4(data: request.data)
                else { return real }
                return answer
            }
        }
    }

    @Test("a refusal that names no salt, or none above the order's, is told in its own words")
    func unknown() async throws {
        let low = ExchangeRevertV4.cancelSaltTooLow(minValidSalt: 5, oldMinValidSalt: 4)
        let missing = ExchangeRevertV4.notImplemented(selector: 0xd0a5_5fb0)
        let cases: [([UInt8], String, String)] = [
            ([], "", "no reason given"), ([], "out of gas", "out of gas"),
            (low.data, "", "below the salt 4 already"),
            (missing.data, "", "has no function 0xd0a55fb0 on this chain"),
        ]
        for (data, words, reported) in cases {
            answerSaltChecks(.failure(.reverted(data: data, message: words)))
            let error = await refusal { try await plan() }
            #expect(error?.code == "salt-unknown")
            #expect(error?.exit == .refused)
            #expect(error?.message.contains(reported) == true, "\(error?.message ?? "")")
            #expect(error?.message.hasSuffix(".") == true)
        }
        answerSaltChecks(.failure(.lost))
        #expect(await refusal { try await plan() }?.code == "node-unreachable")
        answerSaltChecks(.success(.number(1)))
        #expect(await refusal { try await plan() }?.exit == .unreachable)
    }

    @Test("it costs no round trip, and a v1 network is not asked")
    func rounds() async throws {
        _ = try await plan()
        let v4 = market.node.rounds.count
        let old = try LiveMarket()
        old.relay.set { state in
            state.fees = .success(.none)
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        _ = try await LimitOrderModel(
            session: try old.session(),
            journal: old.journal,
            settings: TradeSettings()
        ).plan(
            LimitRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "100",
                price: "0.0025",
                expiry: .after(86_400),
                posts: true
            ),
            account: old.trader.address
        )
        #expect(old.node.rounds.count == v4)
        // The largest of the first rounds: the book's own has neither check nor second contract.
        let first = { (node: TamperedNode) in
            node.rounds.filter { $0.contains(.chainID) }.map(\.count).max()
        }
        #expect(first(old.node) == first(market.node), "two contracts and no check")
    }
}
