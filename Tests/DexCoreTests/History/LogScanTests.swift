import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Logs in pieces that a node allows")
struct LogScanTests {
    let market: TestMarket

    init() throws {
        market = try TestMarket()
    }

    private func fill(_ block: UInt64) async throws -> TransactionHash {
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        return market.mine(
            [market.fillLog(order, taker: market.trader.address, filling: UInt256(block))],
            by: market.trader.address,
            block: block
        )
    }

    /// Refuses what is longer than the node allows.
    private func limit(
        to maximum: UInt64,
        with error: ChainError = .rpc(code: -32_005, message: "block range is too wide")
    ) -> @Sendable () -> [ClosedRange<UInt64>] {
        let asked = Asked()
        market.chain.set { state in
            let before = state.logs
            state.logs = { filter in
                guard case .number(let first) = filter.fromBlock,
                    case .number(let last) = filter.toBlock
                else { return .failure(.nonsense("no numbers")) }
                asked.ranges.withLock { $0.append(first...last) }
                guard last - first < maximum else { return .failure(error) }
                return before?(filter) ?? .success([])
            }
        }
        return { asked.ranges.withLock { $0 } }
    }

    private final class Asked: Sendable {
        let ranges = Mutex<[ClosedRange<UInt64>]>([])
    }

    @Test("all events of a range come in the order of the chain, whatever the node's limit")
    func allEvents() async throws {
        for maximum: UInt64 in [1, 3, 7, 64, 1_000] {
            let market = try LogScanTests()
            var hashes: [TransactionHash] = []
            for block: UInt64 in [90, 13, 14, 55, 99, 1] {
                hashes.append(try await market.fill(block))
            }
            let asked = market.limit(to: maximum)
            let scan = LogScan(session: try market.market.session())

            let events = try await scan.events(maker: nil, blocks: 1...99)

            #expect(events.map(\.block) == [1, 13, 14, 55, 90, 99])
            #expect(Set(events.map(\.transaction)) == Set(hashes))
            // What was let through covers the range once, without gaps.
            var next: UInt64 = 1
            for range in asked() where range.upperBound - range.lowerBound < maximum {
                #expect(range.lowerBound == next)
                next = range.upperBound + 1
            }
            #expect(next == 100)
        }
    }

    @Test("a node that tells of more events than can be kept is not believed: exit 4")
    func tooManyEvents() async throws {
        for block: UInt64 in 1...3 { _ = try await fill(block) }
        let session = try market.session()
        let all = try await LogScan(session: session, maximumEvents: 3).events(
            maker: nil,
            blocks: 1...9
        )
        #expect(all.count == 3)
        let error = await #expect(throws: DexError.self) {
            try await LogScan(session: session, maximumEvents: 2).events(maker: nil, blocks: 1...9)
        }
        #expect(error?.code == "logs-refused")
        #expect(error?.exit == .unreachable)
    }

    @Test("a node without limits is asked once")
    func once() async throws {
        _ = try await fill(50)
        let asked = limit(to: 1_000_000)

        let events = try await LogScan(session: try market.session())
            .events(maker: market.makers[0].address, blocks: 0...5_000)

        #expect(events.count == 1)
        #expect(asked() == [0...5_000])
    }

    @Test("the maker's topic leaves others' orders out, and events can be dropped as they come")
    func filters() async throws {
        _ = try await fill(50)
        let scan = LogScan(session: try market.session())

        #expect(try await scan.events(maker: market.makers[1].address, blocks: 0...99).isEmpty)
        #expect(
            try await scan.events(maker: nil, blocks: 0...99) { _ in false }.isEmpty
        )
    }

    @Test("a node that refuses even one block is told, with its words and what would help")
    func refused() async throws {
        _ = limit(to: 0, with: .rpc(code: -32_601, message: "the method does not exist"))

        await #expect {
            _ = try await LogScan(session: try market.session()).events(maker: nil, blocks: 5...9)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .unreachable && error?.code == "logs-refused"
                && error?.message
                    == "The node does not give the logs of block 5: \"the method does not exist\"."
                && error?.hint?.contains("--rpc") == true
        }
    }

    @Test("a node that is gone is not asked for ever smaller pieces")
    func unreachable() async throws {
        let asked = limit(to: 0, with: .unreachable(url: "u", reason: "refused"))

        await #expect {
            _ = try await LogScan(session: try market.session())
                .events(maker: nil, blocks: 0...9_999)
        } throws: { ($0 as? DexError)?.exit == .unreachable }
        #expect(asked().count == 4)
    }

    @Test("logs of blocks that were not asked for are not believed")
    func liar() async throws {
        let hash = try await fill(50)
        let log = try #require(try await market.chain.read(.receipt(hash))?.logs.first)
        market.chain.set { $0.logs = { _ in .success([log]) } }

        await #expect {
            _ = try await LogScan(session: try market.session()).events(maker: nil, blocks: 0...9)
        } throws: { ($0 as? DexError)?.exit == .unreachable }
    }

    @Test("a log without its place in the chain is not believed")
    func placeless() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        let log = market.fillLog(order, taker: market.trader.address, filling: 1)
        market.chain.set { $0.logs = { _ in .success([log]) } }

        await #expect {
            _ = try await LogScan(session: try market.session()).events(maker: nil, blocks: 0...9)
        } throws: { ($0 as? DexError)?.exit == .unreachable }
    }
}
