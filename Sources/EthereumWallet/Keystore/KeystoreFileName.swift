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
        let date = CivilDate(daysSince1970: days)
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
        let day = [padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)]
        return "UTC--\(day.joined(separator: "-"))T\(time.joined(separator: "-"))"
            + ".\(padded(UInt64(nanoseconds), 9))Z--\(Hex.digits(address.bytes))"
    }

    private static func padded(_ value: UInt64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
