import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Who repeats a command whose first run did it must be told that, and not why it cannot be done
/// once more.
@Suite("A repeated command that cannot be done again says that it was done")
struct RepeatedTests {
    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> (LiveMarket, any SignedOrder) {
        let market = try LiveMarket(holdings, mining: .manual)
        let order = try await market.ask(0, "100", for: "1")
        market.relay.set { $0.orders[order.hash] = .success(order) }
        return (market, order)
    }

    private func fill(
        _ order: any SignedOrder,
        _ amount: String?,
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> TradeOutcome {
        var settings = TradeSettings()
        // Nothing else is in the book.
        settings.allowsUncheckedPrice = true
        change(&settings)
        let model = FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
        let plan = try await model.plan(
            FillRequest(source: .hash(order.hash), amount: amount),
            account: market.trader.address
        )
        return try await model.execute(plan, signer: market.signer)
    }

    /// The command's first run ends before its transaction is mined, and it is mined then.
    private func minedLater(
        _ market: LiveMarket,
        _ run: () async throws -> ExitCode
    ) async throws -> TransactionHash {
        #expect(try await run() == .notMinedYet)
        try await market.chain.mine()
        return try #require(try market.journaled().last?.hash)
    }

    private func expectUnseen(
        _ error: DexError?,
        _ kind: String,
        _ hash: TransactionHash,
        now words: String,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == "unacknowledged-\(kind)", sourceLocation: location)
        #expect(error?.exit == .refused && error?.retryable == false, sourceLocation: location)
        #expect(error?.message.contains(hash.hex) == true, sourceLocation: location)
        #expect(error?.message.contains(words) == true, sourceLocation: location)
        #expect(error?.hint?.contains("dex status \(hash)") == true, sourceLocation: location)
    }

    @Test("a fill of all of an order, which is filled now; after a look the order's own answer")
    func whole() async throws {
        let (market, order) = try await market()
        let hash = try await minedLater(market) { try await fill(order, nil, market).exit }
        let again = await refusal { try await fill(order, nil, market) }
        expectUnseen(again, "fill", hash, now: "all of it is filled")
        #expect(market.node.sent.count == 1)
        let despite = await refusal {
            try await fill(order, nil, market) { $0.allowsPending = true }
        }
        #expect(despite?.code == "order-filled")
        _ = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(hash.word)
        #expect(await refusal { try await fill(order, nil, market) }?.code == "order-filled")
    }

    @Test("a fill of more than is left of the order")
    func tooMuch() async throws {
        let (market, order) = try await market()
        let hash = try await minedLater(market) { try await fill(order, "60", market).exit }
        let again = await refusal { try await fill(order, "60", market) }
        expectUnseen(again, "fill", hash, now: "only 40 ZRX")
        let plan = market.node.rounds.count
        _ = await refusal { try await fill(order, "60", market) }
        #expect(market.node.rounds.count > plan)
    }

    @Test("a fill of an order that the relay dropped since")
    func dropped() async throws {
        let (market, order) = try await market()
        let hash = try await minedLater(market) { try await fill(order, nil, market).exit }
        market.relay.set { $0.orders[order.hash] = .success(nil) }
        let again = await refusal { try await fill(order, nil, market) }
        expectUnseen(again, "fill", hash, now: "knows the order")
    }

    @Test("one that waits still, and one that got lost, are told as that")
    func pending() async throws {
        let (market, order) = try await market()
        #expect(try await fill(order, "60", market).exit == .notMinedYet)
        let hash = try #require(try market.journaled().last?.hash)
        // Somebody else took what was left meanwhile.
        market.relay.set { $0.orders[order.hash] = .success(nil) }
        let waiting = await refusal { try await fill(order, "60", market) }
        #expect(waiting?.code == "pending-transaction" && waiting?.exit == .notMinedYet)
        #expect(waiting?.hint?.contains("dex status \(hash) --wait") == true)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch read {
                case .transaction: .success(.transaction(nil))
                default: answer
                }
            }
        }
        let lost = await refusal { try await fill(order, "60", market) }
        #expect(lost?.code == "pending-transaction")
        #expect(lost?.hint?.contains("dex resume") == true)
        // A plan sends nothing.
        #expect(market.node.sent.count == 1)
    }

    @Test("a sale of all that the account had, and a purchase of all that the book had")
    func market() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(zrx: "10"), mining: .manual)
        market.setBook(bids: [try await market.bid(0, "100", for: "1")])
        let sold = try await minedLater(market) { try await market.trade(.sell, "10").exit }
        let again = await refusal { try await market.plan(.sell, "10") }
        expectUnseen(again, "fill", sold, now: "needs 10 ZRX")

        let (other, order) = try await self.market()
        other.setBook(asks: [order])
        let bought = try await minedLater(other) {
            try await other.trade(.buy, "100") { $0.allowsUncheckedPrice = true }.exit
        }
        let more = await refusal {
            try await other.plan(.buy, "100") { $0.allowsUncheckedPrice = true }
        }
        expectUnseen(more, "fill", bought, now: "refused now")
    }

    @Test("a transfer of all that the account had")
    func transfer() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(zrx: "10"), mining: .manual)
        let sent = try await minedLater(market) {
            try await market.transfer(market.send("10", "ZRX")).exit
        }
        let again = await refusal { try await market.plan(market.send("10", "ZRX")) }
        expectUnseen(again, "send", sent, now: "10 ZRX")
    }

    @Test("a refusal with nothing unsettled asks the node nothing more")
    func noRound() async throws {
        let (market, order) = try await market()
        market.node.forgetRounds()
        #expect(await refusal { try await fill(order, "101", market) }?.code == "amount-too-large")
        let rounds = market.node.rounds.count
        // An approval that nobody looked at is no fill.
        market.node.forgetRounds()
        let allowance = AllowanceModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await allowance.plan(
            .revoking("ZRX"),
            account: market.trader.address
        )
        _ = try await allowance.execute(plan, signer: market.signer)
        market.node.forgetRounds()
        #expect(await refusal { try await fill(order, "101", market) }?.code == "amount-too-large")
        #expect(market.node.rounds.count == rounds)
    }
}
