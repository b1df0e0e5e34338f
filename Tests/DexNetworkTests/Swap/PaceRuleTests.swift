import Testing

@testable import DexNetwork

@Suite("The pace of requests")
struct PaceRuleTests {
    /// When each request begins that asks at one of these times.
    private func begins(_ rule: PaceRule, asking times: [UInt64]) -> [UInt64] {
        var rule = rule
        return times.map { $0 + rule.take(at: $0) }
    }

    private let four = PaceRule(maximum: 4, milliseconds: 1_000)

    @Test("as many as may be begin at once, the next when the first is a second old")
    func burst() {
        #expect(
            begins(four, asking: [0, 0, 0, 0, 0, 0]) == [0, 0, 0, 0, 1_000, 1_000]
        )
        #expect(
            begins(four, asking: [7, 7, 400, 900, 950, 1_000]) == [7, 7, 400, 900, 1_007, 1_007]
        )
    }

    @Test("who asks seldom never waits")
    func slow() {
        let times = (0..<100).map { UInt64($0) * 251 }
        #expect(begins(four, asking: times) == times)
    }

    @Test("in no stretch of a second are there five, whatever comes when")
    func window() {
        var state: UInt64 = 1
        var time: UInt64 = 0
        let times = (0..<2_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            time += (state >> 33) % 400
            return time
        }
        let begins = begins(four, asking: times)
        #expect(zip(times, begins).allSatisfy { $0 <= $1 })
        #expect(zip(begins, begins.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(zip(begins, begins.dropFirst(4)).allSatisfy { $1 - $0 >= 1_000 })
        #expect(begins != times)
    }

    @Test("a rule of none lets one through, and the end of time is no trap")
    func bounds() {
        #expect(begins(PaceRule(maximum: 0, milliseconds: 5), asking: [0, 0, 0]) == [0, 5, 10])
        var last = PaceRule(maximum: 1, milliseconds: 1_000)
        #expect(last.take(at: .max - 10) == 0)
        #expect(last.take(at: .max - 10) == 10)
        #expect(last.take(at: .max) == 0)
    }

    @Test("all who share a pace wait for each other, and a cancelled wait ends")
    func shared() async throws {
        let pace = RequestPace(PaceRule(maximum: 2, milliseconds: 300))
        let clock = FakeClock()
        for _ in 0..<5 { try await pace.turn(clock.clock) }
        #expect(clock.sleeps == [300, 300, 600])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pace.turn(clock.clock)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
