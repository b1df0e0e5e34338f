import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// `dex status` of a transaction whose place another one was signed to take.
@Suite("The status of what was replaced follows what took its place")
struct FollowedStatusTests {
    private func waiting() async throws -> (LiveMarket, TransactionHash) {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let outcome = try await market.trade(.buy, "10")
        return (market, try #require(outcome.transactions.last?.hash))
    }

    private func replace(
        _ kind: ReplacementPlan.Kind,
        _ market: LiveMarket,
        _ hash: TransactionHash
    ) async throws -> TransactionHash {
        let model = ReplacementModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            ReplacementRequest(kind, of: hash),
            account: market.trader.address
        )
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        return try #require(outcome.transactions.last?.hash)
    }

    private func status(
        _ market: LiveMarket,
        _ hash: TransactionHash
    ) async throws -> TransactionStatus {
        let state = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(hash.word)
        guard case .transaction(let status) = state else {
            throw DexError(.fault, code: "order", message: "An order.")
        }
        return status
    }

    @Test("sped up once and twice: the last one's while it waits, and its end")
    func speedup() async throws {
        let (market, first) = try await waiting()
        let second = try await replace(.speedup, market, first)
        let third = try await replace(.speedup, market, second)
        for hash in [first, second] {
            let waiting = try await status(market, hash)
            #expect(waiting.hash == third && waiting.replaces == hash)
            #expect(waiting.successor == third)
            #expect(waiting.stage == .pooled && waiting.exit == .notMinedYet)
            #expect(waiting.notes.first?.contains("one of the two is mined") == true)
        }
        let own = try await status(market, third)
        #expect(own.hash == third && own.replaces == nil)
        try await market.chain.mine()
        let mined = try await status(market, first)
        #expect(mined.hash == third && mined.replaces == first && mined.successor == third)
        #expect(mined.notes.first?.hasPrefix("\(first) was replaced by this fill") == true)
        #expect(mined.stage == .confirmed && mined.exit == .done && mined.fills.count == 1)
        // Its end was told: one more is one more.
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
    }

    @Test("a waiting user sees what waits now: its hash, its price, the base fee, since when")
    func shown() async throws {
        let (market, first) = try await waiting()
        func waits(for hash: TransactionHash) async throws -> [TransactionWait?] {
            let before = market.clock.waits.count
            _ = try await StatusModel(session: try market.session(), journal: market.journal)
                .wait(hash.word, timeout: 1)
            return Array(market.clock.waits.dropFirst(before))
        }
        let own = try #require(try market.journaled().first)
        let shown = try await waits(for: first)
        let line = try #require(shown.first ?? nil)
        #expect(line.hash == first && line.purpose == "fill")
        #expect(line.step == 1 && line.steps == 1)
        #expect(line.price == own.signed(try market.session())?.transaction.maximumGasPrice)
        let head = try await market.session().chain.read(.latestBlock)
        #expect(line.baseFee == head.baseFeePerGas)
        #expect(line.since == own.created)
        #expect(shown.last == .some(nil))
        let second = try await replace(.speedup, market, first)
        let sped = try await waits(for: first)
        #expect((sped.first ?? nil)?.hash == second)
        // What is mined is only waited for: nothing speeds it up.
        try await market.chain.mine()
        let before = market.clock.waits.count
        _ = try await StatusModel(session: try market.session(), journal: market.journal)
            .wait(second.word, confirmations: 5, timeout: 1)
        let mined = try #require(market.clock.waits.dropFirst(before).first ?? nil)
        #expect(mined.hash == second && mined.price == nil)
    }

    @Test("where the first one was mined after all, it is told itself")
    func firstMined() async throws {
        let (market, first) = try await waiting()
        let old = try #require(try market.journaled().first).raw
        // The replacement never reaches the pool.
        market.node.onSend { _, _ in .lose(.lost) }
        let model = ReplacementModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            ReplacementRequest(.speedup, of: first),
            account: market.trader.address
        )
        _ = try await model.execute(planned, signer: market.signer)
        #expect(try market.journaled().first?.raw == old)
        let waiting = try await status(market, first)
        #expect(waiting.hash == first && waiting.stage == .pooled)
        #expect(waiting.exit == .notMinedYet)
        let successor = try #require(try market.journaled().first?.successor)
        #expect(waiting.successor == successor)
        #expect(waiting.notes.contains { $0.contains(successor.hex) })
        try await market.chain.mine()
        let mined = try await status(market, first)
        #expect(mined.hash == first && mined.replaces == nil && mined.successor == nil)
        #expect(mined.exit == .done && mined.fills.count == 1)
    }

    @Test("taken back it is never done: pending with its successor, then replaced by it")
    func cancel() async throws {
        let (market, first) = try await waiting()
        let empty = try await replace(.cancel, market, first)
        let waiting = try await status(market, first)
        #expect(waiting.hash == empty && waiting.replaces == first)
        #expect(waiting.exit == .notMinedYet)
        try await market.chain.mine()
        let over = try await status(market, first)
        #expect(over.hash == first && over.stage == .replaced)
        #expect(over.exit == .replacedOrDropped && over.successor == empty)
        #expect(over.remedy == nil)
        #expect(over.notes.contains { $0.contains(empty.hex) })
        #expect(try await status(market, empty).exit == .done)
    }

    @Test("what a node lost has commands that help; what a node refused has none")
    func lost() async throws {
        let (market, first) = try await waiting()
        let raw = try #require(try market.journaled().first).raw
        let other = try LiveMarket(mining: .manual)
        let intent = try other.journal.open(
            JournalIntent(
                chainID: 1337,
                account: other.trader.address,
                command: "market-buy",
                plan: "{}",
                created: 1
            )
        )
        let reservation = try other.journal.reserveNonce(
            intent: intent,
            purpose: "fill",
            chainID: 1337,
            sender: other.trader.address,
            pendingCount: 0,
            now: 1
        )
        try other.journal.record(raw: raw, hash: first, for: reservation, now: 1)
        try other.journal.mark(first, as: .broadcast, now: 1)
        let lost = try await status(other, first)
        #expect(lost.stage == .dropped && lost.exit == .replacedOrDropped)
        #expect(
            lost.remedy == "Send it again as it is: dex resume. Give it up: dex tx cancel \(first)"
        )
        try other.journal.mark(first, as: .refused, now: 1)
        #expect(try await status(other, first).remedy == nil)
    }
}
