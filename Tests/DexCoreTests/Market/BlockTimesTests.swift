import DexTestSupport
import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Times of blocks without a header for each")
struct BlockTimesTests {
    private static let count: UInt64 = 7_200

    /// A chain of one day whose blocks are so many seconds apart.
    private func market(_ seconds: (UInt64) -> UInt64) throws -> (TestMarket, [UInt64]) {
        let market = try TestMarket()
        var times: [UInt64] = []
        var time = TestMarket.now
        for number in 0..<Self.count {
            times.append(time)
            time += seconds(number)
        }
        let all = times
        market.chain.set { state in
            for number in 0..<Self.count {
                state.blocks[number] = TestMarket.block(number, timestamp: all[Int(number)])
            }
        }
        return (market, times)
    }

    private func known(
        _ numbers: some Sequence<UInt64>,
        fork: UInt64 = 0,
        time: (UInt64) -> UInt64? = { _ in nil }
    ) -> [BlockTimes.Known] {
        numbers.map {
            BlockTimes.Known(
                number: $0,
                hash: TestMarket.blockHash($0, fork: fork),
                time: time($0)
            )
        }
    }

    private func read(
        _ market: TestMarket,
        _ known: [BlockTimes.Known]
    ) async throws -> [UInt64: UInt64] {
        try await BlockTimes.read(
            try market.session(),
            known,
            in: 0...(Self.count - 1),
            and: []
        ).times
    }

    private func headers(_ market: TestMarket) -> Int { market.chain.rounds.joined().count }

    @Test(
        "each is right to the minute, whatever the pace, with fewer headers than blocks",
        arguments: 1...6
    )
    func minutes(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let paces: [[UInt64]] = [[12], [12, 12, 12, 24], [2], [1, 1, 0], [0, 0, 0, 1], [1, 30]]
        let pace = paces[Int(seed - 1)]
        let (market, times) = try market { _ in pace[Int(random.next() % UInt64(pace.count))] }
        let numbers = (0..<Self.count).filter { _ in random.next() % 10 < 9 }
        let found = try await read(market, known(numbers))
        #expect(found.count == numbers.count)
        #expect(numbers.allSatisfy { found[$0].map { $0 / 60 } == times[Int($0)] / 60 })
        #expect(headers(market) < numbers.count)
        #expect(market.chain.rounds.count <= 9)
    }

    @Test("on a chain of two seconds a fifth of the headers is asked, of a quarter second few")
    func few() async throws {
        let (fast, _) = try market { _ in 2 }
        _ = try await read(fast, known(0..<Self.count))
        #expect(headers(fast) < 2_000)
        let (faster, _) = try market { $0.isMultiple(of: 4) ? 1 : 0 }
        _ = try await read(faster, known(0..<Self.count))
        #expect(headers(faster) < 400)
    }

    @Test("where the logs tell the times, three headers are asked")
    func known() async throws {
        let (market, times) = try market { _ in 12 }
        let all = known(5..<7_000) { times[Int($0)] }
        let found = try await read(market, all)
        #expect((5..<7_000).allSatisfy { found[$0] == times[Int($0)] })
        #expect(headers(market) == 3)
    }

    @Test("times in logs that the headers contradict, or that decrease, are not believed")
    func contradicted() async throws {
        let (market, times) = try market { _ in 12 }
        let late = known(5..<100) { times[Int($0)] + 3_600 }
        let first = try await read(market, late)
        #expect((5..<100).allSatisfy { first[$0].map { $0 / 60 } == times[Int($0)] / 60 })
        let torn = known(5..<100) { $0 == 50 ? 7 : times[Int($0)] }
        let second = try await read(market, torn)
        #expect(second[50].map { $0 / 60 } == times[50] / 60)
    }

    @Test("few blocks are asked each: the newest may change")
    func newest() async throws {
        let (market, times) = try market { _ in 12 }
        let all = known(7_000..<7_100) { times[Int($0)] }
        let found = try await BlockTimes.read(
            try market.session(),
            all,
            in: 7_000...7_127,
            and: [7_120]
        )
        #expect(found.times[7_050] == times[7_050] && found.headers[7_120] != nil)
        #expect(headers(market) == 102)
    }

    @Test(
        "a block that is another one, one that is older than the one before, and one that is gone"
    )
    func broken() async throws {
        let (market, _) = try market { _ in 12 }
        await #expect {
            _ = try await read(market, known(0..<7_000, fork: 3))
        } throws: {
            ($0 as? DexError)?.code == "reorganized"
        }
        market.mine(6_999, timestamp: 5)
        await #expect {
            _ = try await read(market, known(0..<7_000))
        } throws: {
            ($0 as? DexError)?.code == "node-nonsense"
        }
        market.chain.set { $0.blocks[6_999] = nil }
        await #expect {
            _ = try await read(market, known(0..<7_000))
        } throws: {
            ($0 as? DexError)?.code == "reorganized"
        }
        #expect(try await read(market, []).isEmpty)
    }
}
