import Ethereum

/// Past times in the form that users type.
package enum PastTime {
    /// Seconds since 1970 of a past time.
    ///
    /// The forms are `2026-11-01` (its first second in UTC), `2026-11-01T12:30:00Z`, and durations
    /// before now such as `90s`, `30m`, `24h`, `7d` or `2w`.
    ///
    /// - Throws: `DexError`, exit 2, `bad-time`.
    package static func seconds(_ text: String, now: UInt64) throws(DexError) -> UInt64 {
        if let time = date(text) { return time }
        let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let count = number(text.dropLast())
        else {
            throw InputError.badTime(text)
        }
        let (span, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow || span > now ? 0 : now - span
    }

    private static func number(_ text: Substring) -> UInt64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }

    /// `YYYY-MM-DD`, or with `THH:MM:SSZ` appended; nil for everything else.
    static func date(_ text: String) -> UInt64? {
        let shape = text.utf8.map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
        let isTime = shape == Array("0000-00-00T00:00:00Z".utf8)
        guard isTime || shape == Array("0000-00-00".utf8) else { return nil }
        let parts = text.split { !$0.isNumber }.compactMap { UInt64($0) }
        guard parts.count == (isTime ? 6 : 3), (1970...9999).contains(parts[0]),
            (1...12).contains(parts[1]), (1...days(in: parts[1], of: parts[0])).contains(parts[2])
        else { return nil }
        let day = dayNumber(parts[0], parts[1], parts[2]) * 86_400
        guard isTime else { return day }
        guard parts[3] < 24, parts[4] < 60, parts[5] < 60 else { return nil }
        return day + parts[3] * 3_600 + parts[4] * 60 + parts[5]
    }

    private static func days(in month: UInt64, of year: UInt64) -> UInt64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days since 1970-01-01 in the Gregorian calendar, from 1970 on.
    ///
    /// Source: https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    private static func dayNumber(_ year: UInt64, _ month: UInt64, _ day: UInt64) -> UInt64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

}
