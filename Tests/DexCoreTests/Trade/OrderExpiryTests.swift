import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("When an order expires, as traders type it")
struct OrderExpiryTests {
    /// 2026-11-23, 17:00:00 UTC.
    private static let now: UInt64 = 1_795_453_200

    @Test(
        "days and times are UTC, a time of day is the next one",
        arguments: [
            ("2026-12-01", 1_796_083_200), ("2026-12-01T18:30:00Z", 1_796_149_800),
            ("17:01", 1_795_453_260), ("17:00", 1_795_539_600), ("00:00", 1_795_478_400),
            ("16:59", 1_795_539_540), ("23:59", 1_795_478_340), ("2028-02-29", 1_835_395_200),
        ] as [(String, UInt64)]
    )
    func times(text: String, expected: UInt64) throws {
        let expiry = try #require(OrderExpiry(time: text))
        #expect(expiry.time(now: Self.now) == expected)
    }

    @Test(
        "everything else is no time",
        arguments: [
            "", "24:00", "12:60", "1:30", "12:3", "12:30:00", "12.30", "12:30Z", "-1:30", "2026-12",
            "2026-13-01", "2026-02-29", "2026-12-01 18:30", "2026-12-01T18:30Z", "26-12-01",
            "2026/12/01", "tomorrow", "24h", "٢٢:٢٢",
        ]
    )
    func refused(text: String) {
        #expect(OrderExpiry(time: text) == nil)
    }

    @Test("what is not after now is refused")
    func past() {
        #expect(OrderExpiry.at(Self.now).time(now: Self.now) == nil)
        #expect(OrderExpiry.at(Self.now + 1).time(now: Self.now) == Self.now + 1)
        #expect(OrderExpiry(time: "2026-11-23")?.time(now: Self.now) == nil)
        #expect(OrderExpiry.after(0).time(now: Self.now) == nil)
        #expect(OrderExpiry.after(.max).time(now: Self.now) == nil)
    }
}
