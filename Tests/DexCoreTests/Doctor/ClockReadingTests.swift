import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("How far a server's clock is from ours")
struct ClockReadingTests {
    private func answer(_ date: UInt64?, _ sent: UInt64, _ received: UInt64) -> NodeProbeAnswer {
        NodeProbeAnswer(results: .success([]), date: date, sent: sent, received: received)
    }

    private func reading(_ answers: NodeProbeAnswer...) -> ClockReading {
        var reading = ClockReading()
        for answer in answers { reading.note(answer) }
        return reading
    }

    @Test("one answer leaves a second and its own duration open")
    func one() {
        let reading = reading(answer(1_000, 999_500, 999_600))
        #expect(reading.range == 400...1_499)
        #expect(reading.minimum == 400 && reading.maximum == 1_499 && reading.doubt == 1_099)
        #expect(reading.isBehind && reading.seconds == 1)
        // Not known well, so only what is beyond doubt counts.
        #expect(reading.difference == 400)
    }

    @Test("answers narrow each other, and what contradicts them changes nothing")
    func several() {
        let two = reading(answer(1_000, 999_500, 999_600), answer(1_000, 999_950, 1_000_000))
        #expect(two.range == 400...1_049)
        let third = reading(
            answer(1_000, 999_500, 999_600),
            answer(1_000, 999_950, 1_000_000),
            answer(5_000, 999_950, 1_000_000)
        )
        #expect(third.range == two.range)
    }

    @Test("what no clock tells is left out")
    func nonsense() {
        for broken in [
            answer(nil, 0, 0), answer(.max, 0, 0), answer(1_000, 2_000_000, 1_999_999),
            answer(1_000, 0, .max),
        ] { #expect(reading(broken).range == nil) }
        #expect(ClockReading().difference == 0 && ClockReading().seconds == nil)
        #expect(ClockReading().wait(limits: [2_000]) == nil)
    }

    @Test("a clock that may be right differs by nothing at least")
    func right() {
        let reading = reading(answer(1_000, 1_000_400, 1_000_500))
        #expect(reading.range == -500...599)
        #expect(reading.minimum == 0 && reading.wait(limits: [2_000, 10_000]) == nil)
    }

    @Test("the next question arrives when the server's second turns, if the middle is right")
    func wait() throws {
        var reading = reading(answer(1_002, 1_000_300, 1_000_340))
        // The server is 1,660 to 2,699 ms ahead: 2,179 in the middle.
        let wait = try #require(reading.wait(limits: [2_000]))
        #expect((1_000_340 + 20 + 2_179 + wait) % 1_000 == 0)
        let doubt = reading.doubt
        reading.note(answer(1_002, 1_000_340 + wait, 1_000_380 + wait))
        #expect(reading.doubt <= doubt / 2 + 40)
    }
}
