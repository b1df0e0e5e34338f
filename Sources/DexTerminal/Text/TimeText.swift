import DexCore
package import Ethereum

/// Times in readable text.
package enum TimeText {
    /// The first second of the year 10000.
    private static let endOfYear9999: UInt64 = 253_402_300_800

    /// `2026-11-20 23:14:05 UTC` of seconds since 1970; `never` beyond the year 9999.
    package static func utc(_ seconds: UInt256, withSeconds: Bool = true) -> String {
        guard seconds < UInt256(endOfYear9999) else { return "never" }
        let seconds = seconds.w0
        let date = CivilDate(daysSince1970: seconds / 86_400)
        let time = seconds % 86_400
        func two(_ value: UInt64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(two(time / 3_600)):\(two(time / 60 % 60))"
        return "\(date.year)-\(two(date.month))-\(two(date.day)) \(clock)"
            + (withSeconds ? ":\(two(time % 60)) UTC" : " UTC")
    }

    /// `2026-11-21 00:14:05 CET` of seconds since 1970; `never` beyond the year 9999.
    package static func zoned(_ seconds: UInt256, _ screen: Screen) -> String {
        guard seconds < UInt256(endOfYear9999) else { return "never" }
        let offset = screen.zone.offset(seconds.w0)
        return "\(local(seconds.w0, offset)) \(offset.name)"
    }

    /// `2026-11-21 00:14:05` on a clock with this distance from UTC.
    static func local(_ seconds: UInt64, _ offset: LocalTime.Offset) -> String {
        let distance = offset.seconds.magnitude
        let (shifted, overflow) =
            offset.seconds < 0
            ? seconds.subtractingReportingOverflow(distance)
            : seconds.addingReportingOverflow(distance)
        return String(utc(UInt256(overflow ? seconds : shifted)).prefix(19))
    }

    /// `2026-11-20 23:14` of seconds since 1970, in UTC.
    package static func minute(_ seconds: UInt64) -> String {
        String(utc(UInt256(seconds), withSeconds: false).prefix(16))
    }

    /// `2026-11-20T23:14:05Z` of seconds since 1970: RFC 3339.
    package static func iso(_ seconds: UInt64) -> String {
        let text = utc(UInt256(seconds))
        guard text.utf8.count == 23 else { return text }
        return "\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z"
    }

    /// `in 3 h 12 m` or `expired`.
    package static func remaining(until seconds: UInt256, now: UInt64) -> String {
        guard seconds < UInt256(endOfYear9999) else { return "never" }
        guard seconds.w0 > now else { return "expired" }
        return "in " + TimeSpan.text(seconds.w0 - now)
    }

    /// `2026-11-21 00:14:05 CET (in 3 h 12 m)`.
    package static func expiry(_ seconds: UInt256, _ screen: Screen) -> String {
        guard seconds < UInt256(endOfYear9999) else { return "never" }
        return "\(zoned(seconds, screen)) (\(remaining(until: seconds, now: screen.now)))"
    }
}
