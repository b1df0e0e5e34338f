import DexCore
import DexStore
import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Of many blocks each part is noted by itself")
struct WatchChunkTests {
    private let stage: WatchStage
    private let asked = Ranges()

    /// What a node was asked for, and from which block on it does not answer.
    private final class Ranges: Sendable {
        let state = Mutex((ranges: [ClosedRange<UInt64>](), end: UInt64.max))
    }

    /// Three payments in 1,500 blocks, of whose logs the node tells 300 at once.
    init() throws {
        stage = try WatchStage()
        for number: UInt64 in 101...1_500 { stage.mine(number) }
        for (number, block): (UInt64, UInt64) in [(1, 150), (2, 700), (3, 1_450)] {
            stage.mine(
                block,
                transaction: number,
                [stage.transfer(from: stage.other, to: stage.account, UInt256(number))]
            )
        }
        stage.market.chain.set { [asked] chain in
            let logs = chain.logs
            chain.logs = { filter in
                guard case .number(let first) = filter.fromBlock,
                    case .number(let last) = filter.toBlock
                else { return .failure(.nonsense("no numbers")) }
                let end = asked.state.withLock { state in
                    state.ranges.append(first...last)
                    return state.end
                }
                guard first < end else {
                    return .failure(.rateLimited(url: "http://node.example", retryAfter: nil))
                }
                guard last - first < 300 else {
                    return .failure(.rpc(code: -32_005, message: "block range is too wide"))
                }
                return logs?(filter) ?? .success([])
            }
        }
    }

    private var ranges: [ClosedRange<UInt64>] { asked.state.withLock { $0.ranges } }

    private func cursor() throws -> WatchCursor? {
        try stage.store.journal.watchCursor(
            WatchTarget(chainID: 1337, exchange: TestMarket.exchange, account: stage.account)
        )
    }

    @Test("what is broken off goes on behind the part that was noted, and tells all of it once")
    func goesOn() async throws {
        asked.state.withLock { $0.end = 900 }
        let error = await #expect(throws: DexError.self) {
            try await stage.look(from: .block(0))
        }
        #expect(error?.code == "node-rate-limited")
        #expect(stage.sink.notices.isEmpty)
        let next = try #require(try cursor()?.next)
        // Its part began before block 900, and has at most 300 blocks.
        #expect((257...1_199).contains(next))
        #expect(try cursor()?.recent.last?.number == next - 1)

        asked.state.withLock { ($0.ranges, $0.end) = ([], .max) }
        let reported = try await stage.look()
        #expect(reported.map(\.event.amount) == [1, 2, 3])
        #expect(reported.map(\.event.place.block.number) == [150, 700, 1_450])
        #expect(ranges.map(\.lowerBound).min() == next)
        #expect(try cursor()?.next == 1_501)
        #expect(try await stage.look(from: .block(0)).isEmpty)
    }

    @Test("the node's limit is learnt once, and nothing is waited for in between")
    func learns() async throws {
        let stage = stage
        stage.market.clock.onSleep { _ in throw CancellationError() }
        try await stage.model().follow(stage.account, from: .block(0))
        #expect(stage.sink.notices.map(\.event.amount) == [1, 2, 3])
        #expect(stage.market.clock.sleeps.count == 1)
        #expect(try cursor()?.next == 1_501)
        // Four halvings to begin with, and one for each time that it is tried with more again.
        let refused = Set(ranges.filter { $0.count > 300 })
        #expect(refused.count <= 10, "\(refused)")
        #expect(stage.statuses == [.begun(next: 0)])
    }

    @Test("the last blocks are one part, so that what moves among them is not told")
    func tail() async throws {
        try await stage.look(from: .block(0))
        let reported = stage.sink.notices.count
        // A branch in which the last payment is mined later, at another node's limit.
        for number: UInt64 in 1_440...1_502 { stage.mine(number, fork: 1) }
        stage.mine(
            1_501,
            fork: 1,
            transaction: 3,
            [stage.transfer(from: stage.other, to: stage.account, 3)]
        )
        stage.mine(1_502, fork: 1)
        #expect(try await stage.look().isEmpty)
        #expect(stage.sink.notices.count == reported)
    }
}
