import DexCore
import Testing

@testable import DexCoreTestSupport

@Suite("Times in the past as people write them")
struct PastTimeTests {
    private static let now: UInt64 = 1_795_262_400

    @Test(
        "days, times and spans",
        arguments: [
            ("1970-01-01", 0), ("1970-03-01", 5_097_600), ("2000-02-29", 951_782_400),
            ("2026-11-21", 1_795_219_200), ("2026-11-21T12:00:00Z", now),
            ("2026-11-21T23:59:59Z", 1_795_305_599), ("9999-12-31", 253_402_214_400),
            ("0s", now), ("90s", now - 90), ("30m", now - 1_800), ("24h", now - 86_400),
            ("7d", now - 604_800), ("2w", now - 1_209_600), ("99999999999w", 0),
            ("18446744073709551615w", 0),
        ] as [(String, UInt64)]
    )
    func valid(text: String, seconds: UInt64) throws {
        #expect(try PastTime.seconds(text, now: Self.now) == seconds)
    }

    @Test(
        "what is no time is exit 2 with examples",
        arguments: [
            "", "7", "d", "-7d", "7y", "7d ", "1d12h", "2026-13-01", "2026-00-10", "2026-02-29",
            "1900-01-01", "2026-11-31", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z",
            "2026-11-21T10:00:00", "2026-11-21 10:00:00", "yesterday", "٢٠٢٦-١١-٢١", "\u{1B}[2J",
            "18446744073709551616s",
        ]
    )
    func invalid(text: String) {
        #expect {
            _ = try PastTime.seconds(text, now: Self.now)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .usage && error?.code == "bad-time"
                && error?.message.contains("is not a time") == true
                && error?.message.contains("\u{1B}") == false
        }
    }
}
