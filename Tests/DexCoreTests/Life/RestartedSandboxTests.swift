import DexSandbox
import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A sandbox that was reset, and one whose server only lags: at first they answer the same.
@Suite("Only a sandbox that began anew makes the journal forget")
struct RestartedSandboxTests {
    private func market(start: UInt64 = TestMarket.now) async throws -> LiveMarket {
        let market = try LiveMarket(start: start)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    /// A question of the readings that tell one from the other.
    private static func isReading(_ reads: [ChainRead]) -> Bool {
        reads.contains(.block(.number(0)))
    }

    @Test(
        "a server that lags for a while is behind, exit 4, and nothing is forgotten or sent",
        arguments: [0, 1, 10, InFlight.restartReadings - 1]
    )
    func lag(readings: Int) async throws {
        let market = try await market()
        #expect(try await market.trade(.buy, "10").exit == .done)
        let model = MarketOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await market.plan(.buy, "10")
        let sent = market.node.sent.count
        let counter = Counter()
        market.node.onRead { reads, answers throws(ChainError) in
            if Self.isReading(reads), counter.next() >= readings { return answers }
            return zip(reads, answers).map { read, answer in
                switch read {
                case .blockNumber, .transactionCount(_, .latest): .success(.number(0))
                default: answer
                }
            }
        }
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.code == "node-behind", "\(String(describing: error))")
        #expect(error?.exit == .unreachable)
        #expect(try market.journaled().map(\.stage) == [.mined])
        #expect(market.node.sent.count == sent)
    }

    @Test(
        "where blocks come meanwhile, only a first block later than the transaction proves it",
        arguments: [false, true]
    )
    func blocks(isYounger: Bool) async throws {
        let first = try await market()
        for _ in 0..<3 { try await first.chain.mine() }
        #expect(try await first.trade(.buy, "10").exit == .done)
        let second = try await market(start: TestMarket.now + (isYounger ? 600 : 0))
        let model = MarketOrderModel(
            session: try second.session(),
            journal: first.journal,
            settings: TradeSettings()
        )
        let plan = try await second.plan(.buy, "10")
        let counter = Counter()
        second.node.onRead { reads, answers throws(ChainError) in
            guard Self.isReading(reads) else { return answers }
            let head = UInt64(counter.next() % 3)
            return zip(reads, answers).map { $0 == .blockNumber ? .success(.number(head)) : $1 }
        }
        if isYounger {
            #expect(try await model.execute(plan, signer: second.signer).exit == .done)
            #expect(try first.journaled().map(\.stage) == [.forgotten, .mined])
        } else {
            let error = await refusal { try await model.execute(plan, signer: second.signer) }
            #expect(error?.code == "node-behind", "\(String(describing: error))")
            #expect(try first.journaled().map(\.stage) == [.mined])
            #expect(second.node.sent.isEmpty)
        }
    }
}
