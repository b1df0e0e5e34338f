import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// The confirmed minimum decides between done and exit 14, and every command says the same of a
/// fill.
@Suite("A fill is done from the confirmed minimum on, and says what it brought less")
struct ConfirmedMinimumTests {
    private func status(
        _ market: LiveMarket,
        _ hash: TransactionHash?
    ) async throws -> TransactionStatus {
        let state = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(try #require(hash).word)
        guard case .transaction(let status) = state else {
            throw DexError(.fault, code: "order", message: "An order.")
        }
        return status
    }

    /// What others do between the last look and the block.
    private func overtake(_ market: LiveMarket, _ act: @escaping @Sendable () async throws -> Void)
    {
        market.node.onSend { _, _ in
            try await act()
            return .pass
        }
    }

    @Test("v1: a backup order brings less than quoted, and not less than confirmed: done")
    func buy() async throws {
        let market = try LiveMarket()
        let wanted = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [wanted, try await market.ask(1, "50", for: "0.5025")])
        let plan = try await market.plan(.buy, "10")
        overtake(market) { try await market.take(wanted) }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.received == TestMarket.units("9.950248756218905472"))
        #expect(outcome.exit == .done)
        #expect(
            outcome.warnings == [
                "Received 9.950248756218905472 ZRX of 10 expected. The confirmed minimum is "
                    + "9.950248756218905471 ZRX."
            ]
        )
        let status = try await status(market, outcome.transactions.last?.hash)
        #expect(status.exit == .done)
        #expect(status.notes == outcome.warnings)
    }

    @Test("v1: the orders left bring less than confirmed: exit 14")
    func buyBelow() async throws {
        let market = try LiveMarket()
        let wanted = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [wanted, try await market.ask(1, "2", for: "0.0201")])
        let plan = try await market.plan(.buy, "10")
        overtake(market) { try await market.take(wanted) }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.received == TestMarket.units("2"))
        #expect(outcome.exit == .filledLess)
        #expect(
            outcome.warnings == [
                "Received 2 ZRX of 10 expected. That is below the confirmed minimum of "
                    + "9.989999999999999999 ZRX."
            ]
        )
        let status = try await status(market, outcome.transactions.last?.hash)
        #expect(status.exit == .filledLess)
        #expect(status.notes == outcome.warnings)
    }

    @Test(
        "a sale whose smallest order goes is done where the rest brings the minimum",
        arguments: [ProtocolVersion.v1, .v4]
    )
    func sell(version: ProtocolVersion) async throws {
        let market = try LiveMarket(version: version)
        let tiny = try await market.bid(0, "0.05", for: "0.0005")
        let deep = try await market.bid(1, "99.95", for: "0.9985005")
        market.setBook(bids: [tiny, deep, try await market.bid(2, "20", for: "0.1984")])
        let plan = try await market.plan(.sell, "100") { $0.allowsUncheckedPrice = true }
        overtake(market) { try await market.take(tiny) }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect((outcome.received ?? 0) < plan.content.expectedReceive)
        #expect((outcome.received ?? 0) >= plan.content.minimumReceive)
        #expect(outcome.exit == .done)
        #expect(outcome.warnings.count == 1)
        #expect(outcome.warnings.first?.contains("The confirmed minimum is") == true)
        let status = try await status(market, outcome.transactions.last?.hash)
        #expect(status.exit == .done)
        #expect(status.notes == outcome.warnings)
    }

    @Test("v4: a purchase that leaves an order out is below what was confirmed: exit 14")
    func buyV4() async throws {
        let market = try LiveMarket(version: .v4)
        let first = try await market.ask(0, "100", for: "1")
        let next = try await market.ask(1, "100", for: "1.002")
        market.setBook(asks: [first, next])
        let plan = try await market.plan(.buy, "150") { $0.allowsUncheckedPrice = true }
        overtake(market) { try await market.take(first) }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.received == TestMarket.units("50"))
        #expect(outcome.exit == .filledLess)
        let words = [
            "Received 50 ZRX of 150 expected. That is below the confirmed minimum of 150 ZRX."
        ]
        #expect(outcome.warnings == words)
        let status = try await status(market, outcome.transactions.last?.hash)
        #expect(status.exit == .filledLess)
        #expect(status.notes == words)
    }

    @Test(
        "a chosen order that others filled in part brings less than confirmed: exit 14",
        arguments: [ProtocolVersion.v1, .v4]
    )
    func fill(version: ProtocolVersion) async throws {
        let market = try LiveMarket(version: version)
        let order = try await market.ask(0, "100", for: "1")
        market.relay.set { $0.orders[order.hash] = .success(order) }
        let model = FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(
            FillRequest(source: .hash(order.hash), amount: "50"),
            account: market.trader.address
        )
        overtake(market) { try await market.take(order, TestMarket.units("0.8")) }
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.received == TestMarket.units("20"))
        #expect(outcome.exit == .filledLess)
        let words = [
            "Received 20 ZRX of 50 expected. That is below the confirmed minimum of 50 ZRX."
        ]
        #expect(outcome.warnings == words)
        let status = try await status(market, outcome.transactions.last?.hash)
        #expect(status.exit == .filledLess)
        #expect(status.notes == words)
    }

    @Test("a token that keeps a part within the minimum: done, and both are told")
    func tokenFee() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [
            try await market.ask(0, "10", for: "0.1"), try await market.ask(1, "50", for: "0.5025"),
        ])
        let arrived = TestMarket.units("9.96")
        market.node.onRead { _, answers throws(ChainError) in
            answers.map { answer in
                guard case .success(.receipt(let receipt?)) = answer else { return answer }
                let logs = receipt.logs.map { log in
                    log.address == TestMarket.zrx && log.topics.first == ERC20.transferTopic
                        ? Log(
                            address: log.address,
                            topics: log.topics,
                            data: arrived.bigEndianBytes
                        ) : log
                }
                return .success(.receipt(receipt.with(logs: logs)))
            }
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == arrived)
        #expect(outcome.exit == .done)
        #expect(outcome.warnings.count == 2)
        let status = try await status(market, outcome.transactions.last?.hash)
        #expect(status.exit == .done)
        #expect(status.notes == Array(outcome.warnings.suffix(1)))
    }

    @Test("what is mined behind its command's back: resume names what it brought less")
    func resumed() async throws {
        let market = try LiveMarket(mining: .manual)
        let wanted = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [wanted, try await market.ask(1, "2", for: "0.0201")])
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        // A higher tip comes first in the block.
        try await market.take(wanted)
        try await market.chain.mine()
        let model = ResumeModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let item = try #require(try await model.execute(try await model.plan()).items.first)
        #expect(item.outcome?.exit == .filledLess)
        #expect(item.notes.contains { $0.contains("below the confirmed minimum") })
        #expect(!item.notes.contains { $0.contains("Nothing was filled") })
    }

    @Test("a fill that was sped up keeps the minimum that was confirmed first")
    func replaced() async throws {
        let market = try LiveMarket(mining: .manual)
        let wanted = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [wanted, try await market.ask(1, "2", for: "0.0201")])
        let first = try #require(try await market.trade(.buy, "10").transactions.last?.hash)
        let model = ReplacementModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            ReplacementRequest(.speedup, of: first),
            account: market.trader.address
        )
        market.node.onSend { _, raw in
            _ = try await market.chain.send(raw: raw)
            try await market.take(wanted)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.mined?.notes.first?.contains("below the confirmed minimum") == true)
    }
}
