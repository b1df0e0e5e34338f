import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The fills of the newest blocks, in memory")
struct RecentFillsTests {
    let market: TestMarket

    init() throws {
        market = try TestMarket()
        market.chain.set { state in
            for number: UInt64 in 0...1_000 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
    }

    private func recentFills() throws -> RecentFills {
        let session = try market.session()
        return RecentFills(session, in: ChainScope(session))
    }

    private func fill(_ block: UInt64, fork: UInt64 = 0) async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        market.mine(
            [market.fillLog(order, taker: market.trader.address, filling: 5)],
            by: market.trader.address,
            block: block,
            fork: fork
        )
    }

    /// The ranges of blocks whose logs were asked for since a round.
    private func asked(since round: Int) -> [ClosedRange<UInt64>] {
        market.chain.rounds.dropFirst(round).joined().compactMap { read in
            guard case .logs(let filter) = read, case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock
            else { return nil }
            return first...last
        }
    }

    @Test("with a new block only the newest are read again, and what grew old is left out")
    func once() async throws {
        for block: UInt64 in [0, 700, 950] { try await fill(block) }
        let recent = try recentFills()
        #expect(try await recent.read().fills.map(\.block) == [0, 700, 950])
        #expect(asked(since: 0) == [0...1_000])
        var round = market.chain.rounds.count
        #expect(try await recent.read().fills.count == 3)
        #expect(asked(since: round).isEmpty)
        try await fill(1_001)
        #expect(try await recent.read().fills.map(\.block) == [0, 700, 950, 1_001])
        #expect(asked(since: round) == [873...1_001])
        round = market.chain.rounds.count
        market.mine(10_000, timestamp: TestMarket.now + 10_000)
        market.mine(1, timestamp: TestMarket.now + 1)
        #expect(try await recent.read().fills.map(\.block) == [700, 950, 1_001])
        #expect(asked(since: round).first?.lowerBound == 874)
    }

    @Test("after a reorganization, or on a node that is behind, all are read again")
    func again() async throws {
        for block: UInt64 in [700, 950] { try await fill(block) }
        let recent = try recentFills()
        #expect(try await recent.read().fills.count == 2)
        market.chain.set { state in
            state.logs = { _ in .success([]) }
            for number: UInt64 in 600...1_000 {
                state.blocks[number] = TestMarket.block(
                    number,
                    timestamp: TestMarket.now + number,
                    fork: 2
                )
            }
        }
        try await fill(800, fork: 2)
        var round = market.chain.rounds.count
        #expect(try await recent.read().fills.map(\.block) == [800])
        #expect(asked(since: round) == [0...1_000])
        market.chain.set { $0.blocks = $0.blocks.filter { $0.key <= 860 } }
        round = market.chain.rounds.count
        #expect(try await recent.read().fills.map(\.block) == [800])
        #expect(asked(since: round) == [0...860])
    }
}
