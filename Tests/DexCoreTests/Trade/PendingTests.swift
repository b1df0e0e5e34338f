import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Commands that are repeated while a transaction is pending never trade twice")
struct PendingTests {
    /// A market whose blocks are made by hand, with a purchase that was not mined in time.
    private func pendingFill() async throws -> (LiveMarket, TransactionHash) {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        return (market, try #require(outcome.transactions.last?.hash))
    }

    private func look(_ market: LiveMarket, _ hash: TransactionHash) async throws -> StatusState {
        try await StatusModel(session: try market.session(), journal: market.journal)
            .load(hash.word)
    }

    @Test("a repeated purchase is planned with a loud warning and stops with exit 12")
    func pending() async throws {
        let (market, hash) = try await pendingFill()
        let plan = try await market.plan(.buy, "10")
        let warning = try #require(plan.content.warnings.first { $0.hasPrefix("PENDING: ") })
        #expect(warning.contains("dex status \(hash) --wait"))
        #expect(warning.contains("--despite-pending"))
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "pending-transaction")
        #expect(error?.exit == .notMinedYet)
        #expect(error?.retryable == true)
        #expect(error?.hint?.contains("dex status \(hash) --wait") == true)
        #expect(market.node.sent.count == 1)
    }

    @Test("a script that repeats a purchase until it succeeds buys once")
    func blindScript() async throws {
        let (market, hash) = try await pendingFill()
        var codes: [String?] = []
        for turn in 0..<6 {
            if turn == 2 { try await market.chain.mine() }
            codes.append(await refusal { try await market.trade(.buy, "10") }?.code)
        }
        #expect(
            codes == ["pending-transaction", "pending-transaction"]
                + Array(repeating: "unacknowledged-fill", count: 4)
        )
        #expect(market.node.sent.count == 1)
        let plan = try await market.plan(.buy, "10")
        #expect(
            plan.content.warnings.contains {
                $0.hasPrefix("MINED MEANWHILE: ") && $0.contains("dex status \(hash)")
            }
        )
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.exit == .refused)
        #expect(error?.retryable == false)
        // Looking at it is what tells that the first one is known.
        guard case .transaction(let status) = try await look(market, hash) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(status.stage == .confirmed)
        #expect(status.fills.count == 1)
        #expect(try market.journaled().map(\.stage) == [.mined])
        market.node.onSend { _, raw in
            _ = try await market.chain.send(raw: raw)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        #expect(try await market.trade(.buy, "10").exit == .done)
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10020")
        )
    }

    @Test("looking at a transaction that is still pending does not let a second one through")
    func lookedTooEarly() async throws {
        let (market, hash) = try await pendingFill()
        _ = try await look(market, hash)
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "pending-transaction")
    }

    @Test("--despite-pending trades on top of it, with the warning")
    func despite() async throws {
        let (market, hash) = try await pendingFill()
        let allow = { (settings: inout TradeSettings) in settings.allowsPending = true }
        let plan = try await market.plan(.buy, "10", allow)
        #expect(
            plan.content.warnings.contains { $0.contains(hash.hex) && $0.contains("in addition") }
        )
        market.node.onSend { _, raw in
            _ = try await market.chain.send(raw: raw)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        let outcome = try await market.model(allow).execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(try market.journaled().map(\.nonce) == [0, 1])
        // That it was mined is told in the plan; what it did is not, and stops who does not insist.
        let after = try await market.plan(.buy, "10", allow)
        #expect(after.content.warnings.contains { $0.hasPrefix("MINED MEANWHILE") })
        #expect(try await market.trade(.buy, "10", allow).exit == .done)
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "unacknowledged-fill" && error?.message.contains(hash.hex) == true)
        let status = StatusModel(session: try market.session(), journal: market.journal)
        _ = try await status.load(hash.word)
        #expect(try await market.trade(.buy, "10").exit == .done)
    }

    @Test("a fill that reverted meanwhile traded nothing and stops nothing")
    func reverted() async throws {
        let market = try LiveMarket(mining: .manual)
        let ask = try await market.order(
            by: market.makers[0],
            give: (LiveMarket.stubborn, "100"),
            get: (TestMarket.weth, "1")
        )
        market.setBook(asks: [ask])
        let pair = "\(LiveMarket.stubborn.checksummed)/WETH"
        market.node.onSend { _, _ in
            // With a higher tip it is mined first.
            try await market.drain(market.makers[0], LiveMarket.stubborn)
            return .pass
        }
        #expect(try await market.trade(.buy, "10", pair: pair).exit == .notMinedYet)
        try await market.chain.mine()
        market.setBook(asks: [try await market.ask(1, "100", for: "1")])
        market.node.onSend { _, raw in
            _ = try await market.chain.send(raw: raw)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        #expect(try await market.trade(.buy, "10").exit == .done)
        #expect(try market.journaled().map(\.stage) == [.reverted, .mined])
    }

    @Test("a cancel is never held up by a pending fill, and tells of it")
    func cancel() async throws {
        let (market, hash) = try await pendingFill()
        let own = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, "5"),
            get: (TestMarket.weth, "1")
        )
        market.relay.set { $0.orders[own.hash] = .success(own) }
        let model = CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(.hashes([own.hash]), account: market.trader.address)
        let warning = try #require(plan.content.warnings.first { $0.hasPrefix("PENDING: ") })
        #expect(warning.contains("dex status \(hash) --wait"))
        #expect(!warning.contains("--despite-pending"))
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        #expect(market.node.sent.count == 2)
        // It is not taken for a look at the fill.
        try await market.chain.mine()
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
    }

    @Test("an order is placed beside a pending fill, with a warning that names it")
    func limitOrder() async throws {
        let (market, hash) = try await pendingFill()
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        let model = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(
            LimitRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "5",
                price: "0.01",
                expiry: .after(3_600),
                posts: false
            ),
            account: market.trader.address
        )
        #expect(
            plan.content.warnings.contains {
                $0.hasPrefix("PENDING: ") && $0.contains("dex status \(hash) --wait")
            }
        )
        #expect(try await model.execute(plan, signer: market.signer).exit == .done)
    }

    @Test("an approval that is pending is not sent a second time")
    func approval() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0), mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "pending-transaction")
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        let model = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(
            LimitRequest(
                side: .buy,
                pair: "ZRX/WETH",
                amount: "5",
                price: "0.01",
                expiry: .after(3_600),
                posts: false
            ),
            account: market.trader.address
        )
        let order = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(order?.code == "pending-transaction")
        #expect(market.node.sent.count == 1)
        // Once it is mined, there is nothing left that could be done twice.
        try await market.chain.mine()
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        #expect(try market.journaled().map(\.purpose) == ["approve", "fill"])
    }

    @Test("a mined transaction that lacks confirmations is told as such, not as unmined")
    func unconfirmed() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let outcome = try await market.trade(.buy, "10") { $0.confirmations = 3 }
        #expect(outcome.exit == .notMinedYet)
        let sent = try #require(outcome.transactions.last)
        #expect(sent.stage == .mined && sent.stage.sentWord == "pending")
        #expect(sent.block == 1)
        let words = try #require(outcome.warnings.first)
        #expect(words.contains("is in block 1 and does not have its 3 confirmations yet"))
        #expect(words.contains("dex status \(sent.hash) --wait --confirmations 3"))
        #expect(!words.contains("not mined"))
        #expect(try market.journaled().map(\.stage) == [.broadcast])
    }
}

extension Array where Element: Equatable {
    /// These elements follow one another somewhere in it.
    func contains(_ part: [Element]) -> Bool {
        guard !part.isEmpty, count >= part.count else { return part.isEmpty }
        return (0...(count - part.count)).contains { Array(self[$0..<($0 + part.count)]) == part }
    }
}
