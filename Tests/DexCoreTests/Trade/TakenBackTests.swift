import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What a reorganization or dear gas does to what was sent")
struct TakenBackTests {
    private func market() async throws -> LiveMarket {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    private func look(
        _ market: LiveMarket,
        _ hash: TransactionHash
    ) async throws -> TransactionStatus {
        let model = StatusModel(session: try market.session(), journal: market.journal)
        let state = try await model.load(hash.word)
        guard case .transaction(let status) = state else {
            throw DexError(.fault, code: "test", message: "It is an order.")
        }
        return status
    }

    @Test("a mined fill that a reorganization lost is sent again as it was, and nothing new")
    func gone() async throws {
        let market = try await market()
        let outcome = try await market.trade(.buy, "10")
        let hash = try #require(outcome.transactions.last?.hash)
        let after = try await market.balance(TestMarket.zrx, of: market.trader.address)
        _ = try await market.chain.reorganize(blocks: 1, transactions: .gone)

        let status = try await look(market, hash)
        #expect(status.stage == .dropped && status.exit == .replacedOrDropped)
        #expect(status.notes.first?.hasPrefix("It was mined in block ") == true)
        #expect(status.notes.last?.contains("sends it again as it is") == true)

        let raw = try market.journaled()[0].raw
        let sent = market.node.sent.count
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "resumed" && error?.exit == .notMinedYet)
        #expect(error?.message.contains("reorganization") == true)
        #expect(error?.message.contains(hash.hex) == true)
        #expect(market.node.sent.dropFirst(sent) == [raw])
        #expect(try market.journaled().count == 1)
        #expect(try await market.balance(TestMarket.zrx, of: market.trader.address) == after)
        // From here on it is an earlier fill as any other.
        let unseen = await refusal { try await market.trade(.buy, "10") }
        #expect(unseen?.code == "unacknowledged-fill")
        #expect(try await look(market, hash).stage == .confirmed)
        #expect(try await market.trade(.buy, "10").exit == .done)
    }

    @Test("several are sent again in the order of their nonces, also on a real chain")
    func several() async throws {
        let market = try await market()
        _ = try await market.trade(.buy, "10")
        _ = try await market.trade(.buy, "10")
        _ = try await market.chain.reorganize(blocks: 2, transactions: .gone)
        let raws = try market.journaled().sorted { $0.nonce < $1.nonce }.map(\.raw)
        let sent = market.node.sent.count
        let model = MarketOrderModel(
            session: try market.session(isSandbox: false),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await market.plan(.buy, "10")
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.code == "resumed")
        #expect(market.node.sent.dropFirst(sent) == raws[...])
    }

    @Test("a fill that waits again is pending, and its status says that it was mined before")
    func pool() async throws {
        let market = try await market()
        let outcome = try await market.trade(.buy, "10")
        let hash = try #require(outcome.transactions.last?.hash)
        _ = try await market.chain.reorganize(blocks: 1, transactions: .pool)
        let status = try await look(market, hash)
        #expect(status.stage == .pooled && status.exit == .notMinedYet)
        #expect(status.notes.count == 1)
        #expect(status.notes.first?.contains("what it did is undone") == true)
        try await market.chain.mine()
        #expect(try await look(market, hash).stage == .confirmed)
        #expect(try await look(market, hash).notes.isEmpty)
    }

    @Test("what waits for cheaper gas says so, in the outcome and in the status")
    func stuck() async throws {
        let market = try await market()
        let chain = market.chain
        market.node.onSend { _, _ in
            await chain.setNextBaseFee(1_000_000_000_000)
            return .pass
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        let hash = try #require(outcome.transactions.last?.hash)
        let reason = "the base fee is 1000 gwei now: it waits until gas is that cheap again."
        #expect(outcome.warnings.contains { $0.hasSuffix(reason) })
        let status = try await look(market, hash)
        #expect(status.stage == .pooled)
        #expect(status.notes.count == 1 && status.notes[0].hasSuffix(reason))
        await chain.setNextBaseFee(nil)
        try await chain.mineWhatCanRun()
        #expect(try await look(market, hash).stage == .confirmed)
    }
}
