import DexCore
import DexTerminal
import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@Suite("Numbers on screen")
struct RatioTests {
    private func price(_ quote: UInt256, _ base: UInt256) throws -> Ratio {
        let price = try #require(Price(quote: quote, base: base))
        return Ratio(price, base: Fixtures.zrx, quote: Fixtures.weth)
    }

    @Test("an exact fraction is rounded by integer arithmetic, the way that is asked for")
    func rounding() throws {
        let third = try price(1, 3)
        #expect(third.text(places: 5, rounding: .down) == "0.33333")
        #expect(third.text(places: 5, rounding: .up) == "0.33334")
        #expect(third.text(places: 5, rounding: .nearest) == "0.33333")
        let half = try price(5, 1_000)
        #expect(half.text(places: 2, rounding: .nearest) == "0.01")
        #expect(half.text(places: 2, rounding: .down) == "0.00")
        #expect(half.text(places: 3, rounding: .up) == "0.005")
        #expect(try price(999_999, 1_000_000).text(places: 2, rounding: .nearest) == "1.00")
        #expect(try price(7, 2).text(places: 0, rounding: .down) == "3")
    }

    @Test("a scaled number has the digits of its text")
    func scaled() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let quote = UInt256(UInt64.random(in: 0...UInt64.max, using: &random) >> 7)
            let base = UInt256(UInt64.random(in: 1...UInt64.max, using: &random) >> 20 | 1)
            let price = try #require(Price(quote: quote, base: base))
            let ratio = [
                Ratio(price, base: Fixtures.zrx, quote: Fixtures.weth),
                Ratio(price, base: Fixtures.weth, quote: Fixtures.usdc),
                Ratio(price, base: Fixtures.usdc, quote: Fixtures.weth),
            ].randomElement(using: &random)
            let places = Int.random(in: 0...20, using: &random)
            for rounding in [Ratio.Rounding.down, .up, .nearest] {
                let digits = ratio?.text(places: places, rounding: rounding).filter { $0 != "." }
                let scaled = ratio?.scaled(places: places, rounding: rounding)
                #expect(scaled == UInt256(decimal: try #require(digits)))
            }
        }
        // Beyond 256 bits there is none.
        #expect(try price(.max, 1).scaled(places: 1, rounding: .down) == nil)
    }

    @Test("different decimals shift the point, both ways")
    func decimals() throws {
        // 2500 USDC per WETH: 2500 x 10^6 base units for 10^18.
        let price = try #require(Price(quote: 2_500_123_456, base: 1_000_000_000_000_000_000))
        let human = Ratio(price, base: Fixtures.weth, quote: Fixtures.usdc)
        #expect(human.text(places: 4, rounding: .down) == "2500.1234")
        #expect(human.text(significant: 18) == "2500.123456")
        let inverse = try #require(Price(quote: 400_000_000_000_000, base: 1_000_000))
        #expect(
            Ratio(inverse, base: Fixtures.usdc, quote: Fixtures.weth).text(significant: 6)
                == "0.0004"
        )
    }

    @Test("the largest and smallest fractions do not trap")
    func extremes() throws {
        let large = try price(.max, 1)
        #expect(large.text(places: 2, rounding: .up) == UInt256.max.description + ".00")
        let small = try price(1, .max)
        #expect(small.text(places: 3, rounding: .up) == "0.001")
        #expect(small.text(significant: 3) == "0." + String(repeating: "0", count: 77) + "864")
        #expect(try price(0, .max).text(significant: 3) == "0")
        let odd = Fixtures.token(9, "ODD", "", 255)
        let shifted = try #require(Price(quote: 1, base: 1))
        #expect(Ratio(shifted, base: odd, quote: Fixtures.weth).text(significant: 2).count == 238)
        #expect(Ratio(shifted, base: Fixtures.weth, quote: odd).exponent == -237)
    }

    @Test(
        "the exponent is the position of the first digit",
        arguments: [
            (UInt256(1_234), UInt256(10), 2), (1, 1, 0), (123, 100_000, -3), (999, 1_000, -1),
        ]
    )
    func exponent(quote: UInt256, base: UInt256, expected: Int) throws {
        #expect(try price(quote, base).exponent == expected)
    }

    @Test("amounts in a column are rounded, what is promised down, and what would vanish shows")
    func column() {
        let token = Fixtures.zrx
        #expect(NumberText.column(1_999_999_999_999_999_999, of: token, places: 2) == "2.00")
        #expect(NumberText.column(1_999_999_999_999_999_999, of: token, places: 2, .down) == "1.99")
        #expect(NumberText.column(1, of: token, places: 2) == "<0.01")
        #expect(NumberText.column(0, of: token, places: 2) == "0.00")
    }

    @Test("amounts of lists have six digits, rounded, and whole numbers stay whole")
    func list() {
        #expect(NumberText.list(1_234_567_891_234_567_891, Fixtures.weth) == "1.23457 WETH")
        #expect(NumberText.list(99_899_644_096_124_066_920, Fixtures.weth) == "99.8996 WETH")
        #expect(NumberText.listValue(25_025_500_000, 6) == "25025.5")
        #expect(NumberText.listValue(1_234_567_890_000, 6) == "1234568")
        #expect(NumberText.listValue(7, 18) == "0.000000000000000007")
        #expect(NumberText.listValue(0, 18) == "0")
        #expect(NumberText.listValue(77, nil) == "77")
    }

    @Test("costs are rounded up, receipts down")
    func against() {
        #expect(NumberText.ether(Wei(1_234_567_890_123_456), .ether) == "0.00123457 ETH")
        #expect(NumberText.gwei(Wei(1_500_000_001)) == "1.501 gwei")
        let amount: UInt256 = 1_234_567_891_234_567_891
        #expect(NumberText.brief(amount, Fixtures.weth, .up) == "1.2345679 WETH")
        #expect(NumberText.brief(amount, Fixtures.weth, .down) == "1.2345678 WETH")
    }

    @Test("unknown decimals are told as base units")
    func unknownDecimals() {
        let token = Fixtures.token(5, "X", "", nil)
        #expect(NumberText.amount(1_500, token) == "1500 base units of X")
    }

    @Test(
        "times are UTC and know leap years",
        arguments: [
            (0, "1970-01-01 00:00:00 UTC"), (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_770_000_000, "2026-02-02 02:40:00 UTC"), (4_107_542_399, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
            (253_402_300_799, "9999-12-31 23:59:59 UTC"),
        ] as [(UInt64, String)]
    )
    func utc(seconds: UInt64, expected: String) {
        #expect(TimeText.utc(UInt256(seconds)) == expected)
    }

    @Test("an expiry beyond all years is never")
    func never() {
        #expect(TimeText.utc(.max) == "never")
        #expect(TimeText.expiry(.max, Screen(width: 80, style: .plain, now: 0)) == "never")
        #expect(TimeText.remaining(until: 100, now: 100) == "expired")
        #expect(TimeText.remaining(until: 11_620, now: 100) == "in 3 h 12 m")
    }

    @Test(
        "durations have two units at most",
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 m"), (125, "2 m 5 s"), (86_400, "1 d"),
            (90_061, "1 d 1 h"), (3_601, "1 h"),
        ] as [(UInt64, String)]
    )
    func durations(seconds: UInt64, expected: String) {
        #expect(TimeSpan.text(seconds) == expected)
    }
}
