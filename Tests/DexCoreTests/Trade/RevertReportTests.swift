import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A transaction that is mined and reverts carries the contract's reason, whatever it was for.
@Suite("The contract's reason is with each transaction that reverted")
struct RevertReportTests {
    private static let reason = "The contract's reason: \"paused\\u{1B}\"."

    /// Each receipt tells of a revert, and the same call on its block says why.
    private func failing(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let data = try ABIFunction("Error(string)").encode([.string("paused\u{1B}")])
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch (read, answer) {
                case (.receipt, .success(.receipt(let receipt?))):
                    .success(.receipt(receipt.failed))
                case (.call(_, .number), _) where reads.count == 1:
                    .failure(.reverted(data: data, message: "execution reverted"))
                default: answer
                }
            }
        }
        return market
    }

    private func expect(_ transactions: [SentTransaction], _ market: LiveMarket) async throws {
        #expect(transactions.map(\.stage) == [.reverted])
        #expect(transactions.last?.reason == Self.reason)
        let hash = try #require(transactions.last?.hash)
        let state = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(hash.word)
        guard case .transaction(let status) = state else {
            Issue.record("it is no transaction")
            return
        }
        #expect(status.exit == .reverted)
        #expect(status.notes == [Self.reason])
    }

    @Test("a purchase")
    func fill() async throws {
        let market = try await failing()
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .reverted)
        #expect(outcome.warnings.first?.hasSuffix(" \(Self.reason)") == true)
        try await expect(outcome.transactions, market)
    }

    @Test("the approval before a purchase")
    func approval() async throws {
        let market = try await failing(LiveMarket.Holdings(allowance: 0))
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .reverted)
        #expect(outcome.warnings.first?.hasSuffix(" \(Self.reason)") == true)
        try await expect(outcome.transactions, market)
    }

    @Test("the approval before an order")
    func orderApproval() async throws {
        let market = try await failing(LiveMarket.Holdings(allowance: 0))
        market.relay.set { state in
            state.fees = .success(.none)
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let model = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            LimitRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "5",
                price: "0.02",
                expiry: .after(86_400),
                posts: true
            ),
            account: market.trader.address
        )
        let error = await refusal { try await model.execute(planned, signer: market.signer) }
        #expect(error?.exit == .reverted)
        #expect(error?.message.hasSuffix(" \(Self.reason)") == true)
    }

    @Test("a transfer, with the reason told once")
    func transfer() async throws {
        let market = try await failing()
        let outcome = try await market.transfer(market.send("5", "WETH"))
        #expect(outcome.exit == .reverted)
        #expect(
            outcome.warnings == [
                "The transfer was mined and reverted: nothing was moved. \(Self.reason)"
            ]
        )
        try await expect(outcome.transactions, market)
    }

    @Test("a change of an allowance")
    func allowance() async throws {
        let market = try await failing(LiveMarket.Holdings(allowance: 0))
        let model = AllowanceModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            AllowanceRequest(token: "ZRX", amount: .exactly("6")),
            account: market.trader.address
        )
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.exit == .reverted)
        #expect(outcome.warnings.first?.hasSuffix(" \(Self.reason)") == true)
        try await expect(outcome.transactions, market)
    }

    @Test("a call of a contract")
    func transact() async throws {
        let market = try await failing()
        let planned = try await market.plan("WETH", "deposit()", [], value: "1")
        let outcome = try await market.contracts().execute(planned, signer: market.signer)
        #expect(outcome.exit == .reverted)
        #expect(outcome.warnings.first?.hasSuffix(" \(Self.reason)") == true)
        try await expect(outcome.transactions, market)
    }

    @Test("a cancel")
    func cancel() async throws {
        let market = try await failing()
        let order = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, "10"),
            get: (TestMarket.weth, "1")
        )
        market.relay.set { $0.orders[order.hash] = .success(order) }
        let model = CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(.hashes([order.hash]), account: market.trader.address)
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.exit == .reverted)
        #expect(outcome.warnings.first?.hasSuffix(" \(Self.reason)") == true)
        try await expect(outcome.transactions, market)
    }

    @Test("what nobody tells the reason of is told without one")
    func silent() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        market.node.onRead { reads, answers throws(ChainError) in
            try zip(reads, answers).map { read, answer throws(ChainError) in
                switch (read, answer) {
                case (.receipt, .success(.receipt(let receipt?))):
                    return .success(.receipt(receipt.failed))
                case (.call(_, .number), _) where reads.count == 1: throw .lost
                default: return answer
                }
            }
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .reverted)
        #expect(outcome.transactions.last?.reason == nil)
        #expect(
            outcome.warnings == [
                "The transaction was mined and reverted: nothing was traded and its gas is spent."
            ]
        )
    }
}
