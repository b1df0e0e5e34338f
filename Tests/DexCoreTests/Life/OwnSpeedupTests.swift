import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A transaction of a command that another command sped up.
@Suite("What was sped up is never sent again")
struct OwnSpeedupTests {
    private func market() async throws -> LiveMarket {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    /// Signs a replacement of the only transaction, as another process does.
    ///
    /// - Parameter isMined: a block has it before that process waits.
    private func replace(
        _ market: LiveMarket,
        _ kind: ReplacementPlan.Kind,
        isMined: Bool = false
    ) async throws {
        let first = try #require(try market.journaled().first).hash
        var environment = market.clock.environment
        if isMined { environment.sleep = { _ in try await market.chain.mine() } }
        let model = ReplacementModel(
            session: try market.session(environment: environment),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            ReplacementRequest(kind, of: first),
            account: market.trader.address
        )
        _ = try await model.execute(planned, signer: market.signer)
    }

    @Test("a replaced original that no node knows is not sent again by a wait or a resume")
    func notResent() async throws {
        let market = try await market()
        let first = try await market.trade(.buy, "10")
        #expect(first.exit == .notMinedYet)
        try await replace(market, .speedup)
        let all = try market.journaled()
        let before = market.node.sent.count
        // The nodes know neither.
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch read {
                case .receipt: .success(.receipt(nil))
                case .transaction: .success(.transaction(nil))
                case .transactionCount: .success(.number(0))
                default: answer
                }
            }
        }
        for _ in 0..<3 { _ = await refusal { try await market.trade(.buy, "10") } }
        #expect(!market.node.sent[before...].contains(all[0].raw))
        #expect(Set(market.node.sent) == Set(all.map(\.raw)))
    }

    @Test(
        "what replaced it is followed as ours: its outcome is the command's",
        arguments: [ReplacementPlan.Kind.speedup, .cancel]
    )
    func followed(kind: ReplacementPlan.Kind) async throws {
        let market = try await market()
        let isReplaced = Mutex(false)
        var environment = market.clock.environment
        let sleep = environment.sleep
        environment.sleep = { milliseconds in
            let isFirst = isReplaced.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst { try await replace(market, kind, isMined: true) }
            try await sleep(milliseconds)
        }
        let plan = try await market.plan(.buy, "10")
        let model = MarketOrderModel(
            session: try market.session(environment: environment),
            journal: market.journal,
            settings: TradeSettings()
        )
        let outcome = try await model.execute(plan, signer: market.signer)

        let rows = try market.journaled()
        #expect(rows.count == 2 && Set(market.node.sent) == Set(rows.map(\.raw)))
        #expect(rows.first?.successor == rows.last?.hash)
        switch kind {
        case .speedup:
            #expect(outcome.exit == .done)
            #expect(outcome.received == TestMarket.units("10"))
            #expect(outcome.transactions.last?.hash == rows.last?.hash)
        case .cancel: #expect(outcome.exit == .replacedOrDropped)
        }
    }
}
