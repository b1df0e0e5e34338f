/// When an order expires, as a trader types it.
package enum OrderExpiry: Hashable, Sendable {
    /// Seconds from now.
    case after(UInt64)
    /// Seconds since 1970.
    case at(UInt64)
    /// The next time at which the clock shows it: seconds after midnight, UTC.
    case timeOfDay(UInt64)

    /// Reads `2026-12-01` (its first second, UTC), `2026-12-01T18:30:00Z` and `18:30`; nil for
    /// everything else.
    package init?(time text: String) {
        if let time = PastTime.date(text) {
            self = .at(time)
            return
        }
        let shape = text.utf8.map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
        guard shape == Array("00:00".utf8) else { return nil }
        let parts = text.split(separator: ":").compactMap { UInt64($0) }
        guard parts.count == 2, parts[0] < 24, parts[1] < 60 else { return nil }
        self = .timeOfDay(parts[0] * 3_600 + parts[1] * 60)
    }

    /// Seconds since 1970; nil if that is not after now.
    func time(now: UInt64) -> UInt64? {
        switch self {
        case .after(let seconds):
            let (time, overflow) = now.addingReportingOverflow(seconds)
            return seconds == 0 || overflow ? nil : time
        case .at(let time): return time > now ? time : nil
        case .timeOfDay(let seconds):
            let today = now - now % 86_400 + seconds
            return today > now ? today : today + 86_400
        }
    }
}
