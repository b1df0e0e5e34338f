public import Ethereum

/// The file names that geth uses: `UTC--2026-11-21T04-05-06.000000007Z--` and the address.
public enum KeystoreFileName {
    /// The name of a new file.
    ///
    /// - Parameters:
    ///   - seconds: since 1970, in UTC.
    ///   - nanoseconds: of the second.
    public static func make(_ address: Address, seconds: UInt64, nanoseconds: UInt32) -> String {
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = date(days)
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
        let day = [padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)]
        return "UTC--\(day.joined(separator: "-"))T\(time.joined(separator: "-"))"
            + ".\(padded(UInt64(nanoseconds), 9))Z--\(Hex.digits(address.bytes))"
    }

    /// The Gregorian date of a day since 1970.
    ///
    /// Source: https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    private static func date(_ days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let isNextYear = month >= 10
        return (
            yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, day
        )
    }

    private static func padded(_ value: UInt64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
